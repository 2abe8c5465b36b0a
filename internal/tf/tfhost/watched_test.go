package tfhost_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestLocalBinary keeps the schema of a binary that the user points at under
// its hash, and leaves nothing else behind, however far it was used.
func TestLocalBinary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, starts := filepath.Join(dir, "terraform-provider-broken"), filepath.Join(dir, "starts")
	script := fmt.Sprintf("#!/bin/sh\necho >> %s\nexec %s \"$@\"\n", starts, build.Binary(t, "terraform-provider-broken"))
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	hash, err := wholefile.SHA256(path)
	if err != nil {
		t.Fatal(err)
	}
	use := func(do func(tfhost.Opened)) {
		t.Helper()
		host, diags := tfhost.New(tfhost.Environment{Vars: append(os.Environ(), "TF_CLI_CONFIG_FILE=", "TOFU_CLI_CONFIG_FILE="), CacheDir: filepath.Join(dir, "cache")})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		defer host.Close()
		opened, diags := host.Open(t.Context(), tfregistry.Request{LocalPath: path})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		do(opened)
	}
	schema := func(p tfhost.Opened) {
		catalog, diags := p.Schema(t.Context())
		if diags.HasErrors() || !catalog.Has(tfschema.KindResource, "broken_thing") {
			t.Errorf("the schema is another: %v", diags)
		}
	}
	use(func(tfhost.Opened) {})
	wantNames(t, filepath.Join(dir, "cache", "schemas"))
	for range 2 {
		use(schema)
		wantNames(t, filepath.Join(dir, "cache", "schemas"), hash)
	}
	if text, err := os.ReadFile(starts); err != nil || len(text) != 1 {
		t.Errorf("%d starts, %v", len(text), err)
	}
	// Whatever becomes of the binary while it runs, nothing of it is kept.
	if err := os.RemoveAll(filepath.Join(dir, "cache")); err != nil {
		t.Fatal(err)
	}
	use(func(p tfhost.Opened) {
		if err := os.WriteFile(path, []byte(script+"#\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		schema(p)
	})
	wantNames(t, filepath.Join(dir, "cache", "schemas"))
}

// wantNames holds a directory to what is in it.
func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
