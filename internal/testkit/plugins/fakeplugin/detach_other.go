//go:build !unix

package fakeplugin

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }
