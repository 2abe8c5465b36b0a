package outtree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
)

// treeOf makes a tree of texts; names ending in "secret" are private.
func treeOf(t *testing.T, texts map[string]string) *Tree {
	t.Helper()
	tree := &Tree{}
	for name, text := range texts {
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(name, "secret") {
			mode = 0o600
		}
		if err := tree.Add(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

// contents reads a directory back, without what this package keeps.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() && name == metaDir {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func commit(t *testing.T, dir string, texts map[string]string) (Summary, diag.List) {
	t.Helper()
	return Commit(t.Context(), dir, treeOf(t, texts), Options{})
}

func mustCommit(t *testing.T, dir string, texts map[string]string) Summary {
	t.Helper()
	summary, diags := commit(t, dir, texts)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return summary
}

func codes(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		out = append(out, d.Code+" "+d.Summary)
	}
	return out
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	first  = map[string]string{"main.tf": "one", "sub/a.tf": "a", "old.tf": "old", "state.secret": "s1"}
	second = map[string]string{"main.tf": "two", "sub/b.tf": "b", "state.secret": "s1", "new.tf": "new"}
)

func TestAdd(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"main.tf": "OT0003", "MAIN.tf": "OT0003", "main.tf/x": "OT0003", "Dir": "OT0003", "dir": "OT0003",
		"../x": "OT0002", "/x": "OT0002", "a/../b": "OT0002", "": "OT0002", ".": "OT0002", "a\\b": "OT0002",
		".formation/x": "OT0002", ".Formation": "OT0002", "c:x": "OT0002", "dir/b": "", "x": "",
	}
	for name, want := range tests {
		tree := treeOf(t, map[string]string{"main.tf": "", "dir/a": ""})
		got := ""
		if err := tree.Add(name, nil, 0o644); err != nil {
			got = diag.FromError("", "", err)[0].Code
		}
		if got != want {
			t.Errorf("Add(%q): %q, want %q", name, got, want)
		}
		if n := len(tree.Files()); n != 2 && want != "" {
			t.Errorf("Add(%q) left %d files", name, n)
		}
	}
}

func TestCommitInto(t *testing.T) {
	t.Parallel()
	tests := map[string]func(dir string) error{
		"absent directory":       func(string) error { return nil },
		"absent parents":         func(string) error { return nil },
		"empty directory":        func(dir string) error { return os.Mkdir(dir, 0o750) },
		"directory of dot files": func(dir string) error { return os.MkdirAll(filepath.Join(dir, ".git"), 0o755) },
		"link to a directory": func(dir string) error {
			if err := os.Mkdir(dir+"-real", 0o755); err != nil {
				return err
			}
			return os.Symlink(dir+"-real", dir)
		},
		"leftover of a killed run": func(dir string) error { return os.MkdirAll(freshName(dir)+"/.formation/junk", 0o755) },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			if name == "absent parents" {
				dir = filepath.Join(dir, "a", "b")
			}
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			if diags := Preflight(dir, Options{}); len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			summary := mustCommit(t, dir, first)
			if d := cmp.Diff(Summary{Written: []string{"main.tf", "old.tf", "state.secret", "sub/a.tf"}}, summary); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(first, contents(t, dir)); d != "" {
				t.Error(d)
			}
			if info, err := os.Stat(filepath.Join(dir, "state.secret")); err != nil || info.Mode().Perm() != 0o600 {
				t.Error(info, err)
			}
			if _, err := os.Stat(freshName(dir)); err == nil {
				t.Error("the temporary directory is still there")
			}
		})
	}
}

func TestCommitAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, first)
	put(t, filepath.Join(dir, "mine.tf"), "mine")
	if d := cmp.Diff(Summary{
		Written: []string{"main.tf", "new.tf", "sub/b.tf"}, Unchanged: []string{"state.secret"}, Removed: []string{"old.tf", "sub/a.tf"},
	}, mustCommit(t, dir, second)); d != "" {
		t.Error(d)
	}
	want := map[string]string{"mine.tf": "mine"}
	for name, text := range second {
		want[name] = text
	}
	if d := cmp.Diff(want, contents(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Summary{Unchanged: []string{"main.tf", "new.tf", "state.secret", "sub/b.tf"}}, mustCommit(t, dir, second)); d != "" {
		t.Error(d)
	}
	for _, left := range []string{"stage", "journal.json", "manifest.json.new"} {
		if _, err := os.Stat(filepath.Join(dir, metaDir, left)); err == nil {
			t.Errorf("%s is still there", left)
		}
	}
}

func TestCommitRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		prepare       func(t *testing.T, dir string)
		want          []string
		wantPreflight []string
	}{
		"somebody else's directory": {
			prepare:       func(t *testing.T, dir string) { put(t, filepath.Join(dir, "readme"), "x") },
			want:          []string{"OT0006 DIR holds files that were not written here"},
			wantPreflight: []string{"OT0006 DIR holds files that were not written here"},
		},
		"edited files": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, first)
				put(t, filepath.Join(dir, "main.tf"), "mine")
				put(t, filepath.Join(dir, "old.tf"), "mine")
			},
			want:          []string{"OT0008 main.tf was changed since it was written", "OT0008 old.tf was changed since it was written"},
			wantPreflight: []string{"OT0008 main.tf was changed since it was written", "OT0008 old.tf was changed since it was written"},
		},
		"a foreign file in the way": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, first)
				put(t, filepath.Join(dir, "new.tf"), "mine")
			},
			want: []string{"OT0007 new.tf was not written here"},
		},
		"a directory in the way": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, first)
				put(t, filepath.Join(dir, "new.tf", "x"), "mine")
			},
			want: []string{"OT0009 new.tf is a directory"},
		},
		"a link in the way": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, first)
				put(t, dir+"-victim", "victim")
				if err := os.Symlink(dir+"-victim", filepath.Join(dir, "new.tf")); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"OT0009 new.tf is a symbolic link"},
		},
		"a linked directory in the way": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, map[string]string{"main.tf": "one"})
				if err := os.MkdirAll(dir+"-victim", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(dir+"-victim", filepath.Join(dir, "sub")); err != nil {
					t.Fatal(err)
				}
			},
			want: []string{"OT0009 sub is a symbolic link"},
		},
		"a linked memory": {
			prepare: func(t *testing.T, dir string) {
				if err := os.MkdirAll(dir+"-victim", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(dir+"-victim", filepath.Join(dir, metaDir)); err != nil {
					t.Fatal(err)
				}
			},
			want:          []string{"OT0009 .formation is a symbolic link"},
			wantPreflight: []string{"OT0009 .formation is a symbolic link"},
		},
		"a file": {
			prepare:       func(t *testing.T, dir string) { put(t, dir, "x") },
			want:          []string{"OT0005 DIR is not a directory"},
			wantPreflight: []string{"OT0005 DIR is not a directory"},
		},
		"behind a file": {
			prepare:       func(t *testing.T, dir string) { put(t, filepath.Dir(dir), "x") },
			want:          []string{"OT0004 Cannot write to DIR"},
			wantPreflight: []string{"OT0005 PARENT is not a directory"},
		},
		"a broken manifest": {
			prepare: func(t *testing.T, dir string) {
				mustCommit(t, dir, first)
				put(t, filepath.Join(dir, manifestPath), `{"version":1,"files":[{"path":"../../etc/passwd","sha256":""}]}`)
			},
			want:          []string{"OT0010 Cannot read .formation/manifest.json"},
			wantPreflight: []string{"OT0010 Cannot read .formation/manifest.json"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "parent", "out")
			if name != "behind a file" {
				if err := os.Mkdir(filepath.Dir(dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			tt.prepare(t, dir)
			names := strings.NewReplacer(dir, "DIR", filepath.Dir(dir), "PARENT")
			before := snapshot(t, filepath.Dir(filepath.Dir(dir)))
			preflight := codes(Preflight(dir, Options{}))
			_, diags := commit(t, dir, second)
			for i := range preflight {
				preflight[i] = names.Replace(preflight[i])
			}
			got := codes(diags)
			for i := range got {
				got[i] = names.Replace(got[i])
			}
			if d := cmp.Diff(tt.wantPreflight, preflight); d != "" {
				t.Errorf("preflight: %s", d)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("commit: %s", d)
			}
			if d := cmp.Diff(before, snapshot(t, filepath.Dir(filepath.Dir(dir)))); d != "" {
				t.Errorf("something was changed: %s", d)
			}
		})
	}
}

// snapshot reads a directory whole, links as their targets.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			out[path], err = os.Readlink(path)
		case d.Type().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			out[path] = string(data)
		default:
			out[path] = "directory"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCommitAfterMovingAway(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, first)
	if err := os.Rename(filepath.Join(dir, "main.tf"), filepath.Join(dir, "main.bak")); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, dir, second)
	if got := contents(t, dir)["main.tf"]; got != "two" {
		t.Error(got)
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	put(t, filepath.Join(dir, "README.md"), "x")
	opts := Options{Claims: func(name string) bool { return strings.HasSuffix(name, ".tf") }}
	if diags := Preflight(dir, opts); diags.HasErrors() {
		t.Error(diags.Err())
	}
	put(t, filepath.Join(dir, "x.tf"), "x")
	if diags := Preflight(dir, opts); !diags.HasErrors() {
		t.Error("somebody else's configuration went unnoticed")
	}
}

func TestOptionalFilesGiveWay(t *testing.T) {
	t.Parallel()
	tree := &Tree{}
	if err := errors.Join(tree.Add("main.tf", []byte("one"), 0o644), tree.AddOptional(".gitignore", []byte("# Ours.\n*.tfstate\n"), 0o644, "Git takes it.")); err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []bool{true, false} {
		dir := filepath.Join(t.TempDir(), "out")
		if !foreign {
			if _, diags := Commit(t.Context(), dir, tree, Options{}); len(diags) > 0 {
				t.Fatal(diags.Err())
			}
		}
		put(t, filepath.Join(dir, ".gitignore"), "mine")
		if diags := Preflight(dir, Options{}); len(diags) > 0 {
			t.Error(diags.Err())
		}
		for range 2 {
			_, diags := Commit(t.Context(), dir, tree, Options{})
			if d := cmp.Diff([]string{"OT0015 .gitignore stays as it is"}, codes(diags)); d != "" || diags.HasErrors() || !strings.Contains(diags[0].Detail, "Git takes it.") {
				t.Error(d, diags)
			}
		}
		if d := cmp.Diff(map[string]string{"main.tf": "one", ".gitignore": "mine"}, contents(t, dir)); d != "" {
			t.Error(d)
		}
		put(t, filepath.Join(dir, ".gitignore"), "mine\n*.tfstate")
		if _, diags := Commit(t.Context(), dir, tree, Options{}); len(diags) > 0 {
			t.Errorf("it has all lines, and yet: %v", diags)
		}
	}
}

func TestCommitCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, prepared := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "out")
		if prepared {
			mustCommit(t, dir, first)
		}
		_, diags := Commit(ctx, dir, treeOf(t, second), Options{})
		if d := cmp.Diff([]string{"OT0014 The output was not written"}, codes(diags)); d != "" {
			t.Error(d)
		}
		if prepared {
			if d := cmp.Diff(first, contents(t, dir)); d != "" {
				t.Error(d)
			}
		} else if _, err := os.Stat(dir); err == nil {
			t.Error("something was written")
		}
	}
}

func TestCommitsExcludeEachOther(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, first)
	lock, err := takeLock(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	_, diags := commit(t, dir, second)
	if d := cmp.Diff([]string{"OT0011 " + dir + " is being written by another run"}, codes(diags)); d != "" {
		t.Error(d)
	}
}

// TestCommitsAtOnce lets several runs meet in one new directory: each is done
// or says that another is at work.
func TestCommitsAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		dir := filepath.Join(t.TempDir(), "out")
		results := make(chan diag.List)
		for range 4 {
			tree := treeOf(t, first)
			go func() {
				_, diags := Commit(t.Context(), dir, tree, Options{})
				results <- diags
			}()
		}
		done := 0
		for range 4 {
			diags := <-results
			switch {
			case len(diags) == 0:
				done++
			case diags[0].Code != "OT0011":
				t.Error(diags.Err())
			}
		}
		if d := cmp.Diff(first, contents(t, dir)); d != "" || done == 0 {
			t.Fatal(d, done)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(manifestOf([]File{{Path: "a"}, {Path: "c/d", Optional: true}}).file().encode())
	f.Add([]byte(`{"version":1,"files":[{"path":"../x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = decodeJournal(data)
		m, err := decodeManifest(data)
		if err != nil {
			return
		}
		again, err := decodeManifest(m.file().encode())
		if d := cmp.Diff(m, again); d != "" || err != nil {
			t.Fatal(d, err)
		}
		for name := range m {
			if !validPath(name) {
				t.Fatalf("%q leads out", name)
			}
		}
	})
}

// Edits that the caller merged may be replaced; any later one may not.
func TestMerged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"a.secret": "one", "main.tf": "x"})
	put(t, filepath.Join(dir, "a.secret"), "two")
	again := treeOf(t, map[string]string{"a.secret": "two and more", "main.tf": "x"})
	for _, test := range []struct {
		merged map[string][]byte
		want   []string
	}{
		{nil, []string{"OT0008 a.secret was changed since it was written"}},
		{map[string][]byte{"a.secret": []byte("another")}, []string{"OT0008 a.secret was changed since it was written"}},
		{map[string][]byte{"a.secret": []byte("two")}, nil},
	} {
		opts := Options{Merged: test.merged}
		if d := cmp.Diff(test.want, codes(Preflight(dir, opts))); d != "" {
			t.Error(d)
		}
		_, diags := Commit(t.Context(), dir, again, opts)
		if d := cmp.Diff(test.want, codes(diags)); d != "" {
			t.Error(d)
		}
	}
	if d := cmp.Diff(map[string]string{"a.secret": "two and more", "main.tf": "x"}, contents(t, dir)); d != "" {
		t.Error(d)
	}
	if info, err := os.Stat(filepath.Join(dir, "a.secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A merged file that is committed as it stands counts as written by us, and
// one that is no longer wanted goes.
func TestMergedAsItStands(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"a.secret": "one"})
	put(t, filepath.Join(dir, "a.secret"), "two")
	opts := Options{Merged: map[string][]byte{"a.secret": []byte("two")}}
	if _, diags := Commit(t.Context(), dir, treeOf(t, map[string]string{"a.secret": "two"}), opts); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	if ours, same := Remembers(dir, "a.secret", []byte("two")); !ours || !same {
		t.Error("it is not remembered as it stands")
	}
	put(t, filepath.Join(dir, "a.secret"), "three")
	if ours, same := Remembers(dir, "a.secret", []byte("three")); !ours || same {
		t.Error("an edit counts as written")
	}
	opts.Merged["a.secret"] = []byte("three")
	summary, diags := Commit(t.Context(), dir, treeOf(t, nil), opts)
	if d := cmp.Diff(Summary{Removed: []string{"a.secret"}}, summary); d != "" || diags.HasErrors() {
		t.Error(d, diags.Err())
	}
}

// What we never wrote is nobody's to merge.
func TestMergedForeign(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	mustCommit(t, dir, map[string]string{"main.tf": "x"})
	put(t, filepath.Join(dir, "a.secret"), "theirs")
	opts := Options{Merged: map[string][]byte{"a.secret": []byte("theirs")}}
	_, diags := Commit(t.Context(), dir, treeOf(t, map[string]string{"a.secret": "ours"}), opts)
	if d := cmp.Diff([]string{"OT0007 a.secret was not written here"}, codes(diags)); d != "" {
		t.Error(d)
	}
}
