package install

import (
	"os"
	"path/filepath"
	"testing"
)

// TestIsBelow has errors of files, of links, and others.
func TestIsBelow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, here := os.Open(filepath.Join(dir, "none"))
	_, elsewhere := os.Open(filepath.Join(filepath.Dir(dir), "none"))
	_, relative := os.DirFS(dir).Open("none")
	for err, want := range map[error]bool{
		here: true, os.Symlink("file", filepath.Join(dir, "file")): true,
		elsewhere: false, relative: false, os.ErrNotExist: false,
	} {
		if isBelow(dir, err) != want {
			t.Errorf("%v: %t", err, !want)
		}
	}
}
