package e2e_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// programsOf lays out formation as a release does: with its plugins beside it.
func programsOf(t *testing.T, dir string) string {
	t.Helper()
	for _, command := range []string{"cmd/formation", "cmd/pulumi-resource-terraform-bridge"} {
		program := build.Command(t, command)
		place(t, filepath.Join(dir, filepath.Base(program)), program)
	}
	return dir
}

// place puts a program at a path: a copy, since a program finds what is beside
// it where its links lead to.
func place(t *testing.T, path, program string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Link(program, path) == nil {
		return
	}
	if err := os.WriteFile(path, []byte(get(t, program)), 0o755); err != nil {
		t.Fatal(err)
	}
}

// pluginsOf fills a directory with plugins as a server has them: the resource
// plugin fake 1.0.0 and 1.1.0, and the tool fake 1.0.0. As files they are in
// the directory "bare".
func pluginsOf(t *testing.T, dir string) string {
	t.Helper()
	program := build.Binary(t, "pulumi-fake")
	for _, p := range []struct{ kind, version string }{{"resource", "1.0.0"}, {"resource", "1.1.0"}, {"tool", "1.0.0"}} {
		name := "pulumi-" + p.kind + "-fake"
		bare := filepath.Join(dir, "bare", name)
		if _, err := os.Stat(bare); errors.Is(err, os.ErrNotExist) {
			place(t, bare, program)
		}
		archive := fmt.Sprintf("%s-v%s-%s-%s.tar.gz", name, p.version, runtime.GOOS, runtime.GOARCH)
		put(t, filepath.Join(dir, archive), packed(t, name, get(t, program)))
	}
	return dir
}

// packed is a .tar.gz archive of one program.
func packed(t *testing.T, name, program string) string {
	t.Helper()
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(zipped)
	err = w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = w.Write([]byte(program))
	}
	if err := errors.Join(err, w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
