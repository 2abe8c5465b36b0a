package outtree

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A copy that is put aside takes the place of whatever is there, and is nobody's
// afterwards.
func TestAside(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	copied := filepath.Join(dir, "a.backup")
	mustCommit(t, dir, map[string]string{"a": "one"})
	put(t, copied, "theirs")
	for _, text := range []string{"one", "two"} {
		tree := treeOf(t, map[string]string{"a": text + " and more"})
		if err := tree.AddAside("a.backup", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		summary, diags := Commit(t.Context(), dir, tree, Options{})
		if d := cmp.Diff(Summary{Written: []string{"a", "a.backup"}}, summary); d != "" || len(diags) > 0 {
			t.Fatal(d, diags.Err())
		}
		if d := cmp.Diff(map[string]string{"a": text + " and more", "a.backup": text}, contents(t, dir)); d != "" {
			t.Error(d)
		}
		if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if ours, _ := Remembers(dir, "a.backup", nil); ours {
			t.Error("it is remembered")
		}
	}
	put(t, copied, "theirs again")
	if d := cmp.Diff(Summary{Written: []string{"a"}}, mustCommit(t, dir, map[string]string{"a": "three"})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"a": "three", "a.backup": "theirs again"}, contents(t, dir)); d != "" {
		t.Error(d)
	}
}

// What is no file does not give way.
func TestAsideOfDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"a": "one"})
	put(t, filepath.Join(dir, "a.backup", "b"), "theirs")
	tree := treeOf(t, map[string]string{"a": "two"})
	if err := tree.AddAside("a.backup", []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, diags := Commit(t.Context(), dir, tree, Options{}); !diags.HasErrors() {
		t.Error("it was committed")
	}
	if d := cmp.Diff(map[string]string{"a": "one", "a.backup/b": "theirs"}, contents(t, dir)); d != "" {
		t.Error(d)
	}
}
