package outtree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Commit makes dir hold the tree's files. Where dir is absent or empty they
// are written beside it and appear by one rename. Otherwise new files are
// staged inside dir, a journal is written, and then they are moved into
// place one by one; a kill before the journal changes nothing, and after it
// the next Commit or Preflight finishes the work. Where the list has errors
// nothing was changed, unless a diagnostic says that the work goes on at the
// next run. ctx is honoured until the point of no return.
func Commit(ctx context.Context, dir string, tree *Tree, opts Options) (Summary, diag.List) {
	c := &committer{opts: opts, step: func(string) error { return nil }}
	return c.commit(ctx, dir, tree.Files())
}

// committer is one commit. step is called with a name before every action
// that touches the disk.
type committer struct {
	opts Options
	step func(name string) error
}

func (c *committer) commit(ctx context.Context, dir string, files []File) (Summary, diag.List) {
	dir, state, err := settle(dir)
	if err != nil {
		return Summary{}, asList(err)
	}
	if state == dirAbsent || state == dirEmpty && !holdsWorkingDirectory(dir) {
		summary, err := c.fresh(ctx, dir, files)
		if !errors.Is(err, errNotFresh) {
			return summary, c.explain(dir, err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return Summary{}, diag.List{unwritable(dir, err)}
		}
	}
	return c.inPlace(ctx, dir, files)
}

// explain tells what the user can do about a fault of the environment.
func (c *committer) explain(dir string, err error) diag.List {
	if err == nil {
		return nil
	}
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		return diag.List{d}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return diag.List{cancelled(err)}
	}
	return diag.List{unwritable(dir, err)}
}

type dirState uint8

const (
	dirAbsent dirState = iota + 1
	dirEmpty
	dirUsed
)

// settle makes dir absolute, follows it where it is itself a link to a
// directory, and says what is there.
func settle(dir string) (string, dirState, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir, 0, unwritable(dir, err)
	}
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return abs, dirAbsent, nil
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return abs, 0, unwritable(abs, err)
	}
	entries, err := os.ReadDir(resolved)
	switch info, statErr := os.Stat(resolved); {
	case statErr == nil && !info.IsDir():
		return abs, 0, notDirectory(abs)
	case err != nil:
		return abs, 0, unwritable(abs, err)
	case len(entries) == 0:
		return resolved, dirEmpty, nil
	}
	return resolved, dirUsed, nil
}

// holdsWorkingDirectory reports whether this process works in dir or below.
// Such a directory is not replaced by another: the shell that started us
// would be left in one that is gone.
func holdsWorkingDirectory(dir string) bool {
	target, err := os.Stat(dir)
	if err != nil {
		return false
	}
	wd, err := os.Getwd()
	if err != nil {
		return true
	}
	for {
		if info, err := os.Stat(wd); err == nil && os.SameFile(info, target) {
			return true
		}
		parent := filepath.Dir(wd)
		if parent == wd {
			return false
		}
		wd = parent
	}
}
