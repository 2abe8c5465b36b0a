//go:build unix

package discover

import (
	"os/exec"
	"syscall"
)

// stopWholeGroup lets the end of the context end what the shell started too.
func stopWholeGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
