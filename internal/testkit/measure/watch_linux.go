package measure

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// watch follows a process and its children until the returned function is
// called. The kernel keeps the peak of each process's memory (VmHWM), so that
// looking now and then misses only what happens right before the end.
func watch(pid int) func() watched {
	stop, done := make(chan struct{}), make(chan struct{})
	var seen watched
	go func() {
		defer close(done)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			seen.memory = max(seen.memory, peak(strconv.Itoa(pid)))
			for _, c := range children(pid) {
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
