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
type directory struct{ path, fresh string }

// newDirectory makes room for what is to be at path.
func newDirectory(path string) (*directory, error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, err
	}
	fresh, err := os.MkdirTemp(parent, "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, err
	}
	return &directory{path: path, fresh: fresh}, os.Chmod(fresh, 0o755)
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

// drop removes what was not put in place.
func (d *directory) drop() { _ = os.RemoveAll(d.fresh) }
