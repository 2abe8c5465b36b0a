package host_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// parentOf is the id of a process's parent.
func parentOf(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return parent
}

// processes counts what runs with an entry in its environment.
func processes(t *testing.T, badge string) int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // another user's, or gone
		}
		for entry := range bytes.SplitSeq(data, []byte{0}) {
			if string(entry) == badge {
				count++
			}
		}
	}
	return count
}

// busy counts goroutines that serve a plugin.
func busy() int {
	buf := make([]byte, 4<<20)
	count := 0
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		for _, at := range []string{"google.golang.org/grpc", "plugin/host.(*", "os/exec."} {
			if strings.Contains(g, at) {
				count++
				break
			}
		}
	}
	return count
}

// TestNothingIsLeft closes plugins in every condition, and looks for processes
// and goroutines. It is not parallel, so that what it finds is its own: tests
// that are wait until it has ended.
func TestNothingIsLeft(t *testing.T) {
	tests := map[string]struct {
		mode string
		use  func(ctx context.Context, h *host.Host, dir string)
		// running is how many processes run before the end, and left how many
		// may go on: those that left their group.
		running, left int
	}{
		"never started":   {"", func(context.Context, *host.Host, string) {}, 0, 0},
		"idle":            {"", start, 1, 0},
		"guest":           {"", startGuest, 2, 0},
		"guest, stubborn": {"stubborn", startGuest, 2, 0},
		"guest, forking":  {"fork", startGuest, 3, 0},
		"guest, silent":   {"silent", startGuest, 0, 0},
		"silent":          {"silent", start, 0, 0},
		"garbage":         {"garbage", start, 0, 0},
		"endless":         {"endless", start, 0, 0},
		"closed stdout":   {"closed-stdout", start, 0, 0},
		"half a line":     {"half-line", start, 0, 0},
		"late panic":      {"late-panic", start, 0, 0},
		"crashing":        {"crash", startAndCall, 0, 0},
		"hanging":         {"hang", startAndCall, 1, 0},
		"stubborn":        {"stubborn", start, 1, 0},
		"chatty":          {"chatty", start, 1, 0},
		"forking":         {"fork", start, 2, 0},
		"detaching":       {"detach", start, 2, 1},
	}
	before := busy()
	t.Run("close", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				badge := "FORMATION_TEST=" + t.TempDir() // nobody else has it
				p, dir := guests(t, plugin.Resource, "FAKE_MODE="+test.mode, badge)
				p.install(plugin.Resource, "fake", "1.0.0")
				p.opts.Grace = 300 * time.Millisecond
				h, err := host.New(t.Context(), p.opts)
				if err != nil {
					t.Fatal(err)
				}
				patience := 20 * time.Second
				if strings.HasSuffix(name, "silent") { // there is no more to come
					patience = 500 * time.Millisecond
				}
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				test.use(ctx, h, dir)
				if n := processes(t, badge); n != test.running {
					t.Errorf("%d processes run, of %d", n, test.running)
				}
				if err := h.Close(); err != nil {
					t.Error(err)
				}
				// What was killed may take its time to die on a busy machine.
				for wait := 0; wait < 200 && processes(t, badge) != test.left; wait++ {
					time.Sleep(10 * time.Millisecond)
				}
				if n := processes(t, badge); n != test.left {
					t.Errorf("%d processes are left", n)
				}
			})
		}
	})
	left := busy()
	for wait := time.Now().Add(3 * time.Second); left > before && time.Now().Before(wait); left = busy() {
		time.Sleep(20 * time.Millisecond)
	}
	if left > before {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines are left, of %d before:\n%s", left, before, buf[:runtime.Stack(buf, true)])
	}
}

func start(ctx context.Context, h *host.Host, _ string) { h.Resource(ctx, host.Wanted{Name: "fake"}) }

func startGuest(ctx context.Context, h *host.Host, dir string) {
	h.Resource(ctx, host.Wanted{Path: dir})
}

func startAndCall(ctx context.Context, h *host.Host, _ string) {
	if r, _ := h.Resource(ctx, host.Wanted{Name: "fake"}); r != nil {
		ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond) // a hanging one answers never
		defer cancel()
		_ = invoke(ctx, r)
	}
}

// TestNothingIsLeftWhenKilled kills a program, this one, that has started a
// plugin.
func TestNothingIsLeftWhenKilled(t *testing.T) {
	const order = "FORMATION_TEST_START"
	if path := os.Getenv(order); path != "" {
		startAndWait(t, path)
		return
	}
	t.Parallel()
	p := fake(t)
	badge := "FORMATION_TEST=" + t.TempDir()
	//nolint:noctx // it is killed
	program := exec.Command(os.Args[0], "-test.run=^TestNothingIsLeftWhenKilled$")
	program.Env = append(os.Environ(), order+"="+filepath.Join(p.path, "pulumi-resource-fake"), badge)
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "started\n" {
		t.Errorf("it says %q, %v", line, err)
	}
	if n := processes(t, badge); n != 2 {
		t.Errorf("%d processes run", n)
	}
	_ = program.Process.Kill()
	_ = program.Wait()
	for wait := 0; wait < 500 && processes(t, badge) > 0; wait++ {
		time.Sleep(10 * time.Millisecond)
	}
	if n := processes(t, badge); n > 0 {
		t.Errorf("%d processes are left", n)
	}
}

// startAndWait is the program that is killed.
func startAndWait(t *testing.T, path string) {
	h, err := host.New(t.Context(), host.Options{Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	if r, diags := h.Resource(t.Context(), host.Wanted{Path: path}); r == nil {
		t.Fatal(diags)
	}
	fmt.Println("started")
	time.Sleep(time.Minute)
}

// TestGuestDiesWithItsLanguage kills the language plugin.
func TestGuestDiesWithItsLanguage(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Resource, "FAKE_LANGUAGE_MODE=fork")
	r, diags := p.host().Resource(t.Context(), host.Wanted{Path: dir})
	if r == nil {
		t.Fatal(diags)
	}
	parent, err := os.FindProcess(parentOf(t, self(t, r).PID))
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Kill(); err != nil {
		t.Fatal(err)
	}
	promptly(t, func() {
		var last error
		for last == nil {
			last = invoke(t.Context(), r)
		}
		wantDiag(t, diag.FromError("", "", last), host.CodeCrashed, "language plugin fake crashed", "during RunPlugin")
	})
}
