package tfregistry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// mirrored makes a registry whose one method is the network mirror of s.
func mirrored(t *testing.T, s *registrytest.Server, extra string) *tfregistry.Registry {
	t.Helper()
	r, _ := online(t, s, tfregistry.Options{CLIConfig: configFrom(t, `provider_installation {
  network_mirror {
    url = "`+strings.TrimSuffix(s.MirrorURL("mirror.example"), "/")+`"
    `+extra+`
  }
}`)})
	return r
}

func TestNetworkMirror(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		hashes []string
		wrong  bool
		code   []string
	}{
		"right zh":        {},
		"no hashes":       {hashes: []string{}},
		"wrong zh":        {wrong: true, code: []string{"TR0039"}},
		"wrong h1":        {hashes: []string{"h1:AAAA="}, code: []string{"TR0039"}},
		"unknown schemes": {hashes: []string{"h9:AAAA="}, code: []string{"TR0026"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			p := registrytest.Binary("acme", "demo", "1.0.0", "x")
			p.MirrorHashes, p.WrongSum = c.hashes, c.wrong
			s.Publish(t, p)
			got, diags := mirrored(t, s, "").Ensure(t.Context(), tfregistry.Request{Provider: demo})
			wantCodes(t, diags, c.code...)
			if c.code == nil && (got.Version != "1.0.0" || !strings.Contains(got.Origin, "mirror.example")) {
				t.Errorf("got %+v", got)
			}
			if s.Count("/v1/providers") > 0 || s.Count(".well-known") > 0 {
				t.Errorf("the registry was asked: %v", s.Requests())
			}
		})
	}
}

func TestNetworkMirrorLacks(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	foreign := registrytest.Binary("acme", "demo", "1.0.0", "x")
	foreign.OS, foreign.Arch = "plan9", "mips"
	s.Publish(t, foreign)
	_, diags := mirrored(t, s, "").Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0029")
	_, diags = mirrored(t, s, "").Ensure(t.Context(), tfregistry.Request{Provider: timeProvider})
	wantCodes(t, diags, "TR0041")
	_, diags = mirrored(t, s, `exclude = ["registry.example/*/*"]`).Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0041")
	if !strings.Contains(diags[0].Detail, "not used for this provider") {
		t.Error(diags)
	}
	_, diags = mirrored(t, s, `include = ["hashicorp/*"]`).Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0041")
}

func TestTrustedMirrorVouchesForOtherPlatforms(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	foreign := registrytest.Binary("acme", "demo", "1.0.0", "y")
	foreign.OS, foreign.Arch, foreign.MirrorHashes = "plan9", "mips", []string{"h1:BBBB=", "zz:1"}
	s.Publish(t, foreign)
	for extra, want := range map[string]int{"": 2, "trust_all_hashes = true": 3} {
		got, diags := mirrored(t, s, extra).Ensure(t.Context(), tfregistry.Request{Provider: demo})
		wantCodes(t, diags)
		if len(got.Hashes) != want {
			t.Errorf("%q: %q", extra, got.Hashes)
		}
	}
}

// TestMethodOrder holds that versions are pooled over the methods, and that
// a version comes from the first method that has it.
func TestMethodOrder(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	s.Publish(t, registrytest.Binary("acme", "demo", "2.0.0", "x"))
	mirror := t.TempDir()
	inMirror := write(t, filepath.Join(mirror, demo.String(), "1.0.0", platform.String(), "terraform-provider-demo"), "m", 0o755)
	filesystem := "filesystem_mirror {\n path = \"" + mirror + "\"\n}\n"
	for name, c := range map[string]struct {
		methods, constraint, origin string
	}{
		"mirror first":           {filesystem + "direct {}", "1.0.0", "filesystem mirror"},
		"registry first":         {"direct {}\n" + filesystem, "1.0.0", "registry"},
		"only registry has it":   {filesystem + "direct {}", "", "registry"},
		"direct is excluded":     {filesystem + "direct {\n exclude = [\"registry.example/acme/*\"]\n}", "", "filesystem mirror"},
		"range, mirror first":    {filesystem + "direct {}", "< 2.0", "filesystem mirror"},
		"range, registry first":  {"direct {}\n" + filesystem, "< 2.0", "registry"},
		"nothing but overrides":  {"dev_overrides {}", "1.0.0", ""},
		"include another's name": {filesystem + "direct {\n include = [\"registry.example/other/*\"]\n}", "2.0.0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := online(t, s, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n"+c.methods+"\n}\n")})
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: c.constraint})
			if c.origin == "" {
				wantCodes(t, diags, "TR0041")
				return
			}
			wantCodes(t, diags)
			if !strings.HasPrefix(got.Origin, c.origin) || (c.origin == "filesystem mirror") != (got.Path == inMirror) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestImpliedMirrors(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "2.0.0", "x"))
	s.Publish(t, registrytest.Binary("acme", "other", "2.0.0", "x"))
	work, home := t.TempDir(), t.TempDir()
	inWork := write(t, filepath.Join(work, "terraform.d", "plugins", demo.String(), "1.0.0", platform.String(), "terraform-provider-demo"), "m", 0o755)
	inHome := write(t, filepath.Join(home, ".terraform.d", "plugins", demo.String(), "1.1.0", platform.String(), "terraform-provider-demo"), "m", 0o755)
	config, diags := tfregistry.LoadCLIConfig(func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	})
	wantCodes(t, diags)
	r, _ := online(t, s, tfregistry.Options{CLIConfig: config, WorkDir: work})
	for constraint, want := range map[string]string{"": inHome, "1.0.0": inWork} {
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: constraint})
		wantCodes(t, diags)
		if got.Path != want {
			t.Errorf("%q: got %s", constraint, got.Path)
		}
	}
	// What a mirror directory has is not asked of the registry.
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "2.0.0"})
	wantCodes(t, diags, "TR0041")
	other := tfaddr.Provider{Host: demo.Host, Namespace: "acme", Type: "other"}
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: other})
	wantCodes(t, diags)
}

func TestMissingMirrorDirectory(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n filesystem_mirror {\n path = \"/no/such/mirror\"\n}\n}\n")})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0022")
}

func TestPluginCacheIsFilled(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	shared, cache := t.TempDir(), t.TempDir()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache, CLIConfig: configFrom(t, `plugin_cache_dir = "`+shared+`"`)})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	if want := filepath.Join(shared, demo.String(), "1.0.0", platform.String(), "terraform-provider-demo_v1.0.0"); got.Path != want {
		t.Errorf("got %s", got.Path)
	}
	again, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "1.0.0"})
	wantCodes(t, diags)
	if again.Path != got.Path || s.Count(".zip") != 1 {
		t.Errorf("got %s, %d downloads", again.Path, s.Count(".zip"))
	}
}

func TestUnwritablePlaces(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	shared, cache := t.TempDir(), t.TempDir()
	// A file where a directory has to be stops every user, root too.
	write(t, filepath.Join(shared, demo.Host), "", 0o644)
	config := configFrom(t, `plugin_cache_dir = "`+shared+`"`)
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache, CLIConfig: config})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	if !strings.HasPrefix(got.Path, cache) {
		t.Errorf("got %s", got.Path)
	}
	for variable, want := range map[string]string{"": "with XDG_CACHE_HOME.", "PACKAGES": "with PACKAGES."} {
		r, _ = online(t, s, tfregistry.Options{CacheDir: shared, CacheVar: variable})
		_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
		wantCodes(t, diags, "TR0021")
		if err := diags.Err(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want the advice %q", err, want)
		}
	}
}

func TestLinkedMirror(t *testing.T) {
	t.Parallel()
	real, mirror := t.TempDir(), t.TempDir()
	binary := write(t, filepath.Join(real, "terraform-provider-demo"), "one", 0o755)
	version := filepath.Join(mirror, demo.String(), "1.0.0")
	if err := os.MkdirAll(version, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(version, platform.String())); err != nil {
		t.Fatal(err)
	}
	r := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n filesystem_mirror {\n path = \""+mirror+"\"\n}\n}\n")})
	first, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	write(t, binary, "other", 0o755)
	second, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	if first.Hashes[0] == second.Hashes[0] || first.BinaryHash == second.BinaryHash {
		t.Error("a change behind a link was not seen")
	}
}

// TestUnreachedSourceIsSaid holds that an answer from what could be reached
// comes with a warning about what could not.
func TestUnreachedSourceIsSaid(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Fail(registrytest.Fault{Path: "versions", Status: 503})
	mirror := t.TempDir()
	write(t, filepath.Join(mirror, demo.String(), "1.0.0", platform.String(), "terraform-provider-demo"), "m", 0o755)
	r, _ := online(t, s, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n filesystem_mirror {\n path = \""+mirror+"\"\n}\n direct {}\n}\n")})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0043")
	if got.Version != "1.0.0" || diags.HasErrors() {
		t.Errorf("got %+v", got)
	}
}
