//go:build unix

package fakeplugin

import "syscall"

// ownSession takes a process out of the group of its parent.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
