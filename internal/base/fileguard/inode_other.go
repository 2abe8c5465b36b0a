//go:build !unix

package fileguard

import "io/fs"

// inode is 0 where files have no such number: size and time guard alone.
func inode(fs.FileInfo) uint64 { return 0 }
