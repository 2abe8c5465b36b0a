// Package golden compares output with files that were read and approved.
package golden

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare compares got with the file at path. With update it writes the file
// again; a run that changes it fails all the same, so that it cannot bless
// itself.
func Compare(t testing.TB, path string, got []byte, update bool) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !update {
		t.Fatal(err)
	}
	diff := cmp.Diff(string(want), string(got))
	if diff == "" {
		return
	}
	t.Errorf("%s (-want +got):\n%s", path, diff)
	if update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
