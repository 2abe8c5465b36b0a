//go:build !unix

package offspring

import (
	"os"
	"syscall"
)

// Child is for a process that shares the terminal with this program.
func Child() *syscall.SysProcAttr { return nil }

// Group is for a process that is ended with what it starts, where the system
// can.
func Group() *syscall.SysProcAttr { return nil }

// Session is for a process that is not to ask anything.
func Session() *syscall.SysProcAttr { return nil }

// Without signals, the end of a plugin is its Cancel, or this.

// Interrupt ends a process.
func Interrupt(p *os.Process) { _ = p.Kill() }

// Kill ends a process.
func Kill(p *os.Process) { _ = p.Kill() }
