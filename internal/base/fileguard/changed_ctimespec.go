//go:build darwin || freebsd || netbsd

package fileguard

import (
	"io/fs"
	"syscall"
)

// changed is when the file was last changed, in nanoseconds.
func changed(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec.Nano()
	}
	return 0
}
