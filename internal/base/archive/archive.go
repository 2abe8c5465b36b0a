// Package archive unpacks archives from outside. What an honest package never
// has is refused: names that lead elsewhere, devices, duplicates, links to
// places outside, too much of anything. Whatever an archive says, nothing
// appears outside of the directory that it is unpacked into.
package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// limits bound what an archive may unpack to.
type limits struct {
	// files is how many entries, bytes how much content it may have; bytes
	// counts from what is declared and again from what comes out.
	files int
	bytes int64
}

// limitsFor allows what packages need with room to spare: content a hundred
// times the archive's size, at least 64 MiB, at most 4 GiB.
func limitsFor(archiveSize int64, files int) limits {
	return limits{files: files, bytes: min(max(100*archiveSize, 64<<20), 4<<30)}
}

// Refusal is why an archive is refused. Other errors of this package are of
// the disk: each is an *os.PathError whose path says where.
type Refusal struct {
	// Reason is a clause whose subject "it" is the archive.
	Reason string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Refuse makes a *Refusal.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// ledger holds what of an archive was admitted so far. Names are compared
// without case, as some file systems do.
type ledger struct {
	max      limits
	count    int
	declared int64
	kinds    map[string]bool // name → is a directory
}

func newLedger(max limits) *ledger { return &ledger{max: max, kinds: map[string]bool{}} }

// admit takes one more entry, or says why not.
func (l *ledger) admit(entry string, isDir bool, size int64) error {
	if l.count++; l.count > l.max.files {
		return Refuse("it has more than %d entries", l.max.files)
	}
	if err := checkName(entry); err != nil {
		return err
	}
	name := strings.ToLower(path.Clean(entry))
	if wasDir, dup := l.kinds[name]; dup && !(wasDir && isDir) {
		return Refuse("it holds %q twice", entry)
	}
	l.kinds[name] = isDir
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		if parentIsDir, found := l.kinds[parent]; found && !parentIsDir {
			return Refuse("it holds %q both as a file and as a directory", parent)
		}
		l.kinds[parent] = true
	}
	if size < 0 || size > l.max.bytes {
		return Refuse("%q would unpack to %d bytes; at most %d are accepted", entry, size, l.max.bytes)
	}
	if l.declared += size; l.declared > l.max.bytes {
		return Refuse("it would unpack to more than %d bytes", l.max.bytes)
	}
	return nil
}

func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, "\\\x00") || strings.Contains(name, ":") ||
		path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)) || hasDotDot(name) {
		return Refuse("it holds %q, a name that leads outside of the package", name)
	}
	return nil
}

func hasDotDot(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// writeFile writes one file below root, which no path can leave. left counts
// down the bytes that may still come.
func writeFile(root *os.Root, entry string, mode fs.FileMode, in io.Reader, left *int64) error {
	name, err := makeParent(root, entry)
	if err != nil {
		return err
	}
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644|mode.Perm()&0o111)
	if err != nil {
		return err
	}
	err = copyBounded(out, in, entry, left)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}

// located says of an error of the disk where it is: some of a root's are about
// paths below dir.
func located(dir string, err error) error {
	var link *os.LinkError
	if errors.As(err, &link) {
		err = &os.PathError{Op: link.Op, Path: link.New, Err: link.Err}
	}
	var fault *os.PathError
	if errors.As(err, &fault) && !strings.HasPrefix(fault.Path, dir) {
		return &os.PathError{Op: fault.Op, Path: filepath.Join(dir, fault.Path), Err: fault.Err}
	}
	return err
}

// makeParent returns an entry's path below root, whose directory exists then.
func makeParent(root *os.Root, entry string) (string, error) {
	name := filepath.FromSlash(path.Clean(entry))
	if parent := filepath.Dir(name); parent != "." {
		return name, root.MkdirAll(parent, 0o755)
	}
	return name, nil
}

func copyBounded(out io.Writer, in io.Reader, name string, left *int64) error {
	n, err := io.Copy(out, io.LimitReader(in, *left+1))
	*left -= n
	if *left < 0 {
		return Refuse("%q unpacks to more than it declares, beyond what is accepted", name)
	}
	var diskFault *os.PathError
	if err != nil && !errors.As(err, &diskFault) {
		return Refuse("%q cannot be unpacked: %s", name, err)
	}
	return err
}
