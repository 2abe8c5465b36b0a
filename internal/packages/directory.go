package packages

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// directory is one that is written beside the one that it takes the place of.
// What was there stays until all is written; what a package manager put into
// it is made again.
type directory struct {
	path, fresh string
	// made is the outermost directory that had to be made for it; or "".
	made string
}

// newDirectory makes room for what is to be at path.
func newDirectory(path string) (*directory, error) {
	parent := filepath.Dir(path)
	d := &directory{path: path, made: outermostMissing(parent)}
	err := os.MkdirAll(parent, 0o755)
	if err == nil {
		d.fresh, err = os.MkdirTemp(parent, "."+filepath.Base(path)+"-*")
	}
	if err == nil {
		err = os.Chmod(d.fresh, 0o755)
	}
	if err != nil {
		d.drop()
		return nil, err
	}
	return d, nil
}

// outermostMissing is the first directory on the way to path that is not
// there; or "".
func outermostMissing(path string) (missing string) {
	for {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) || path == filepath.Dir(path) {
			return missing
		}
		missing, path = path, filepath.Dir(path)
	}
}

// write is a sink for files. It may be called concurrently.
func (d *directory) write(file sdkgen.File) error {
	relative := filepath.FromSlash(file.Path)
	if !filepath.IsLocal(relative) {
		return errors.New(file.Path + " leads out of the SDK")
	}
	name := filepath.Join(d.fresh, relative)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, file.Data, 0o644)
}

// install puts what was written in its place.
func (d *directory) install() error {
	old := d.fresh + ".old"
	if err := os.Rename(d.path, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer os.RemoveAll(old)
	return os.Rename(d.fresh, d.path)
}

// drop removes what was not put in place, and directories that were made for
// it and that are empty.
func (d *directory) drop() {
	if d.fresh != "" {
		_ = os.RemoveAll(d.fresh)
	}
	if d.made == "" {
		return
	}
	for dir := filepath.Dir(d.path); os.Remove(dir) == nil && dir != d.made; {
		dir = filepath.Dir(dir)
	}
}
