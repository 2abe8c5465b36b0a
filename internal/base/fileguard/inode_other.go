//go:build !unix

package fileguard

import "io/fs"

// inode is 0 where files have no such number: size and time guard alone.
func inode(fs.FileInfo) (number uint64, changed int64) { return 0, 0 }
