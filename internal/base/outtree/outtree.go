// Package outtree writes directories of generated files. A [Tree] is built
// in memory and committed as a whole: into a directory that appears by one
// rename where there was none, else file by file behind a journal, so that a
// commit that was cut short is finished by the next one.
//
// What was written is remembered in `.formation/manifest.json`. A file that
// is not in it, nor vouched for, or that was edited since, is never overwritten
// or removed;
// one that is in it and no longer wanted is removed. Symbolic links are not
// followed inside the directory.
package outtree

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// File is one file of a tree.
type File struct {
	// Path is relative, slash-separated and clean.
	Path string
	Data []byte
	// Mode has permission bits only.
	Mode fs.FileMode
	// Optional files give way: see [Tree.AddOptional].
	Optional bool
	// Without says what follows where an optional file gave way; may be "".
	Without string
	// Aside files are for people alone: see [Tree.AddAside].
	Aside bool
}

// Tree is a set of files. The zero value is empty and ready for use. It is
// not safe for concurrent use.
type Tree struct {
	files  map[string]File
	folded map[string]string // lower-case path, or parent directory, to path
}

// metaDir holds what this package remembers in the directory it writes.
const metaDir = ".formation"

// Add puts a file into t, which keeps data. A path that leaves the
// directory, that is there already (by letters of either case, since some
// file systems do not tell them apart), that is both a file and a directory,
// or that is reserved is a diagnostic, and t stays as it was.
func (t *Tree) Add(name string, data []byte, mode fs.FileMode) error {
	return t.add(File{Path: name, Data: data, Mode: mode.Perm()})
}

// AddOptional is [Tree.Add] for a file that people keep for themselves too,
// such as .gitignore: where one stands that we did not write, or that was
// edited, it stays. Unless that has all lines of data, the commit warns with
// what it would have written, and with what follows without it.
func (t *Tree) AddOptional(name string, data []byte, mode fs.FileMode, without string) error {
	return t.add(File{Path: name, Data: data, Mode: mode.Perm(), Optional: true, Without: without})
}

// AddAside is [Tree.Add] for a copy of what a commit replaces, by a name where
// such copies are known to be short-lived, as terraform.tfstate.backup: what
// stands there gives way, whoever wrote it, and no commit remembers or removes
// what it put there.
func (t *Tree) AddAside(name string, data []byte, mode fs.FileMode) error {
	return t.add(File{Path: name, Data: data, Mode: mode.Perm(), Aside: true})
}

func (t *Tree) add(f File) error {
	name := f.Path
	if !validPath(name) {
		return badPath(name)
	}
	low := strings.ToLower(name)
	if other, ok := t.folded[low]; ok {
		return duplicatePath(name, other)
	}
	for dir := path.Dir(low); dir != "."; dir = path.Dir(dir) {
		if other, ok := t.folded[dir]; ok && strings.ToLower(other) == dir {
			return duplicatePath(name, other)
		}
	}
	if t.files == nil {
		t.files, t.folded = map[string]File{}, map[string]string{}
	}
	t.files[name] = f
	for dir := low; dir != "."; dir = path.Dir(dir) {
		if _, ok := t.folded[dir]; !ok {
			t.folded[dir] = name
		}
	}
	return nil
}

// validPath reports whether name stays inside the directory on every system
// and out of what is reserved.
func validPath(name string) bool {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00") {
		return false
	}
	first, _, _ := strings.Cut(name, "/")
	return !strings.EqualFold(first, metaDir)
}

// Files lists the files, sorted by path. The data is not copied.
func (t *Tree) Files() []File {
	out := make([]File, 0, len(t.files))
	for _, f := range t.files {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// File returns one file, and whether it is there.
func (t *Tree) File(name string) (File, bool) {
	f, ok := t.files[name]
	return f, ok
}

// Options say how a directory may be used.
type Options struct {
	// Claims reports whether a file or directory by that name at the top of
	// the directory, which we did not write, makes the directory somebody
	// else's. Nil claims everything whose name does not begin with a dot.
	Claims func(name string) bool
	// Merged has, by path, the content of files whose edits are in what is
	// committed. Where one that we wrote before stands as it says, edited or
	// not, it may be replaced or removed.
	Merged map[string][]byte
	// Vouched has, by path, the SHA-256 in hex of files that were written here
	// by what something else than the manifest says: the directory may be a copy,
	// which has none, or have come up to date with one. A file that stands so
	// counts as written; one that the manifest does not know and that stands
	// otherwise, as edited.
	Vouched map[string]string
}

func (o Options) claims(name string) bool {
	if o.Claims == nil {
		return !strings.HasPrefix(name, ".")
	}
	return name != metaDir && o.Claims(name)
}

// vouches reports whether something below that name was written by what
// Vouched says.
func (o Options) vouches(name string) bool {
	for path := range o.Vouched {
		if top, _, _ := strings.Cut(path, "/"); top == name {
			return true
		}
	}
	return false
}

// Summary says what a commit did. Paths are sorted.
type Summary struct {
	Written, Unchanged, Removed []string
}

// Digest is the SHA-256 of a file's text in hex, as the manifest has it and
// [Options.Vouched].
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// asList makes a list of an error that this package's constructors made.
func asList(err error) diag.List { return diag.FromError("OT0001", "Cannot write the output", err) }
