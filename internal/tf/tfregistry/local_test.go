package tfregistry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

func TestParseSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := write(t, filepath.Join(dir, "terraform-provider-demo_v1.2.3_x5"), "#!", 0o755)
	laid := write(t, filepath.Join(dir, "reg.example.com", "acme", "demo", "2.0.0", platform.String(), "terraform-provider-demo"), "#!", 0o755)
	notExec := write(t, filepath.Join(dir, "n", "terraform-provider-demo"), "#!", 0o644)
	write(t, filepath.Join(dir, "empty", "README"), "", 0o644)
	cases := map[string]struct {
		arg  string
		want tfregistry.Request
		code string
	}{
		"type alone":       {arg: "time", want: tfregistry.Request{Provider: timeProvider}},
		"whole":            {arg: "Reg.Example.com/acme/demo", want: tfregistry.Request{Provider: tfaddr.Provider{Host: "reg.example.com", Namespace: "acme", Type: "demo"}}},
		"four parts":       {arg: "a/b/c/d", code: "TR0003"},
		"empty":            {arg: "", code: "TR0003"},
		"binary":           {arg: plain, want: tfregistry.Request{Provider: tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "hashicorp", Type: "demo"}, LocalPath: plain}},
		"binary in layout": {arg: laid, want: tfregistry.Request{Provider: tfaddr.Provider{Host: "reg.example.com", Namespace: "acme", Type: "demo"}, LocalPath: laid}},
		"directory":        {arg: filepath.Dir(laid), want: tfregistry.Request{Provider: tfaddr.Provider{Host: "reg.example.com", Namespace: "acme", Type: "demo"}, LocalPath: laid}},
		"missing":          {arg: "./terraform-provider-nothing", code: "TR0006"},
		"not executable":   {arg: notExec, code: "TR0008"},
		"empty directory":  {arg: filepath.Join(dir, "empty"), code: "TR0009"},
		"other file":       {arg: filepath.Join(dir, "empty", "README"), code: "TR0007"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tfregistry.ParseSource(c.arg)
			if c.code != "" {
				wantCodes(t, diag.FromError("", "", err), c.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLocalPath(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "terraform-provider-demo_v1.2.3"), "one", 0o755)
	r := newRegistry(t, tfregistry.Options{})
	req, err := tfregistry.ParseSource(path)
	if err != nil {
		t.Fatal(err)
	}
	got, diags := r.Ensure(t.Context(), req)
	wantCodes(t, diags)
	if got.Path != path || got.Version != "1.2.3" || got.Provider != req.Provider || got.Hash(t.Context()) != "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" {
		t.Errorf("got %+v", got)
	}
	write(t, path, "other", 0o755)
	again, diags := r.Ensure(t.Context(), req)
	wantCodes(t, diags)
	if again.Hash(t.Context()) == got.Hash(t.Context()) {
		t.Error("the hash of a changed binary was remembered")
	}
}

func TestDevOverrides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "terraform-provider-time"), "dev", 0o755)
	config := configFrom(t, `provider_installation {
  dev_overrides {
    "registry.opentofu.org/hashicorp/time" = "`+dir+`"
    "acme/gone" = "/nowhere/at/all"
  }
  direct {}
}`)
	r := newRegistry(t, tfregistry.Options{CLIConfig: config})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "~> 9.9"})
	wantCodes(t, diags, "TR0011")
	if got.Path != path || got.Version != "" || got.Origin != "dev_overrides" {
		t.Errorf("got %+v", got)
	}
	gone := tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "acme", Type: "gone"}
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: gone})
	wantCodes(t, diags, "TR0011", "TR0010")
}

func TestFilesystemMirror(t *testing.T) {
	t.Parallel()
	mirror := t.TempDir()
	base := filepath.Join(mirror, tfaddr.DefaultHost, "hashicorp", "time")
	unpacked := write(t, filepath.Join(base, "1.0.0", platform.String(), "terraform-provider-time_v1.0.0"), "v1", 0o755)
	write(t, filepath.Join(base, "3.0.0", "plan9_mips", "terraform-provider-time"), "foreign", 0o755)
	write(t, filepath.Join(base, "1.5.0-beta1", platform.String(), "terraform-provider-time"), "beta", 0o755)
	archive := filepath.Join(base, "terraform-provider-time_1.4.0_"+platform.String()+".zip")
	writeZip(t, archive, map[string]string{"terraform-provider-time_v1.4.0": "v1.4", "LICENSE": "free"})
	r := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, `provider_installation {
  filesystem_mirror {
    path = "`+mirror+`"
    include = ["*/*/*"]
  }
}`)})
	t.Run("newest is packed", func(t *testing.T) {
		t.Parallel()
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider})
		wantCodes(t, diags)
		if content, err := os.ReadFile(got.Path); got.Version != "1.4.0" || err != nil || string(content) != "v1.4" {
			t.Errorf("got %+v, %q, %v", got, content, err)
		}
		if len(got.Hashes) != 2 || !strings.HasPrefix(got.Hashes[0], "h1:") || !strings.HasPrefix(got.Hashes[1], "zh:") {
			t.Errorf("hashes %q", got.Hashes)
		}
	})
	t.Run("unpacked is used in place", func(t *testing.T) {
		t.Parallel()
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "1.0.0"})
		wantCodes(t, diags)
		if got.Path != unpacked || len(got.Hashes) != 1 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("prerelease by exact version only", func(t *testing.T) {
		t.Parallel()
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "1.5.0-beta1"})
		wantCodes(t, diags)
		if got.Version != "1.5.0-beta1" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("nothing meets", func(t *testing.T) {
		t.Parallel()
		_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: ">= 3"})
		wantCodes(t, diags, "TR0041")
		for _, want := range []string{mirror, "1.4.0, 1.0.0"} {
			if !strings.Contains(diags[0].Detail, want) {
				t.Errorf("detail lacks %q:\n%s", want, diags[0].Detail)
			}
		}
	})
	t.Run("bad constraint", func(t *testing.T) {
		t.Parallel()
		_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "about 3"})
		wantCodes(t, diags, "TR0004")
	})
}

// TestReplacedArchive holds that a mirror's archive is looked at again once it
// is another file.
func TestReplacedArchive(t *testing.T) {
	t.Parallel()
	mirror := t.TempDir()
	archive := filepath.Join(mirror, timeProvider.String(), "terraform-provider-time_1.4.0_"+platform.String()+".zip")
	r := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n filesystem_mirror {\n path = \""+mirror+"\"\n}\n}\n")})
	for _, want := range []string{"built", "rebuilt"} {
		writeZip(t, archive, map[string]string{"terraform-provider-time_v1.4.0": want})
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "1.4.0"})
		wantCodes(t, diags)
		if content, err := os.ReadFile(got.Path); err != nil || string(content) != want {
			t.Errorf("got %q, %v", content, err)
		}
	}
}

func TestPluginCache(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	path := write(t, filepath.Join(cache, tfaddr.DefaultHost, "hashicorp", "time", "1.0.0", platform.String(), "terraform-provider-time"), "cached", 0o755)
	r := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, `plugin_cache_dir = "`+cache+`"`)})
	for _, constraint := range []string{"1.0.0", "", "~> 1.0"} {
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: constraint})
		wantCodes(t, diags)
		if got.Path != path || got.Version != "1.0.0" {
			t.Errorf("%q: got %+v", constraint, got)
		}
	}
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider, Constraint: "2.0.0"})
	wantCodes(t, diags, "TR0041")
}

// TestUnchanged replaces a binary that was found, in each way that a build
// does.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, tfregistry.Options{})
	for name, replace := range map[string]func(path string) error{
		"written over": func(path string) error { return os.WriteFile(path, []byte("another"), 0o755) },
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", []byte("two"), 0o755); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		"removed": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, filepath.Join(t.TempDir(), "terraform-provider-demo"), "one", 0o755)
			got, diags := r.Ensure(t.Context(), tfregistry.Request{LocalPath: path})
			wantCodes(t, diags)
			got.Hash(t.Context())
			if !got.Hashed() || !got.Unchanged() {
				t.Errorf("hashed %t, unchanged %t", got.Hashed(), got.Unchanged())
			}
			if err := replace(path); err != nil {
				t.Fatal(err)
			}
			if got.Unchanged() {
				t.Error("it is taken for the same file")
			}
		})
	}
}
