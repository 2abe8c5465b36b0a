package tfstate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Load reads a state file. A missing one has the code [CodeNotFound].
func Load(path string) (*State, diag.List) {
	src, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.List{notFound(path)}
	case err != nil:
		return nil, diag.List{unreadable(path, err)}
	}
	return Decode(src, path)
}

// SaveOptions loosen what Save refuses.
type SaveOptions struct {
	// Overwrite replaces whatever is there, states of others included.
	Overwrite bool
	// IgnoreLock writes although the state is locked.
	IgnoreLock bool
}

// Save writes a state file, mode 0600, whole or not at all. Unless told to,
// it does not replace a state of another lineage, one of an equal or higher
// serial with other content, or a file that is no state; and it does not
// write while another tool holds the lock, which it holds itself meanwhile.
// The same content is not written again.
func Save(path string, s *State, opts SaveOptions) diag.List {
	src, err := Encode(s)
	if err != nil {
		return diag.List{unwritable(path, err)}
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the file, not the link to it
	}
	if !opts.IgnoreLock {
		release, diags := acquireLock(path)
		if diags.HasErrors() {
			return diags
		}
		defer release()
	}
	same, diags := mayReplace(path, s, src, opts)
	if diags.HasErrors() || same {
		return diags
	}
	if err := replaceFile(path, src); err != nil {
		return append(diags, unwritable(path, err))
	}
	return diags
}

// mayReplace looks at what is there. same says that it is just this state.
func mayReplace(path string, s *State, src []byte, opts SaveOptions) (same bool, diags diag.List) {
	old, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, diag.List{unreadable(path, err)}
	case bytes.Equal(old, src):
		return true, diag.FromError(CodeUnwritable, "State file cannot be made private", os.Chmod(path, 0o600))
	case opts.Overwrite || len(bytes.TrimSpace(old)) == 0:
		return false, nil
	}
	there, decodeDiags := Decode(old, path)
	switch {
	case decodeDiags.HasErrors():
		return false, append(diag.List{foreignContent(path)}, decodeDiags...)
	case there.Lineage != s.Lineage:
		return false, diag.List{foreignLineage(path, there.Lineage, s.Lineage)}
	case there.Serial >= s.Serial:
		return false, diag.List{staleSerial(path, there.Serial, s.Serial)}
	}
	return false, nil
}

// replaceFile writes a file next to its target, makes sure that it is on
// disk, and then gives it the name: readers see the old file or the new.
func replaceFile(path string, src []byte) (err error) {
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".tmp-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if _, err = tmp.Write(src); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err = tmp.Sync(); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename last. Systems that cannot sync a directory say so
// and lose nothing else.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // the file is in place
	}
	_ = d.Sync()
	return d.Close()
}
