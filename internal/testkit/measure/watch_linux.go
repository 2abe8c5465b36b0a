package measure

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// watch follows a process and its children until the returned function is
// called. The kernel keeps the peak of each process's memory (VmHWM), so that
// looking now and then misses only what happens right before the end.
func watch(pid int) func() watched {
	stop, done := make(chan struct{}), make(chan struct{})
	seen := watched{children: map[string]bool{}}
	go func() {
		defer close(done)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			seen.memory = max(seen.memory, peak(strconv.Itoa(pid)))
			for _, c := range children(pid) {
				seen.children[c] = true
				seen.childMemory = max(seen.childMemory, peak(c))
			}
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() watched {
		close(stop)
		<-done
		return seen
	}
}

// adoptOrphans makes the processes that measured ones leave behind at their
// end children of this one.
func adoptOrphans() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// orphansTime is the processor time of the children that a process left
// behind, once they have ended.
func (w watched) orphansTime() time.Duration {
	var out time.Duration
	for child := range w.children {
		pid, err := strconv.Atoi(child)
		if err != nil {
			continue
		}
		var used unix.Rusage
		if _, err := unix.Wait4(pid, nil, 0, &used); err == nil { // else it was waited for
			out += time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
	}
	return out
}

// children lists the processes that any thread of pid has started.
func children(pid int) []string {
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if err != nil {
		return nil
	}
	var out []string
	for _, list := range lists {
		if text, err := os.ReadFile(list); err == nil {
			out = append(out, strings.Fields(string(text))...)
		}
	}
	return out
}

// peak is the largest resident size of a process so far; 0 once it is gone.
func peak(pid string) int64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmHWM:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
