package outtree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/gofrs/flock"
)

// errNotFresh says that the directory cannot be made by a rename after all:
// it is a mount point, say, or another run has filled it.
var errNotFresh = errors.New("the directory cannot be replaced")

// freshName is where the new directory is made: beside the target, always
// by the same name, so that what a killed run left is cleared by the next.
func freshName(dir string) string {
	return filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".formation-new")
}

// fresh writes everything into a directory beside dir and renames that.
func (c *committer) fresh(ctx context.Context, dir string, files []File) (_ Summary, err error) {
	temp := freshName(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Summary{}, err
	}
	lock, err := c.prepareFresh(temp, dir)
	if errors.Is(err, fs.ErrNotExist) { // another run has just put it into its place
		return Summary{}, errors.Join(errNotFresh, err)
	}
	if err != nil {
		return Summary{}, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(temp)
		}
		_ = lock.Close()
	}()
	if err := c.fill(ctx, temp, files); err != nil {
		return Summary{}, err
	}
	if err := c.step("rename directory"); err != nil {
		return Summary{}, err
	}
	if err := renameDir(temp, dir); err != nil {
		return Summary{}, errors.Join(errNotFresh, err)
	}
	if parent, err := os.OpenRoot(filepath.Dir(dir)); err == nil {
		_ = syncDir(parent, ".") // the rename is done; a crash may undo it, whole
		_ = parent.Close()
	}
	var summary Summary
	for _, f := range files {
		summary.Written = append(summary.Written, f.Path)
	}
	return summary, nil
}

// prepareFresh makes the temporary directory for dir, empty but for its lock.
func (c *committer) prepareFresh(temp, dir string) (*flock.Flock, error) {
	if err := c.step("make directory"); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(temp); err == nil && !info.IsDir() {
		return nil, irregular(temp, describeMode(info.Mode()))
	}
	if err := os.MkdirAll(filepath.Join(temp, metaDir), 0o755); err != nil {
		return nil, err
	}
	lock, err := takeLock(temp, dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(temp)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	defer root.Close()
	if err := clearFresh(root); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// clearFresh removes what a killed run left.
func clearFresh(root *os.Root) error {
	for _, dir := range []string{".", metaDir} {
		entries, err := fs.ReadDir(root.FS(), dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if name == metaDir || name == lockPath {
				continue
			}
			if err := root.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill writes files, the manifest and what goes with it into an empty
// directory.
func (c *committer) fill(ctx context.Context, dir string, files []File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	dirs := map[string]bool{".": true, metaDir: true}
	writing := newSyncing()
	for _, f := range append(metaFiles(manifestOf(files)), files...) {
		if err := errors.Join(ctx.Err(), c.step("write "+f.Path)); err != nil {
			return errors.Join(err, writing.Wait())
		}
		for d := path.Dir(f.Path); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
		if err := root.MkdirAll(path.Dir(f.Path), 0o755); err != nil {
			return errors.Join(err, writing.Wait())
		}
		writing.Go(func() error { return writeSynced(root, f.Path, f.Data, f.Mode) })
	}
	if err := writing.Wait(); err != nil {
		return err
	}
	syncing := newSyncing()
	for d := range dirs {
		syncing.Go(func() error { return syncDir(root, d) })
	}
	return syncing.Wait()
}

// metaFiles are the files of metaDir that last. The manifest has hashes of
// files that may hold secrets, so it is private and never enters git.
func metaFiles(m manifest) []File {
	return []File{
		{Path: ignorePath, Data: []byte("*\n"), Mode: 0o644},
		{Path: manifestPath, Data: m.file().encode(), Mode: 0o600},
	}
}

// takeLock keeps other runs out of dir, whose metaDir exists and which is or
// becomes the target. The lock ends with the process.
func takeLock(dir, target string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, filepath.FromSlash(lockPath)))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.Join(busy(target), lock.Close())
	}
	return lock, nil
}
