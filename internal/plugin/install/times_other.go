//go:build !linux && !darwin

package install

import (
	"io/fs"
	"time"
)

// changeTime is when a file changed last.
func changeTime(info fs.FileInfo) time.Time { return info.ModTime() }

// accessTime is not known.
func accessTime(fs.FileInfo) time.Time { return time.Time{} }
