package archive

import (
	"archive/zip"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// UnpackZip extracts the zip archive at src into dir, an empty directory.
// What is refused is refused before anything is written. Links are refused.
func UnpackZip(src, dir string) error {
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	return unpackZip(limitsFor(info.Size(), 10_000), src, dir)
}

func unpackZip(max limits, src, dir string) error {
	r, err := zip.OpenReader(src)
	if err != nil {
		return Refuse("it is not a readable zip archive: %s", err)
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
			return located(dir, err)
		}
	}
	return nil
}

// inspect checks the archive's directory.
func inspect(files []*zip.File, max limits) error {
	if len(files) > max.files {
		return Refuse("it has %d entries; at most %d are accepted", len(files), max.files)
	}
	seen := newLedger(max)
	for _, f := range files {
		if err := checkName(f.Name); err != nil {
			return err
		}
		mode := f.Mode()
		if !mode.IsRegular() && !mode.IsDir() {
			return Refuse("it holds %q, which is neither a file nor a directory (%s)", f.Name, mode.Type())
		}
		if mode.IsDir() != strings.HasSuffix(f.Name, "/") {
			return Refuse("it holds %q, whose name and kind disagree", f.Name)
		}
		if err := seen.admit(f.Name, mode.IsDir(), int64(min(f.UncompressedSize64, 1<<62))); err != nil {
			return err
		}
	}
	return nil
}

func extract(root *os.Root, f *zip.File, left *int64) error {
	if f.FileInfo().IsDir() {
		return root.MkdirAll(filepath.FromSlash(path.Clean(f.Name)), 0o755)
	}
	in, err := f.Open()
	if err != nil {
		return Refuse("%q cannot be unpacked: %s", f.Name, err)
	}
	defer in.Close()
	return writeFile(root, f.Name, f.Mode(), in, left)
}
