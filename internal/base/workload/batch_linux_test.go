package workload_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/formation-iac/formation/internal/base/workload"
)

// TestBatch has a process of its own, since there is no way back.
func TestBatch(t *testing.T) {
	if os.Getenv("WORKLOAD_TEST") == "" {
		t.Parallel()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBatch$", "-test.count=1")
		cmd.Env = append(os.Environ(), "WORKLOAD_TEST=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	workload.Batch()
	var threads sync.WaitGroup
	for range 8 { // those that begin later are no different
		threads.Go(func() { _ = exec.CommandContext(t.Context(), "sleep", "0.01").Run() })
	}
	threads.Wait()
	for id, policy := range policies(t) {
		if policy != unix.SCHED_BATCH {
			t.Errorf("thread %s has policy %d", id, policy)
		}
	}
	out, err := exec.CommandContext(t.Context(), "cat", "/proc/self/stat").Output()
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(out[strings.LastIndexByte(string(out), ')')+1:]))
	if policy := fields[38]; policy != strconv.Itoa(unix.SCHED_BATCH) { // field 41 of proc_pid_stat(5)
		t.Errorf("a child has policy %s", policy)
	}
}

// policies are those of this process's threads.
func policies(t *testing.T) map[string]uint32 {
	t.Helper()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint32{}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			t.Fatal(err)
		}
		if attr, err := unix.SchedGetAttr(id, 0); err == nil { // else it has ended
			out[thread.Name()] = attr.Policy
		}
	}
	return out
}
