//go:build unix

package fileguard

import (
	"io/fs"
	"syscall"
)

// inode is the file's, and when that was last changed, in nanoseconds.
func inode(info fs.FileInfo) (number uint64, changed int64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino), changeTime(stat) //nolint:unconvert // 32 bits wide on some systems
	}
	return 0, 0
}
