package outtree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Preflight reports, before any work, what would keep a later [Commit] from
// writing into dir: a place that cannot be written, files that are somebody
// else's, generated files that were edited. It finishes a commit that was
// interrupted. It leaves nothing behind but that.
func Preflight(dir string, opts Options) diag.List {
	c := &committer{opts: opts, step: func(string) error { return nil }}
	dir, state, err := settle(dir)
	if err != nil {
		return asList(err)
	}
	if state != dirUsed {
		return c.probe(dir, state)
	}
	if _, err := os.Lstat(filepath.Join(dir, metaDir)); errors.Is(err, fs.ErrNotExist) {
		if diags := c.refusal(dir, nil); diags.HasErrors() {
			return diags
		}
		return c.probe(dir, state)
	}
	root, unlock, err := c.open(dir)
	if err != nil {
		return c.explain(dir, err)
	}
	defer unlock()
	known, diags := c.ready(root, dir)
	if diags.HasErrors() {
		return diags
	}
	if err := tryWrite(dir); err != nil {
		return diag.List{unwritable(dir, err)}
	}
	_, _, diags = conflicts(root, nil, c.accepted(root, known))
	return diags
}

// probe tries to write where the first thing would be written: into dir, or
// into the nearest directory above it that exists.
func (c *committer) probe(dir string, state dirState) diag.List {
	place := dir
	if state == dirAbsent {
		for {
			place = filepath.Dir(place)
			info, err := os.Stat(place)
			if err == nil && !info.IsDir() {
				return diag.List{notDirectory(place)}
			}
			if err == nil || place == filepath.Dir(place) {
				break
			}
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
				return diag.List{unwritable(dir, err)}
			}
		}
	}
	if err := tryWrite(place); err != nil {
		return diag.List{unwritable(dir, err)}
	}
	return nil
}

// tryWrite makes a directory and removes it: permissions alone do not tell
// whether that can be done.
func tryWrite(dir string) error {
	probe, err := os.MkdirTemp(dir, ".formation-probe-")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}
