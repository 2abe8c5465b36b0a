package outtree

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUnwritable says what helps: rights are no use on a full disk.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{syscall.ENOSPC: "make room", syscall.EROFS: "make this one writable"} {
		if got := unwritable("out", err).Detail; !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
}

// TestUnreadable holds that a file which cannot be looked at is not called one
// that cannot be written.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"main.tf": "x"})
	path := filepath.Join(dir, "main.tf")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		_ = f.Close()
		t.Skip("this user may read everything")
	}
	if diags := Preflight(dir, Options{}); len(diags) != 1 || diags[0].Code != "OT0016" {
		t.Error(diags)
	}
}
