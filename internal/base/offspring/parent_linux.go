package offspring

import "syscall"

// dieWithParent has the system tell a process to end when this program dies
// without having done so.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
