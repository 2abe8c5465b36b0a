//go:build unix

package offspring

import (
	"os"
	"syscall"
)

// Child is for a process that shares the terminal with this program: what is
// typed there to interrupt it reaches both.
func Child() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	dieWithParent(attr)
	return attr
}

// Group is for a process that is the first of a group of its own, so that what
// it starts can be ended with it.
func Group() *syscall.SysProcAttr {
	attr := Child()
	attr.Setpgid = true
	return attr
}

// Session is for a process without a terminal, where it could ask something
// and wait for an answer. It is the first of a group as well.
func Session() *syscall.SysProcAttr {
	attr := Child()
	attr.Setsid = true
	return attr
}

// The group of a process has its id. That it is empty is no error here.

// Interrupt asks the group of a process to end.
func Interrupt(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }

// Kill ends the group of a process.
func Kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
