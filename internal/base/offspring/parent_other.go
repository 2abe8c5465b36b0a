//go:build unix && !linux

package offspring

import "syscall"

// dieWithParent has no counterpart here: plugins look for their engine now and
// then, and end when it is gone.
func dieWithParent(*syscall.SysProcAttr) {}
