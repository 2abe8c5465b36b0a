package install

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when a file or its attributes changed last.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctimespec.Unix())
	}
	return info.ModTime()
}

// accessTime is when a file was read last, as far as the system notes that.
func accessTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Atimespec.Unix())
	}
	return time.Time{}
}
