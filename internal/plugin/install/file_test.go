package install_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
)

func TestInstallFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"program": "one", "tree/pulumi-resource-random": "one", "tree/more/file": "x", "component/PulumiPlugin.yaml": "runtime: toy\n",
		"archive": string(tarball(t, binary("random", "one"))),
	})
	for name, want := range map[string]map[string]string{
		"program":   {"pulumi-resource-random": "one"},
		"tree":      {"pulumi-resource-random": "one", "more/file": "x"},
		"archive":   {"pulumi-resource-random": "one", "README": "about random"},
		"component": {"PulumiPlugin.yaml": "runtime: toy\n", "dependencies": "of toy"},
	} {
		h := newHome(t, newWorld(t))
		for _, fresh := range []bool{true, false} {
			got, diags := h.InstallFile(t.Context(), install.FileRequest{Plugin: concrete("random", "1.0.0"), Path: filepath.Join(dir, name)})
			wantCodes(t, diags)
			if got.Fresh != fresh || got.Path == "" {
				t.Errorf("%s: %+v", name, got)
			}
		}
		tree := map[string]string{}
		for path, content := range want {
			tree["resource-random-v1.0.0/"+path] = content
		}
		h.wantTree(t, tree)
	}
}

func TestUnusableFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"empty": "", "hostile": string(tarball(t, map[string]string{"../evil": "x"})), "tree/other": "x", "archive": string(tarball(t, binary("random", "one"))),
		"cut": string(tarball(t, binary("random", "one"))[:30]),
	})
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("some text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "linked"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "linked", "pulumi-resource-random")); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]string{
		"empty": "PI0016", "text": "PI0016", "hostile": "PI0016", "cut": "PI0016", "absent": "PI0016", "linked": "PI0016", "tree": "PI0010", "archive": "PS0021",
	} {
		h := offline(t)
		p := concrete("random", "1.0.0")
		if name == "archive" {
			p.Checksums = plugin.Checksums{plugin.CurrentPlatform().String(): bytes.Repeat([]byte{1}, 32)}
		}
		_, diags := h.InstallFile(t.Context(), install.FileRequest{Plugin: p, Path: filepath.Join(dir, name)})
		wantCodes(t, diags, code)
		h.wantTree(t, map[string]string{})
	}
	_, diags := offline(t).InstallFile(t.Context(), install.FileRequest{Plugin: concrete("../x", "1.0.0"), Path: dir})
	wantCodes(t, diags, "PI0016")
}

func TestShip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge": "bridge", "formation": "x"})
	h := offline(t)
	version := semver.MustParse("0.3.0")
	req := install.ShipRequest{Dir: dir, Plugins: install.OwnPlugins(version)}
	want := map[string]string{
		"resource-terraform-bridge-v0.3.0/pulumi-resource-terraform-bridge": "bridge", "resource-terraform-bridge-v0.3.0/.formation": "",
		"resource-terraform-provider-v0.3.0/pulumi-resource-terraform-provider": "bridge", "resource-terraform-provider-v0.3.0/.formation": "",
	}
	ship := func(fresh bool) {
		t.Helper()
		got, diags := h.Ship(t.Context(), req)
		wantCodes(t, diags)
		if len(got) != 2 {
			t.Errorf("got %+v", got)
		}
		for _, g := range got {
			if info, err := os.Stat(g.Path); err != nil || info.Mode()&0o111 == 0 || g.Fresh != fresh {
				t.Errorf("%s: %v, fresh %t", g.Path, err, g.Fresh)
			}
		}
		h.wantTree(t, want)
	}
	ship(true)
	ship(false)
	// A new build of the same version, written beside and moved into place.
	writeTree(t, dir, map[string]string{"next": "bridge two"})
	if err := os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "pulumi-resource-terraform-bridge")); err != nil {
		t.Fatal(err)
	}
	want["resource-terraform-bridge-v0.3.0/pulumi-resource-terraform-bridge"] = "bridge two"
	want["resource-terraform-provider-v0.3.0/pulumi-resource-terraform-provider"] = "bridge two"
	got, diags := h.Ship(t.Context(), req)
	wantCodes(t, diags)
	if !got[0].Fresh || !got[1].Fresh {
		t.Errorf("got %+v", got)
	}
	h.wantTree(t, want)
	if err := os.Remove(filepath.Join(dir, "pulumi-resource-terraform-bridge")); err != nil {
		t.Fatal(err)
	}
	got, diags = h.Ship(t.Context(), req)
	wantCodes(t, diags, "PI0018")
	if len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestShipInPlace puts ours in the place of a plugin that others publish,
// where it is not installed, or where that is wanted.
func TestShipInPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge": "ours"})
	h := offline(t)
	provider := concrete("terraform-provider", "1.0.2")
	theirs := filepath.Join(h.put(t, provider, map[string]string{"pulumi-resource-terraform-provider": "theirs"}), "pulumi-resource-terraform-provider")
	req := install.ShipRequest{Dir: dir, Plugins: []plugin.Concrete{provider, concrete("terraform-provider", "1.0.3"), concrete("random", "1.0.0")}}
	got, diags := h.Ship(t.Context(), req)
	wantCodes(t, diags, "PI0024", "PI0023")
	if len(got) != 1 || got[0].Plugin.Version.String() != "1.0.3" || !got[0].Fresh {
		t.Errorf("got %+v", got)
	}
	if text, err := os.ReadFile(theirs); err != nil || string(text) != "theirs" {
		t.Errorf("%s, %v", text, err)
	}
	req.Plugins, req.Reinstall = req.Plugins[:1], true
	got, diags = h.Ship(t.Context(), req)
	wantCodes(t, diags)
	if text, err := os.ReadFile(theirs); err != nil || string(text) != "ours" || !got[0].Fresh {
		t.Errorf("%s, %v, %+v", text, err, got)
	}
}

func TestProgramDir(t *testing.T) {
	t.Parallel()
	dir, err := install.ProgramDir()
	if err != nil || !filepath.IsAbs(dir) {
		t.Errorf("%s, %v", dir, err)
	}
}

// TestKeep has a project that needs plugins of ours, which are found beside
// this program, at several versions, and others.
func TestKeep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge": "ours", "else/pulumi-resource-terraform-bridge": "another"})
	program := filepath.Join(dir, "pulumi-resource-terraform-bridge")
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	h := &home{cache: cache}
	h.put(t, concrete("terraform-bridge", "0.1.0"), map[string]string{"pulumi-resource-terraform-bridge": "by hand"})
	ambient := program
	opts := options(t, cache, "", source.Options{Offline: true})
	opts.Ambient = func(plugin.Kind, string) (string, bool) { return ambient, true }
	opts.Own = install.Own{Dir: dir, Version: semver.MustParse("0.3.0")}
	h.Installer = install.New(opts)
	want := map[string]string{"resource-terraform-bridge-v0.1.0/pulumi-resource-terraform-bridge": "by hand"}
	for _, c := range []struct {
		text, ambient, keeps string
	}{
		{"terraform-bridge@0.1.0", program, ""},
		{"terraform-provider@0.2.0", program, ""},
		{"terraform-bridge@0.2.0", filepath.Join(dir, "else", "pulumi-resource-terraform-bridge"), ""},
		{"terraform-bridge@0.2.0", program, "0.2.0"},
		{"terraform-bridge", program, "0.3.0"},
		{"terraform-bridge", program, "0.3.0"},
	} {
		ambient = c.ambient
		d, diags := source.Describe(c.text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(c.text, "@")})
		wantCodes(t, diags)
		found, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}, Ambient: true})
		wantCodes(t, diags)
		got, diags := h.Keep(t.Context(), found)
		wantCodes(t, diags)
		kept := "resource-terraform-bridge-v" + c.keeps + "/pulumi-resource-terraform-bridge"
		if c.keeps == "" && (got[0].Path != c.ambient || !got[0].AsIs) {
			t.Errorf("%s: %+v", c.text, got[0])
		}
		if c.keeps != "" {
			if got[0].Path != filepath.Join(cache.Root, filepath.FromSlash(kept)) || got[0].Local != "" || got[0].Plugin.Version.String() != c.keeps || got[0].Fresh != (want[kept] == "") {
				t.Errorf("%s: %+v", c.text, got[0])
			}
			want[kept], want["resource-terraform-bridge-v"+c.keeps+"/.formation"] = "ours", ""
		}
		h.wantTree(t, want)
	}
}

// TestKeepForComponents has a component in the cache that needs a plugin of
// ours.
func TestKeepForComponents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "comp", "1.0.0", map[string]string{"PulumiPlugin.yaml": "runtime: toy\npackages: {random: terraform-bridge}\n"})
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"pulumi-resource-terraform-bridge": "ours"})
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	opts := options(t, cache, w.server.URL, source.Options{})
	opts.Ambient = func(_ plugin.Kind, name string) (string, bool) {
		return filepath.Join(dir, "pulumi-resource-terraform-bridge"), name == "terraform-bridge"
	}
	opts.Own = install.Own{Dir: dir, Version: semver.MustParse("0.3.0")}
	_, diags := install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "comp@1.0.0")}, Ambient: true})
	wantCodes(t, diags)
	if got := tree(t, cache.Dir(concrete("terraform-bridge", "0.3.0"))); got["pulumi-resource-terraform-bridge"] != "ours" {
		t.Errorf("%v", got)
	}
}
