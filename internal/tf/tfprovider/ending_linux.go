package tfprovider

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// atEnd reports whether a process is at its end and runs nothing any more:
// all that is left is that the system takes its memory back.
func atEnd(pid int) bool {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil {
		return false
	}
	for _, file := range threads {
		stat, err := os.ReadFile(file)
		if err == nil && !exiting(stat) { // one that cannot be read is gone
			return false
		}
	}
	return true
}

// exiting reads a thread's stat, the words of which begin after its name in
// parentheses. Source: proc_pid_stat(5), and PF_EXITING in Linux's sched.h.
func exiting(stat []byte) bool {
	const flags, flagExiting = 6, 4
	words := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(words) <= flags {
		return false
	}
	set, err := strconv.ParseUint(string(words[flags]), 10, 64)
	return err == nil && set&flagExiting != 0
}
