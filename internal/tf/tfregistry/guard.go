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
// path is that of then. A record that cannot be written costs the next run
// time and nothing else.
func (r *Registry) remembered(path string, compute func(string) (string, error)) (string, error) {
	before, err := guard(path)
	if err != nil {
		return "", err
	}
	name := sha256.Sum256([]byte(path))
	recordPath := filepath.Join(r.opts.CacheDir, ".hashes", hex.EncodeToString(name[:16])+".json")
	var record hashRecord
	if wholefile.ReadJSON(recordPath, &record) == nil && record.Path == path && record.Guard == before && record.Hash != "" {
		return record.Hash, nil
	}
	hash, err := compute(path)
	if err != nil {
		return "", err
	}
	if after, err := guard(path); err == nil && after == before {
		_ = wholefile.WriteJSON(recordPath, hashRecord{Path: path, Guard: before, Hash: hash})
	}
	return hash, nil
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
