//go:build unix

package fileguard

import (
	"io/fs"
	"syscall"
)

func inode(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino) //nolint:unconvert // 32 bits wide on some systems
	}
	return 0
}
