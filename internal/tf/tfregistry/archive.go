package tfregistry

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
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

// limitsFor allows what compiled programs need with room to spare: content a
// hundred times the archive's size, at least 64 MiB, at most 4 GiB.
func limitsFor(archiveSize int64) limits {
	return limits{files: 10_000, bytes: min(max(100*archiveSize, 64<<20), 4<<30)}
}

// unpack extracts the zip archive at src into dir, an empty directory. What
// an honest provider package never has is refused before anything is
// written: names that lead elsewhere, links and devices, duplicates, too much
// of anything. Errors other than of the disk describe the archive.
func unpack(src, dir string) error {
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	return unpackWithin(limitsFor(info.Size()), src, dir)
}

func unpackWithin(max limits, src, dir string) error {
	r, err := zip.OpenReader(src)
	if err != nil {
		return hostile("it is not a readable zip archive: %s", err)
	}
	defer r.Close()
	if err := inspect(r.File, max); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := max.bytes
	for _, f := range r.File {
		if err := extract(root, f, &left); err != nil {
			return err
		}
	}
	return nil
}

// hostileArchive is the reason why an archive is refused.
type hostileArchive struct{ reason string }

func (e *hostileArchive) Error() string { return e.reason }

func hostile(format string, args ...any) error {
	return &hostileArchive{fmt.Sprintf(format, args...)}
}

// inspect checks the archive's directory. Names are compared without case,
// as some file systems do.
func inspect(files []*zip.File, max limits) error {
	if len(files) > max.files {
		return hostile("it has %d entries; at most %d are accepted", len(files), max.files)
	}
	var declared uint64
	kinds := map[string]bool{} // name → is a directory
	for _, f := range files {
		if err := checkEntry(f); err != nil {
			return err
		}
		name, isDir := strings.ToLower(path.Clean(f.Name)), f.FileInfo().IsDir()
		if wasDir, dup := kinds[name]; dup && !(wasDir && isDir) {
			return hostile("it holds %q twice", f.Name)
		}
		kinds[name] = isDir
		if f.UncompressedSize64 > uint64(max.bytes) {
			return hostile("%q would unpack to %d bytes; at most %d are accepted", f.Name, f.UncompressedSize64, max.bytes)
		}
		declared += f.UncompressedSize64
		if declared > uint64(max.bytes) {
			return hostile("it would unpack to more than %d bytes", max.bytes)
		}
	}
	for name := range kinds {
		for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
			if isDir, found := kinds[parent]; found && !isDir {
				return hostile("it holds %q both as a file and as a directory", parent)
			}
		}
	}
	return nil
}

func checkEntry(f *zip.File) error {
	name := f.Name
	if name == "" || strings.ContainsAny(name, "\\\x00") || strings.Contains(name, ":") ||
		path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)) || hasDotDot(name) {
		return hostile("it holds %q, a name that leads outside of the package", name)
	}
	mode := f.Mode()
	if !mode.IsRegular() && !mode.IsDir() {
		return hostile("it holds %q, which is neither a file nor a directory (%s)", name, mode.Type())
	}
	if mode.IsDir() != strings.HasSuffix(name, "/") {
		return hostile("it holds %q, whose name and kind disagree", name)
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

// extract writes one entry below root, which no path can leave. left counts
// down the bytes that may still come.
func extract(root *os.Root, f *zip.File, left *int64) error {
	name := filepath.FromSlash(path.Clean(f.Name))
	if f.FileInfo().IsDir() {
		return root.MkdirAll(name, 0o755)
	}
	if parent := filepath.Dir(name); parent != "." {
		if err := root.MkdirAll(parent, 0o755); err != nil {
			return err
		}
	}
	in, err := f.Open()
	if err != nil {
		return hostile("%q cannot be unpacked: %s", f.Name, err)
	}
	defer in.Close()
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644|f.Mode().Perm()&0o111)
	if err != nil {
		return err
	}
	err = copyBounded(out, in, f.Name, left)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}

func copyBounded(out io.Writer, in io.Reader, name string, left *int64) error {
	n, err := io.Copy(out, io.LimitReader(in, *left+1))
	*left -= n
	if *left < 0 {
		return hostile("%q unpacks to more than it declares, beyond what is accepted", name)
	}
	var diskFault *os.PathError
	if err != nil && !errors.As(err, &diskFault) {
		return hostile("%q cannot be unpacked: %s", name, err)
	}
	return err
}
