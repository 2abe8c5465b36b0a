package outtree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"

	"github.com/formation-iac/formation/internal/base/diag"
)

// inPlace commits into a directory that is there.
func (c *committer) inPlace(ctx context.Context, dir string, files []File) (Summary, diag.List) {
	if diags := c.refusal(dir, files); diags.HasErrors() {
		return Summary{}, diags
	}
	root, unlock, err := c.open(dir)
	if err != nil {
		return Summary{}, c.explain(dir, err)
	}
	defer unlock()
	known, diags := c.ready(root, dir)
	if diags.HasErrors() {
		return Summary{}, diags
	}
	accepted := c.accepted(root, known)
	files, there, diags := conflicts(root, files, accepted)
	if diags.HasErrors() {
		return Summary{}, diags
	}
	j, summary := plan(files, accepted, there)
	if len(j.Writes) == 0 && len(j.Removals) == 0 && maps.Equal(known, manifestOf(files)) {
		return summary, diags
	}
	if err := c.stage(ctx, root, files, j); err != nil {
		unstage(root)
		return Summary{}, append(diags, c.explain(dir, err)...)
	}
	if err := c.finish(root, j); err != nil {
		return Summary{}, append(diags, unfinished(dir, err)...)
	}
	return summary, diags
}

// refusal says why a directory that we never wrote to cannot be used, before
// anything of ours is put into it.
func (c *committer) refusal(dir string, files []File) diag.List {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return c.explain(dir, err)
	}
	defer root.Close()
	if _, err := root.Lstat(metaDir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	names, err := c.claimedBy(root)
	if err != nil {
		return c.explain(dir, err)
	}
	if len(names) > 0 {
		return diag.List{claimed(dir, names)}
	}
	_, _, diags := conflicts(root, files, c.accepted(root, manifest{}))
	return diags
}

// accepted is what may be replaced or removed of that which a manifest
// remembers.
func (c *committer) accepted(root *os.Root, known manifest) manifest {
	return known.vouching(root, c.opts.Vouched).accepting(root, c.opts.Merged)
}

// open opens dir and keeps other runs out of it.
func (c *committer) open(dir string) (*os.Root, func(), error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := c.step("make " + metaDir); err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	if info, err := root.Lstat(metaDir); err == nil && !info.IsDir() {
		return nil, nil, errors.Join(irregular(metaDir, describeMode(info.Mode())), root.Close())
	}
	if err := root.MkdirAll(metaDir, 0o755); err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	lock, err := takeLock(dir, dir)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, func() { _ = lock.Close(); _ = root.Close() }, nil
}

// ready finishes what an interrupted run left and returns the manifest of a
// directory that may be written.
func (c *committer) ready(root *os.Root, dir string) (manifest, diag.List) {
	if err := c.recover(root); err != nil {
		return nil, unfinished(dir, err)
	}
	known, has, err := loadManifest(root)
	if err != nil {
		return nil, diag.List{badManifest(manifestPath, err)}
	}
	if has {
		return known, nil
	}
	names, err := c.claimedBy(root)
	if err != nil {
		return nil, c.explain(dir, err)
	}
	if len(names) > 0 {
		return nil, diag.List{claimed(dir, names)}
	}
	return known, nil
}

// claimedBy lists what makes the directory somebody else's, sorted. A copy of one
// that was written here is as good as that, whatever stands beside.
func (c *committer) claimedBy(root *os.Root) ([]string, error) {
	if len(c.opts.Vouched) > 0 {
		return nil, nil
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if c.opts.claims(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// plan says how to come from what is there to files.
func plan(files []File, known manifest, there map[string]onDisk) (journal, Summary) {
	next := manifestOf(files)
	j := journal{Version: manifestVersion, Manifest: next.file()}
	var summary Summary
	for i, f := range files {
		now, sum := there[f.Path], next[f.Path].SHA256
		if f.Aside {
			sum = Digest(f.Data)
		}
		if now.exists && now.sha256 == sum && now.mode == f.Mode {
			summary.Unchanged = append(summary.Unchanged, f.Path)
			continue
		}
		summary.Written = append(summary.Written, f.Path)
		j.Writes = append(j.Writes, journalWrite{Path: f.Path, Staged: fmt.Sprintf("%06d", i), SHA256: sum, Before: now.sha256})
	}
	for _, name := range known.paths() {
		now := there[name]
		if _, wanted := next[name]; !wanted && now.exists && now.sha256 == known[name].SHA256 {
			summary.Removed = append(summary.Removed, name)
			j.Removals = append(j.Removals, known[name])
		}
	}
	return j, summary
}

// stage writes the new files aside and, last, the journal. Before that
// nothing has happened.
func (c *committer) stage(ctx context.Context, root *os.Root, files []File, j journal) error {
	byPath := map[string]File{}
	for _, f := range files {
		byPath[f.Path] = f
	}
	if err := root.MkdirAll(stageDir, 0o700); err != nil {
		return err
	}
	staging := newSyncing()
	for _, w := range j.Writes {
		if err := errors.Join(ctx.Err(), c.step("stage "+w.Path)); err != nil {
			return errors.Join(err, staging.Wait())
		}
		f := byPath[w.Path]
		staging.Go(func() error { return writeSynced(root, path.Join(stageDir, w.Staged), f.Data, f.Mode) })
	}
	if err := staging.Wait(); err != nil {
		return err
	}
	if err := errors.Join(syncDir(root, stageDir), c.step("ignore")); err != nil {
		return err
	}
	if err := replaceFile(root, ignorePath, []byte("*\n"), 0o644); err != nil {
		return err
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := errors.Join(ctx.Err(), c.step("journal")); err != nil {
		return err
	}
	return replaceFile(root, journalPath, data, 0o600)
}

// unstage takes back a stage whose commit has not begun, and all that is ours
// where none ever was. The journal, which may be there although writing it
// failed, goes first.
func unstage(root *os.Root) {
	if err := root.Remove(journalPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	_ = root.RemoveAll(stageDir)
	if _, err := root.Lstat(manifestPath); errors.Is(err, fs.ErrNotExist) {
		_ = root.RemoveAll(metaDir)
	}
}
