package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is one member of an archive made for a test.
type entry struct {
	name    string
	content string
	mode    fs.FileMode
}

func makeZip(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			header.SetMode(e.mode)
		}
		f, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if e.content == "" {
			continue
		}
		if _, err := f.Write([]byte(e.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// understate makes an archive that declares less than it holds: both of the
// places where the size stands are overwritten.
func understate(t testing.TB, content string, declared uint32) []byte {
	t.Helper()
	src := makeZip(t, entry{name: "program", content: content})
	size := []byte{byte(len(content)), byte(len(content) >> 8), byte(len(content) >> 16), byte(len(content) >> 24)}
	lie := []byte{byte(declared), byte(declared >> 8), byte(declared >> 16), byte(declared >> 24)}
	if bytes.Count(src, size) < 2 {
		t.Fatal("the archive does not hold its size twice")
	}
	return bytes.ReplaceAll(src, size, lie)
}

// unpackInSandbox unpacks src below a fresh directory and returns the files
// that appeared anywhere in it, relative to where they should be.
func unpackInSandbox(t testing.TB, max limits, src []byte) (appeared []string, err error) {
	t.Helper()
	sandbox := t.TempDir()
	archive, dir := filepath.Join(sandbox, "in.zip"), filepath.Join(sandbox, "a", "b", "out")
	if err := os.WriteFile(archive, src, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	err = unpackZip(max, archive, dir)
	walkErr := filepath.WalkDir(sandbox, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == archive {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		appeared = append(appeared, rel)
		return err
	})
	if walkErr != nil {
		t.Fatal(walkErr)
	}
	return appeared, err
}

// small are limits that tests reach fast.
var small = limits{files: 100, bytes: 1 << 20}

func TestLimits(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64]int64{0: 64 << 20, 1 << 20: 100 << 20, 200 << 20: 4 << 30} {
		if got := limitsFor(size, 1).bytes; got != want {
			t.Errorf("%d: got %d, want %d", size, got, want)
		}
	}
}

func TestHostileArchives(t *testing.T) {
	t.Parallel()
	many := make([]entry, 101)
	for i := range many {
		many[i] = entry{name: fmt.Sprintf("f%d", i)}
	}
	zeros := strings.Repeat("\x00", 2<<20)
	good := entry{name: "program", content: "x", mode: 0o755}
	cases := map[string]struct {
		src  []byte
		want string
	}{
		"parent":              {makeZip(t, good, entry{name: "../evil", content: "x"}), "leads outside"},
		"inner parent":        {makeZip(t, good, entry{name: "a/../../evil", content: "x"}), "leads outside"},
		"parent that returns": {makeZip(t, good, entry{name: "a/../b", content: "x"}), "leads outside"},
		"absolute":            {makeZip(t, good, entry{name: "/tmp/evil", content: "x"}), "leads outside"},
		"backslash":           {makeZip(t, good, entry{name: `..\evil`, content: "x"}), "leads outside"},
		"drive":               {makeZip(t, good, entry{name: "C:/evil", content: "x"}), "leads outside"},
		"empty name":          {makeZip(t, good, entry{name: "", content: "x"}), "leads outside"},
		"symbolic link":       {makeZip(t, entry{name: "link", content: "/etc", mode: fs.ModeSymlink | 0o777}, entry{name: "link/passwd", content: "x"}), "neither a file nor a directory"},
		"device":              {makeZip(t, good, entry{name: "dev", mode: fs.ModeDevice | 0o600}), "neither a file nor a directory"},
		"pipe":                {makeZip(t, good, entry{name: "pipe", mode: fs.ModeNamedPipe | 0o600}), "neither a file nor a directory"},
		"twice":               {makeZip(t, good, good), "twice"},
		"twice but for case":  {makeZip(t, good, entry{name: "PROGRAM", content: "y"}), "twice"},
		"file as directory":   {makeZip(t, good, entry{name: "program/more", content: "x"}), "both as a file and as a directory"},
		"too many":            {makeZip(t, many...), "101 entries"},
		"declared bomb":       {makeZip(t, entry{name: "program", content: zeros}), "would unpack to"},
		"summed bomb":         {makeZip(t, entry{name: "a", content: zeros[:600<<10]}, entry{name: "b", content: zeros[:600<<10]}), "would unpack to more"},
		"undeclared bomb":     {understate(t, zeros, 10), "cannot be unpacked"},
		"not an archive":      {[]byte("#!/bin/sh"), "not a readable zip"},
		"cut":                 {makeZip(t, good)[:40], "not a readable zip"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			appeared, err := unpackInSandbox(t, small, c.src)
			var refused *Refusal
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) {
				t.Errorf("got %v", err)
			}
			for _, path := range appeared {
				if !filepath.IsLocal(path) {
					t.Errorf("%s was written", path)
				}
			}
		})
	}
}

func TestHonestArchive(t *testing.T) {
	t.Parallel()
	src := makeZip(t, entry{name: "docs/", mode: fs.ModeDir | 0o755}, entry{name: "docs/a/README", content: "hi"},
		entry{name: "program", content: "x", mode: 0o755 | fs.ModeSetuid})
	appeared, err := unpackInSandbox(t, small, src)
	if err != nil || strings.Join(appeared, " ") != "docs/a/README program" {
		t.Errorf("%q, %v", appeared, err)
	}
}

// FuzzUnpack holds that whatever an archive says, nothing appears outside of
// the directory it is unpacked into, and no link within.
func FuzzUnpack(f *testing.F) {
	f.Add(makeZip(f, entry{name: "program", content: "x", mode: 0o755}))
	f.Add(makeZip(f, entry{name: "../x", content: "x"}, entry{name: "a/b", content: "x"}))
	f.Add(makeZip(f, entry{name: "l", content: "../..", mode: fs.ModeSymlink | 0o777}, entry{name: "l/x", content: "x"}))
	f.Add(understate(f, strings.Repeat("ab", 5000), 7))
	f.Fuzz(func(t *testing.T, src []byte) {
		appeared, _ := unpackInSandbox(t, small, src)
		for _, path := range appeared {
			if !filepath.IsLocal(path) {
				t.Errorf("%s was written", path)
			}
		}
	})
}
