//go:build linux || openbsd || dragonfly || solaris

package fileguard

import (
	"io/fs"
	"syscall"
)

// changed is when the file was last changed, in nanoseconds.
func changed(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctim.Nano()
	}
	return 0
}
