package outtree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// journal is a commit that has begun: what remains to be done after the
// files were staged. Every step can be done twice.
type journal struct {
	Version  int            `json:"version"`
	Removals []manifestItem `json:"removals"` // SHA256 is what must be there
	Writes   []journalWrite `json:"writes"`
	Manifest manifestFile   `json:"manifest"`
}

// journalWrite moves a staged file into place. Before is the SHA-256 of what
// it replaces, or "".
type journalWrite struct {
	Path   string `json:"path"`
	Staged string `json:"staged"`
	SHA256 string `json:"sha256"`
	Before string `json:"before"`
}

// decodeJournal reads a journal, which may come from anywhere.
func decodeJournal(data []byte) (journal, error) {
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return j, err
	}
	if j.Version != manifestVersion {
		return j, fmt.Errorf("it has version %d; this program knows %d", j.Version, manifestVersion)
	}
	for _, r := range j.Removals {
		if !validPath(r.Path) {
			return j, fmt.Errorf("it has the path %q, which is not inside the directory", r.Path)
		}
	}
	for _, w := range j.Writes {
		if !validPath(w.Path) || path.Base(w.Staged) != w.Staged || strings.Trim(w.Staged, "0123456789") != "" {
			return j, fmt.Errorf("it has the paths %q and %q, which are not inside the directory", w.Path, w.Staged)
		}
	}
	if _, err := decodeManifest(j.Manifest.encode()); err != nil {
		return j, err
	}
	return j, nil
}

// recover finishes the commit that a journal describes, or clears away one
// that had not come so far.
func (c *committer) recover(root *os.Root) error {
	data, err := root.ReadFile(journalPath)
	if errors.Is(err, fs.ErrNotExist) {
		return root.RemoveAll(stageDir)
	}
	if err != nil {
		return err
	}
	j, err := decodeJournal(data)
	if err != nil {
		return badManifest(journalPath, err)
	}
	return c.finish(root, j)
}

// finish does what the journal says and removes it.
func (c *committer) finish(root *os.Root, j journal) error {
	dirs := map[string]bool{}
	for _, r := range j.Removals {
		if err := c.step("remove " + r.Path); err != nil {
			return err
		}
		if err := remove(root, r); err != nil {
			return err
		}
	}
	for _, w := range j.Writes {
		if err := c.step("move " + w.Path); err != nil {
			return err
		}
		if err := moveIntoPlace(root, w); err != nil {
			return err
		}
		dirs[path.Dir(w.Path)] = true
	}
	for dir := range dirs {
		if err := syncDir(root, dir); err != nil {
			return err
		}
	}
	return c.close(root, j)
}

// close writes the manifest and forgets the journal.
func (c *committer) close(root *os.Root, j journal) error {
	if err := c.step("manifest"); err != nil {
		return err
	}
	if err := replaceFile(root, manifestPath, j.Manifest.encode(), 0o600); err != nil {
		return err
	}
	if err := c.step("forget journal"); err != nil {
		return err
	}
	if err := root.Remove(journalPath); err != nil {
		return err
	}
	if err := c.step("clear stage"); err != nil {
		return err
	}
	return errors.Join(root.RemoveAll(stageDir), syncDir(root, metaDir))
}

func remove(root *os.Root, r manifestItem) error {
	there, err := inspect(root, r.Path)
	if err != nil || !there.exists {
		return err
	}
	if there.sha256 != r.SHA256 {
		return changedMeanwhile(r.Path)
	}
	if err := root.Remove(r.Path); err != nil {
		return err
	}
	removeEmptyParents(root, r.Path)
	return nil
}

func moveIntoPlace(root *os.Root, w journalWrite) error {
	staged := path.Join(stageDir, w.Staged)
	if _, err := root.Lstat(staged); errors.Is(err, fs.ErrNotExist) {
		return nil // moved before the interruption
	}
	there, err := inspect(root, w.Path)
	if err != nil {
		return err
	}
	if there.exists && there.sha256 != w.Before && there.sha256 != w.SHA256 {
		return changedMeanwhile(w.Path)
	}
	if err := root.MkdirAll(path.Dir(w.Path), 0o755); err != nil {
		return err
	}
	return root.Rename(staged, w.Path)
}

// unfinished reports a fault after the point of no return.
func unfinished(dir string, err error) diag.List {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok {
		return diag.List{d}
	}
	return diag.List{interruptedCommit(dir, err)}
}
