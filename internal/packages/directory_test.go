package packages

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDirectoryStays has a directory stay where the same is written again, and
// go where anything of it differs.
func TestDirectoryStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		there, fresh []string
		stays        bool
	}{
		"the same":             {[]string{"a.ts", "m/b.ts"}, []string{"a.ts", "m/b.ts"}, true},
		"made of it":           {[]string{"a.ts", "m/b.ts", "bin/a.js", "node_modules/x/y", "m/__pycache__/z", "x.egg-info/z"}, []string{"a.ts", "m/b.ts"}, true},
		"nothing":              {nil, []string{"a.ts"}, false},
		"one less":             {[]string{"a.ts"}, []string{"a.ts", "m/b.ts"}, false},
		"one more":             {[]string{"a.ts", "m/b.ts"}, []string{"a.ts"}, false},
		"a module called bin":  {[]string{"a.ts", "bin/old.ts"}, []string{"a.ts", "bin/new.ts"}, false},
		"a file for directory": {[]string{"m"}, []string{"m/b.ts"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x")
			for _, file := range c.there {
				putFile(t, filepath.Join(path, file), file)
			}
			d, err := newDirectory(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range c.fresh {
				putFile(t, filepath.Join(d.fresh, file), file)
			}
			if got := d.isThere(); got != c.stays {
				t.Errorf("it stays: %t", got)
			}
			if err := d.install(); err != nil {
				t.Fatal(err)
			}
			d.drop()
			for _, file := range append(c.fresh, keptOf(c.stays, c.there)...) {
				if got, err := os.ReadFile(filepath.Join(path, file)); err != nil || string(got) != file {
					t.Errorf("%s: %q, %v", file, got, err)
				}
			}
		})
	}
	path := filepath.Join(t.TempDir(), "x")
	putFile(t, filepath.Join(path, "a.ts"), "old")
	d, err := newDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, filepath.Join(d.fresh, "a.ts"), "new")
	if d.isThere() {
		t.Error("another text stays")
	}
}

func keptOf(stays bool, files []string) []string {
	if stays {
		return files
	}
	return nil
}

func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
