// Package fileguard tells whether files are still those that were looked at,
// without reading them: by what the system knows of them.
package fileguard

import (
	"fmt"
	"io"
	"io/fs"
)

// Add writes what changes when a file does: its size in bytes, modification
// time, inode and, where the system keeps it, the time of the last change of
// any of these, which nobody can set; after a name that the caller chooses. It
// is a line, for a digest of several files. Errors of w are not reported, as a
// hash has none.
func Add(w io.Writer, name string, info fs.FileInfo) {
	number, changed := inode(info)
	fmt.Fprintf(w, "%q %d %d %d %d\n", name, info.Size(), info.ModTime().UnixNano(), number, changed)
}
