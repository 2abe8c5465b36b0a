package outtree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A directory without a manifest, whose files something else vouches for, is
// written as if it had one: what stands as it was written is replaced or
// removed, and what was edited is not.
func TestVouched(t *testing.T) {
	t.Parallel()
	opts := Options{Vouched: map[string]string{
		"main.tf": Digest([]byte("one")), "old.tf": Digest([]byte("old")), "gone.tf": Digest([]byte("gone")), "../up.tf": Digest([]byte("up")),
	}}
	next := treeOf(t, map[string]string{"main.tf": "two"})
	dir := t.TempDir()
	put(t, filepath.Join(dir, "main.tf"), "one")
	put(t, filepath.Join(dir, "old.tf"), "edited")
	for range 2 {
		want := []string{"OT0008 old.tf was changed since it was written"}
		if d := cmp.Diff(want, codes(Preflight(dir, opts))); d != "" {
			t.Error(d)
		}
		if _, diags := Commit(t.Context(), dir, next, opts); cmp.Diff(want, codes(diags)) != "" {
			t.Error(diags)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, metaDir)); err == nil {
		t.Error("a refusal left something behind")
	}
	put(t, filepath.Join(dir, "theirs.tf"), "theirs")
	if _, diags := Commit(t.Context(), dir, treeOf(t, map[string]string{"theirs.tf": "ours"}), opts); !slices.Contains(codes(diags), "OT0007 theirs.tf was not written here") {
		t.Error(diags)
	}
	put(t, filepath.Join(dir, "old.tf"), "old")
	if diags := Preflight(dir, opts); diags.HasErrors() {
		t.Error(diags)
	}
	summary, diags := Commit(t.Context(), dir, next, opts)
	if d := cmp.Diff(Summary{Written: []string{"main.tf"}, Removed: []string{"old.tf"}}, summary); d != "" || diags.HasErrors() {
		t.Error(d, diags)
	}
	if ours, same := Remembers(dir, "main.tf", []byte("two")); !ours || !same {
		t.Error("it is not remembered from now on")
	}
}

// What is vouched for counts beside what is remembered: another copy was
// written, and has come here.
func TestVouchedBesideManifest(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"main.tf": "one", "kept.tf": "one"})
	put(t, filepath.Join(dir, "main.tf"), "pulled")
	put(t, filepath.Join(dir, "new.tf"), "pulled")
	opts := Options{Vouched: map[string]string{"main.tf": Digest([]byte("pulled")), "new.tf": Digest([]byte("pulled")), "kept.tf": Digest([]byte("another"))}}
	others, err := Others(dir, opts)
	if err != nil || len(others) > 0 {
		t.Error(others, err)
	}
	summary, diags := Commit(t.Context(), dir, treeOf(t, map[string]string{"main.tf": "two", "kept.tf": "one"}), opts)
	want := Summary{Written: []string{"main.tf"}, Unchanged: []string{"kept.tf"}, Removed: []string{"new.tf"}}
	if d := cmp.Diff(want, summary); d != "" || diags.HasErrors() {
		t.Error(d, diags)
	}
	put(t, filepath.Join(dir, "main.tf"), "edited")
	if _, diags := Commit(t.Context(), dir, treeOf(t, map[string]string{"main.tf": "two", "kept.tf": "one"}), opts); len(diags) == 0 || diags[0].Code != "OT0008" {
		t.Error(diags)
	}
}
