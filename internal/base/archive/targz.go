package archive

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// UnpackTarGz extracts the compressed tar archive at src into dir, an empty
// directory. Entries are judged as they come, so that something may have been
// written below dir when the archive is refused. Symbolic links are kept where
// they lead to a place inside of the archive.
func UnpackTarGz(src, dir string) error {
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	// Plugins in scripting languages may bring thousands of modules along.
	return unpackTarGz(limitsFor(info.Size(), 200_000), src, dir)
}

func unpackTarGz(max limits, src, dir string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(bufio.NewReaderSize(in, 1<<20))
	if err != nil {
		return Refuse("it is not a readable tar.gz archive: %s", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	u := untar{root: root, seen: newLedger(max), left: max.bytes}
	entries := tar.NewReader(unzipped)
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return drain(unzipped)
		}
		if err != nil {
			return Refuse("it is not a readable tar.gz archive: %s", err)
		}
		if err := u.entry(header, entries); err != nil {
			return located(dir, err)
		}
	}
}

// drain reads to the end, where the checksum of the whole stands.
func drain(in io.Reader) error {
	if _, err := io.Copy(io.Discard, io.LimitReader(in, 1<<20)); err != nil {
		return Refuse("it is damaged: %s", err)
	}
	return nil
}

type untar struct {
	root *os.Root
	seen *ledger
	left int64
}

func (u *untar) entry(header *tar.Header, content io.Reader) error {
	name := strings.TrimPrefix(path.Clean(header.Name), "./")
	if name == "." && header.Typeflag == tar.TypeDir {
		return nil
	}
	if header.Typeflag == tar.TypeXGlobalHeader {
		return nil // a comment, as git writes them
	}
	if err := checkName(header.Name); err != nil {
		return err
	}
	if err := u.seen.admit(name, header.Typeflag == tar.TypeDir, header.Size); err != nil {
		return err
	}
	switch header.Typeflag {
	case tar.TypeDir:
		return u.root.MkdirAll(filepath.FromSlash(name), 0o755)
	case tar.TypeReg:
		return writeFile(u.root, name, header.FileInfo().Mode(), content, &u.left)
	case tar.TypeSymlink:
		return u.symlink(name, header.Linkname)
	}
	return Refuse("it holds %q, which is neither a file, a directory nor a symbolic link", name)
}

func (u *untar) symlink(name, target string) error {
	if !leadsInside(name, target) {
		return Refuse("it holds the link %q, which leads outside of the package", name)
	}
	path, err := makeParent(u.root, name)
	if err != nil {
		return err
	}
	return u.root.Symlink(filepath.FromSlash(target), path)
}

// leadsInside tells whether a link leads to a place inside of the archive.
// ".." may only begin its target: there it leaves directories of which the
// ledger holds that none is a link, so that the text says where it leads.
func leadsInside(name, target string) bool {
	inside := path.Join(path.Dir(name), target)
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\\:\x00") || !filepath.IsLocal(filepath.FromSlash(inside)) {
		return false
	}
	descended := false
	for part := range strings.SplitSeq(target, "/") {
		if part == ".." && descended {
			return false
		}
		descended = descended || part != ".." && part != "." && part != ""
	}
	return true
}

// CheckLinks refuses a directory that came from outside, and not from an
// archive, where a symbolic link in it leads out.
func CheckLinks(dir string) error {
	return filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() != fs.ModeSymlink {
			return err
		}
		target, err := os.Readlink(at)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		if !leadsInside(filepath.ToSlash(rel), filepath.ToSlash(target)) {
			return Refuse("it holds the link %q, which leads outside of the package", rel)
		}
		return nil
	})
}
