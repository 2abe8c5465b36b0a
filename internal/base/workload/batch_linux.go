package workload

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Batch puts this process, and those that it starts from now on, under the
// system's policy for work that nobody watches step by step, unless the user
// has chosen another. A program and a plugin that call each other thousands of
// times a second wake each other with every message. By the usual policy
// whoever is woken takes the processor from whoever sends; by this one it
// waits, and finds several messages at once.
//
// It is a hint: what the system does not allow is left as it is. Priorities
// stay as they are. Source: sched(7), SCHED_BATCH.
func Batch() {
	done := map[string]bool{}
	for found := true; found; { // a thread may have begun another meanwhile
		found = false
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, thread := range threads {
			if !done[thread.Name()] {
				done[thread.Name()] = true
				found = true
				setBatch(thread.Name())
			}
		}
	}
}

func setBatch(thread string) {
	id, err := strconv.Atoi(thread)
	if err != nil {
		return
	}
	attr, err := unix.SchedGetAttr(id, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return
	}
	attr.Policy = unix.SCHED_BATCH
	attr.Runtime = 0 // or the usual length of a turn would become the thread's own
	_ = unix.SchedSetAttr(id, attr, 0)
}
