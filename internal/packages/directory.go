package packages

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// room is a directory that SDKs are written into, held against other processes
// that write into it, or into the files that name its SDKs.
type room struct {
	dir string
	// made is the outermost directory that had to be made for it; or "".
	made    string
	release func()
}

// enter waits until nobody else is in a room, and makes it.
func enter(ctx context.Context, dir string) (*room, diag.List) {
	r := &room{dir: dir, made: outermostMissing(dir)}
	release, err := filelock.Acquire(ctx, r.lock(), "SDKs in "+dir)
	if err != nil {
		return nil, diag.List{cannotWrite(dir, err)}
	}
	r.release = release
	return r, nil
}

func (r *room) lock() string { return filepath.Join(r.dir, ".lock") }

// leave lets others in. A room that was made, and in which nothing is, goes.
func (r *room) leave() {
	_ = os.Remove(r.lock())
	r.release()
	if r.made == "" {
		return
	}
	for dir := r.dir; os.Remove(dir) == nil && dir != r.made; {
		dir = filepath.Dir(dir)
	}
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

// directory is one that is written beside the one that it takes the place of.
// What was there stays until all is written.
type directory struct{ path, fresh string }

// newDirectory makes place for what is to be at path, in a room that is held:
// what others left there who were ended is nobody's, and goes.
func newDirectory(path string) (*directory, error) {
	parent, prefix := filepath.Dir(path), "."+filepath.Base(path)+"-"
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(parent, entry.Name())); err != nil {
			return nil, err
		}
	}
	fresh, err := os.MkdirTemp(parent, prefix+"*")
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

// install puts what was written in its place. Where the same is there already
// it stays, with what package managers and compilers made of it.
func (d *directory) install() error {
	if d.isThere() {
		return nil
	}
	old := d.fresh + ".old"
	if err := os.Rename(d.path, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer os.RemoveAll(old)
	return os.Rename(d.fresh, d.path)
}

// errDiffers ends a comparison.
var errDiffers = errors.New("it is something else")

// isThere reports whether what was written is in place: the same files, and no
// others but in directories that are made of an SDK.
func (d *directory) isThere() bool {
	if _, err := os.Lstat(d.path); err != nil {
		return false
	}
	same := each(d.fresh, func(way string, dir bool) error {
		if dir {
			return nil
		}
		fresh, err := os.ReadFile(filepath.Join(d.fresh, way))
		if err != nil {
			return err
		}
		there, err := os.ReadFile(filepath.Join(d.path, way))
		if err == nil && !bytes.Equal(fresh, there) {
			return errDiffers
		}
		return err
	})
	if same != nil {
		return false
	}
	return each(d.path, func(way string, dir bool) error {
		_, err := os.Lstat(filepath.Join(d.fresh, way))
		if err != nil && dir && isMade(filepath.Base(way)) {
			return fs.SkipDir
		}
		return err
	}) == nil
}

// each calls f for all that is in a directory, by the way to it.
func each(root string, f func(way string, dir bool) error) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		way, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return f(way, entry.IsDir())
	})
}

// isMade reports whether package managers and compilers make directories of
// that name.
func isMade(name string) bool {
	return slices.Contains([]string{"node_modules", "bin", "obj", "target", "build", "__pycache__"}, name) || strings.HasSuffix(name, ".egg-info")
}

// drop removes what was not put in place.
func (d *directory) drop() { _ = os.RemoveAll(d.fresh) }
