//go:build !unix

package host

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// Without signals, the end of a plugin is its Cancel, or this.

func interruptGroup(p *os.Process) { _ = p.Kill() }
func killGroup(p *os.Process)      { _ = p.Kill() }
