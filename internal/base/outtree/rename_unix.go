//go:build unix

package outtree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// renameDir moves from to to, which is absent or an empty directory whose
// permissions are kept. os.Rename refuses an empty one; the system does not.
func renameDir(from, to string) error {
	if info, err := os.Stat(to); err == nil {
		if err := os.Chmod(from, info.Mode().Perm()); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syscall.Rename(from, to)
}
