//go:build unix

package host

import (
	"os"
	"syscall"
)

// ownGroup makes a process the first of its group, so that what it starts can
// be ended with it.
func ownGroup() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	return attr
}

// The group of a process has its id. That it is empty is no error here.

func interruptGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }
func killGroup(p *os.Process)      { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
