package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// member is one entry of a tar archive made for a test: a regular file where
// kind is 0.
type member struct {
	name, content, link string
	kind                byte
	mode                int64
}

func makeTarGz(t testing.TB, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	for _, m := range members {
		header := &tar.Header{Name: m.name, Linkname: m.link, Typeflag: m.kind, Mode: m.mode, Size: int64(len(m.content))}
		if m.kind == tar.TypeXGlobalHeader {
			header = &tar.Header{Typeflag: m.kind, PAXRecords: map[string]string{"comment": "made by git"}}
		}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// untarInSandbox unpacks src below a fresh directory. It returns the regular
// files and links that appeared anywhere in the sandbox, relative to where
// they should be.
func untarInSandbox(t testing.TB, src []byte) (appeared []string, err error) {
	t.Helper()
	sandbox := t.TempDir()
	in, dir := filepath.Join(sandbox, "in.tar.gz"), filepath.Join(sandbox, "a", "b", "out")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(in, src, 0o600)); err != nil {
		t.Fatal(err)
	}
	err = unpackTarGz(small, in, dir)
	walkErr := filepath.WalkDir(sandbox, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == in {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		appeared = append(appeared, rel)
		if real, broken := filepath.EvalSymlinks(path); broken == nil && err == nil {
			rel, err = filepath.Rel(dir, real)
			appeared = append(appeared, rel) // where it leads
		}
		return err
	})
	if walkErr != nil {
		t.Fatal(walkErr)
	}
	return appeared, err
}

func TestHostileTarGz(t *testing.T) {
	t.Parallel()
	many := make([]member, 101)
	for i := range many {
		many[i] = member{name: fmt.Sprintf("f%d", i)}
	}
	good := member{name: "program", content: "x", mode: 0o755}
	zeros := strings.Repeat("\x00", 2<<20)
	cases := map[string]struct {
		src  []byte
		want string
	}{
		"parent":                      {makeTarGz(t, good, member{name: "../evil", content: "x"}), "leads outside"},
		"inner parent":                {makeTarGz(t, good, member{name: "a/../../evil", content: "x"}), "leads outside"},
		"parent that returns":         {makeTarGz(t, good, member{name: "a/../b", content: "x"}), "leads outside"},
		"absolute":                    {makeTarGz(t, good, member{name: "/tmp/evil", content: "x"}), "leads outside"},
		"backslash":                   {makeTarGz(t, good, member{name: `..\evil`, content: "x"}), "leads outside"},
		"drive":                       {makeTarGz(t, good, member{name: "C:/evil", content: "x"}), "leads outside"},
		"link to the root":            {makeTarGz(t, good, member{name: "l", kind: tar.TypeSymlink, link: "/etc/passwd"}), "leads outside"},
		"link out":                    {makeTarGz(t, good, member{name: "a/l", kind: tar.TypeSymlink, link: "../../x"}), "leads outside"},
		"links in a chain":            {makeTarGz(t, member{name: "a/b/up", kind: tar.TypeSymlink, link: "../.."}, member{name: "a/b/q", kind: tar.TypeSymlink, link: "up/../../x"}), "leads outside"},
		"link to nothing":             {makeTarGz(t, good, member{name: "l", kind: tar.TypeSymlink}), "leads outside"},
		"behind a link":               {makeTarGz(t, member{name: "d/x", content: "x"}, member{name: "l", kind: tar.TypeSymlink, link: "d"}, member{name: "l/y", content: "x"}), "both as a file and as a directory"},
		"behind a link in caps":       {makeTarGz(t, member{name: "L", kind: tar.TypeSymlink, link: "d"}, member{name: "l/y", content: "x"}), "both as a file and as a directory"},
		"link in the place of a file": {makeTarGz(t, good, member{name: "program", kind: tar.TypeSymlink, link: "x"}), "twice"},
		"hard link":                   {makeTarGz(t, good, member{name: "h", kind: tar.TypeLink, link: "program"}), "neither a file"},
		"device":                      {makeTarGz(t, good, member{name: "dev", kind: tar.TypeBlock}), "neither a file"},
		"pipe":                        {makeTarGz(t, good, member{name: "pipe", kind: tar.TypeFifo}), "neither a file"},
		"twice":                       {makeTarGz(t, good, good), "twice"},
		"twice but for case":          {makeTarGz(t, good, member{name: "PROGRAM", content: "y"}), "twice"},
		"file as directory":           {makeTarGz(t, good, member{name: "program/more", content: "x"}), "both as a file and as a directory"},
		"directory as file":           {makeTarGz(t, member{name: "a/b", content: "x"}, member{name: "a", content: "x"}), "twice"},
		"too many":                    {makeTarGz(t, many...), "more than 100 entries"},
		"bomb":                        {makeTarGz(t, member{name: "program", content: zeros}), "would unpack to"},
		"summed bomb":                 {makeTarGz(t, member{name: "a", content: zeros[:600<<10]}, member{name: "b", content: zeros[:600<<10]}), "would unpack to more"},
		"not an archive":              {[]byte("#!/bin/sh"), "not a readable tar.gz"},
		"cut":                         {makeTarGz(t, good)[:60], "not a readable tar.gz"},
		"damaged":                     {damaged(makeTarGz(t, good)), "is damaged"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			appeared, err := untarInSandbox(t, c.src)
			var refused *Refusal
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) {
				t.Errorf("got %v", err)
			}
			wantLocal(t, appeared)
		})
	}
}

// damaged breaks the checksum at the end of a compressed stream.
func damaged(src []byte) []byte {
	src[len(src)-8] ^= 1
	return src
}

// wantLocal fails where a file is outside of the directory.
func wantLocal(t *testing.T, appeared []string) {
	t.Helper()
	for _, path := range appeared {
		if !filepath.IsLocal(path) {
			t.Errorf("%s was written", path)
		}
	}
}

// TestDiskFaults has something in the way of what is unpacked: the error says
// where.
func TestDiskFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src    []byte
		unpack func(max limits, src, dir string) error
	}{
		"file":           {makeTarGz(t, member{name: "sub/it", content: "x"}), unpackTarGz},
		"directory":      {makeTarGz(t, member{name: "sub/it/more/", kind: tar.TypeDir}), unpackTarGz},
		"link":           {makeTarGz(t, member{name: "sub/it", kind: tar.TypeSymlink, link: "other"}), unpackTarGz},
		"file in a zip":  {makeZip(t, entry{name: "sub/it", content: "x"}), unpackZip},
		"below in a zip": {makeZip(t, entry{name: "sub/it/more", content: "x"}), unpackZip},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			src, inTheWay := filepath.Join(dir, "src"), filepath.Join(dir, "out", "sub", "it")
			if err := errors.Join(os.MkdirAll(filepath.Dir(inTheWay), 0o755), os.WriteFile(inTheWay, nil, 0o600), os.WriteFile(src, c.src, 0o600)); err != nil {
				t.Fatal(err)
			}
			err := c.unpack(small, src, filepath.Join(dir, "out"))
			var fault *os.PathError
			if !errors.As(err, &fault) || !strings.HasPrefix(fault.Path, inTheWay) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestHonestTarGz(t *testing.T) {
	t.Parallel()
	src := makeTarGz(t,
		member{kind: tar.TypeXGlobalHeader},
		member{name: "./", kind: tar.TypeDir, mode: 0o755},
		member{name: "./docs/", kind: tar.TypeDir, mode: 0o700},
		member{name: "./docs/a/README", content: "hi", mode: 0o600},
		member{name: "docs/", kind: tar.TypeDir, mode: 0o700},
		member{name: "bin/run", kind: tar.TypeSymlink, link: "../program"},
		member{name: "program", content: "x", mode: 0o6755})
	in, dir := filepath.Join(t.TempDir(), "in.tar.gz"), t.TempDir()
	if err := os.WriteFile(in, src, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := UnpackTarGz(in, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"docs/a/README": "hi", "program": "x", "bin/run": "x"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "program"))
	if err != nil || info.Mode() != 0o755 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// FuzzUnpackTarGz holds that whatever an archive says, nothing appears outside
// of the directory it is unpacked into, and every link leads inside.
func FuzzUnpackTarGz(f *testing.F) {
	f.Add(untarred(f, makeTarGz(f, member{name: "program", content: "x", mode: 0o755})))
	f.Add(untarred(f, makeTarGz(f, member{name: "../x", content: "x"}, member{name: "a/b", content: "x"})))
	f.Add(untarred(f, makeTarGz(f, member{name: "l", kind: tar.TypeSymlink, link: "a"}, member{name: "l/x", content: "x"})))
	f.Add(untarred(f, makeTarGz(f, member{kind: tar.TypeXGlobalHeader}, member{name: "x", kind: tar.TypeLink, link: "y"})))
	f.Fuzz(func(t *testing.T, src []byte) {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write(src); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		appeared, _ := untarInSandbox(t, zipped.Bytes())
		wantLocal(t, appeared)
	})
}

// untarred takes the compression off, so that the fuzzer reaches what is
// inside.
func untarred(t testing.TB, src []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
