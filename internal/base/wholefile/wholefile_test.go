package wholefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

type note struct {
	Text string `json:"text"`
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "note.json")
	for _, want := range []note{{"one"}, {"two"}} {
		if err := wholefile.WriteJSON(path, want); err != nil {
			t.Fatal(err)
		}
		var got note
		if err := wholefile.ReadJSON(path, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestReplaceKeepsWhatItCannotReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "taken", "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Replace(filepath.Join(dir, "taken"), []byte("x"), 0o600); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestSHA256(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if err := wholefile.Replace(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := wholefile.SHA256(path)
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := wholefile.SHA256(path + ".gone"); err == nil {
		t.Error("a file that is not there has a hash")
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write := func(err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, _ = io.WriteString(w, "half")
			return err
		}
	}
	failure := errors.New("no more ink")
	if err := wholefile.Stream(path, 0o600, write(failure)); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := wholefile.Stream(path, 0o600, write(nil)); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "half" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRewriteKeepsLinkAndPermissions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	for path, mode := range map[string]os.FileMode{link: 0o640, filepath.Join(dir, "new"): 0o644} {
		if err := wholefile.Rewrite(path, []byte("after")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "after" {
		t.Errorf("the target has %q, %v", got, err)
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, name := range []string{"a.json", ".a.json.tmp-1", ".a.json.tmp-2", ".b.json.tmp-1", "a.json.tmp-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(wholefile.Clear(path), wholefile.Clear(filepath.Join(dir, "none", "c"))); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, ".b.json.tmp-1"), filepath.Join(dir, "a.json"), filepath.Join(dir, "a.json.tmp-1")}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
}
