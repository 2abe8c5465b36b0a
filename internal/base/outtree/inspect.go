package outtree

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/formation-iac/formation/internal/base/diag"
)

// onDisk is what stands at one path of the directory.
type onDisk struct {
	exists bool
	sha256 string
	mode   fs.FileMode
}

// inspect looks at one path without following links. What is neither absent
// nor a regular file is a diagnostic; a path behind a file is one too.
func inspect(root *os.Root, name string) (onDisk, error) {
	if err := plainParents(root, name); err != nil {
		return onDisk{}, err
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return onDisk{}, nil
	case err != nil:
		return onDisk{}, err
	case !info.Mode().IsRegular():
		return onDisk{}, irregular(name, describeMode(info.Mode()))
	}
	sum, err := hashFile(root, name)
	if errors.Is(err, fs.ErrPermission) {
		err = unreadable(name, err)
	}
	return onDisk{exists: true, sha256: sum, mode: info.Mode().Perm()}, err
}

// plainParents refuses a path one of whose directories is a link or a file.
func plainParents(root *os.Root, name string) error {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		info, err := root.Lstat(name[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return irregular(name[:i], describeMode(info.Mode()))
		}
	}
	return nil
}

func describeMode(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a directory"
	case mode.IsRegular():
		return "a file"
	}
	return "not a regular file"
}

func hashFile(root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// conflicts lists every file that writing files over a directory with that
// manifest would lose. It returns the files that are to be written, which
// lack optional ones that stand in the way of something, and what is there.
func conflicts(root *os.Root, files []File, known manifest) (wanted []File, seen map[string]onDisk, diags diag.List) {
	seen = map[string]onDisk{}
	for _, f := range files {
		there, err := inspect(root, f.Path)
		seen[f.Path] = there
		if err == nil {
			err = refuse(f, there, known)
		}
		switch {
		case err != nil && f.Optional:
			if !there.exists || !holds(root, f) {
				diags = append(diags, kept(f))
			}
		case err != nil:
			diags = append(diags, asList(err)...)
		default:
			wanted = append(wanted, f)
		}
	}
	for _, name := range known.paths() {
		if _, done := seen[name]; done {
			continue
		}
		there, err := inspect(root, name)
		seen[name] = there
		if err == nil && there.exists && there.sha256 != known[name].SHA256 {
			err = edited(name)
		}
		if err != nil && !known[name].Optional {
			diags = append(diags, asList(err)...)
		}
	}
	return wanted, seen, diags
}

// holds tells whether the file that stands in the place of f has all its lines,
// comments left out.
func holds(root *os.Root, f File) bool {
	text, err := root.ReadFile(f.Path)
	if err != nil {
		return false
	}
	there := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		there[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(string(f.Data)) {
		if line = strings.TrimSpace(line); !there[line] && line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// refuse says why f may not replace what is there; nil where it may.
func refuse(f File, there onDisk, known manifest) error {
	ours, isOurs := known[f.Path]
	switch {
	case !there.exists || f.Aside || there.sha256 == Digest(f.Data):
		return nil
	case !isOurs:
		return foreign(f.Path)
	case there.sha256 != ours.SHA256:
		return edited(f.Path)
	}
	return nil
}

// newSyncing is work on several files at a time: a disk brings many to rest in
// hardly more time than one.
func newSyncing() *errgroup.Group {
	const atOnce = 16
	var group errgroup.Group
	group.SetLimit(atOnce)
	return &group
}

// syncDir makes renames in a directory last. Systems that cannot sync a
// directory say so with EINVAL, which is no fault.
func syncDir(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// writeSynced writes a new file and brings it to the disk. It is private
// until its content is there.
func writeSynced(root *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Sync()
}

// replaceFile writes a file beside its place and renames it there.
func replaceFile(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	temp := name + ".new"
	if err := root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(root, temp, data, mode); err != nil {
		_ = root.Remove(temp)
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return err
	}
	return syncDir(root, path.Dir(name))
}

// removeEmptyParents removes the directories above name that are empty.
func removeEmptyParents(root *os.Root, name string) {
	for dir := path.Dir(name); dir != "." && !strings.HasPrefix(dir, metaDir); dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			return
		}
	}
}
