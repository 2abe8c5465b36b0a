package tfdocs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/tf/tfdocs"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// lay writes files below a new directory.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"new": {
			"docs/index.md": "Sails.", "docs/resources/boat.md": "A boat.", "docs/resources/sea_whole.markdown": "A whole.",
			"docs/data-sources/boat.md": "Finds a boat.", "docs/ephemeral-resources/wave.md": "A wave.",
			"docs/functions/knots_per_hour.md": "Counts.", "docs/guides/boat.md": "No.", "docs/resources/boat.txt": "No.", "docs/other.md": "No.",
		},
		"old": {
			"website/docs/index.html.markdown": "Sails.", "website/docs/r/boat.html.md": "A boat.", "website/docs/r/sea_whole.md.html": "A whole.",
			"website/docs/d/boat.markdown": "Finds a boat.", "website/docs/ephemeral/wave.md": "A wave.", "website/docs/f/knots_per_hour.md": "Counts.",
			"docs/resources/boat.md": "Our own notes.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := tfdocs.ReadDirectory(lay(t, files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(all(), said(d.Open(t.Context()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBeside(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"in its directory":       {map[string]string{"a/b/docs/index.md": "Here.", "a/docs/index.md": "Above."}, "Here."},
		"around it":              {map[string]string{".git/HEAD": "", "a/docs/index.md": "Above."}, "Above."},
		"at the root":            {map[string]string{".git/HEAD": "", "docs/index.md": "Root."}, "Root."},
		"beyond the root":        {map[string]string{"a/.git": "gitdir: x", "docs/index.md": "Beyond."}, ""},
		"around no repository":   {map[string]string{"a/docs/index.md": "Above."}, ""},
		"a directory without":    {map[string]string{"a/b/docs/notes/x.md": "No."}, ""},
		"a directory of another": {map[string]string{".git/HEAD": "", "a/b/docs/index.md/x": "", "docs/index.md": "Root."}, "Root."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := lay(t, tt.files)
			d, err := tfdocs.Beside(filepath.Join(root, "a", "b", "terraform-provider-sea"))
			if tt.want == "" {
				var none *tfdocs.AbsentError
				if !errors.As(err, &none) {
					t.Errorf("got %v, %v", d, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if page := d.Open(t.Context()).Page(docpage.Subject{Kind: docpage.Overview}); page == nil || page.Intro != tt.want {
				t.Errorf("got %+v", page)
			}
		})
	}
}

func TestStamp(t *testing.T) {
	t.Parallel()
	root := lay(t, map[string]string{"docs/index.md": "Sails.", "docs/notes.txt": "a"})
	stamp := func() string {
		t.Helper()
		d, err := tfdocs.ReadDirectory(root)
		if err != nil {
			t.Fatal(err)
		}
		return d.Stamp()
	}
	first := stamp()
	if err := os.WriteFile(filepath.Join(root, "docs", "notes.txt"), []byte("ab"), 0o600); err != nil {
		t.Fatal(err)
	}
	if stamp() != first {
		t.Error("another file counts")
	}
	if err := os.WriteFile(filepath.Join(root, "docs", "index.md"), []byte("Sails on."), 0o600); err != nil {
		t.Fatal(err)
	}
	if stamp() == first {
		t.Error("a page that changed does not count")
	}
}
