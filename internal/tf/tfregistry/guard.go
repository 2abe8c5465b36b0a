package tfregistry

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/formation-iac/formation/internal/base/fileguard"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// guard digests the names, sizes, modification times and inodes of a file,
// or of all files under a directory: while it is unchanged, the contents are
// taken to be so too, and hashes taken earlier still stand.
func guard(path string) (string, error) {
	// Mirrors and plugin caches are often made of links to directories.
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return nil
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		fileguard.Add(h, filepath.ToSlash(rel), info)
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashRecord remembers hashes of a file or directory outside of the cache.
type hashRecord struct {
	Path  string `json:"path"`
	Guard string `json:"guard"`
	// Hash is what hashing gave: hexadecimal SHA-256 of a file, "h1:…" of a
	// directory.
	Hash string `json:"hash"`
}

// remembered returns compute(path), from an earlier run where the guard of
// path is that of then.
func (r *Registry) remembered(path string, compute func(string) (string, error)) (string, error) {
	record, err := r.recall(path)
	if err == nil && record.Hash == "" {
		record, err = r.complete(record, compute)
	}
	return record.Hash, err
}

// recall returns what path is guarded by now, and the hash of an earlier run
// where that is the same.
func (r *Registry) recall(path string) (hashRecord, error) {
	now, err := guard(path)
	if err != nil {
		return hashRecord{}, err
	}
	var known hashRecord
	if wholefile.ReadJSON(r.hashPath(path), &known) == nil && known.Path == path && known.Guard == now {
		return known, nil
	}
	return hashRecord{Path: path, Guard: now}, nil
}

// complete adds the hash to a record, and remembers it unless path changed
// meanwhile. A record that cannot be written costs the next run time and
// nothing else.
func (r *Registry) complete(record hashRecord, compute func(string) (string, error)) (hashRecord, error) {
	hash, err := compute(record.Path)
	if err != nil {
		return hashRecord{}, err
	}
	record.Hash = hash
	if after, err := guard(record.Path); err == nil && after == record.Guard {
		_ = wholefile.WriteJSON(r.hashPath(record.Path), record)
	}
	return record, nil
}

// hashPath is where the hash of a file or directory is remembered.
func (r *Registry) hashPath(path string) string {
	name := sha256.Sum256([]byte(path))
	return filepath.Join(r.opts.CacheDir, ".hashes", hex.EncodeToString(name[:16])+".json")
}

// hashDir returns the "h1:" hash of an unpacked package. A link at dir itself
// is followed, as mirrors and plugin caches are often made of links.
func hashDir(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return dirhash.HashDir(real, "", dirhash.Hash1)
}
