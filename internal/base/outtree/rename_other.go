//go:build !unix

package outtree

import (
	"errors"
	"io/fs"
	"os"
)

// renameDir moves from to to, which is absent or an empty directory.
func renameDir(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(from, to)
}
