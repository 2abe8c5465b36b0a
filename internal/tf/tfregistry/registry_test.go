package tfregistry_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

func TestRegistryInstall(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	for _, v := range []string{"1.0.0", "1.2.0", "2.0.0", "2.1.0-rc1"} {
		s.Publish(t, registrytest.Binary("acme", "demo", v, "binary "+v))
	}
	foreign := registrytest.Binary("acme", "demo", "1.2.0", "for plan9")
	foreign.OS, foreign.Arch = "plan9", "mips"
	s.Publish(t, foreign)
	s.Warn("this provider is getting old")
	cases := []struct{ constraint, want string }{
		{"", "2.0.0"}, {"~> 1.0", "1.2.0"}, {">= 1, < 2", "1.2.0"}, {"!= 2.0.0", "1.2.0"}, {"= 1.0.0", "1.0.0"}, {"2.1.0-rc1", "2.1.0-rc1"}, {">= 2.1.0-rc1", ""},
	}
	for _, c := range cases {
		t.Run(c.constraint, func(t *testing.T) {
			t.Parallel()
			cache := t.TempDir()
			r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: c.constraint})
			if c.want == "" {
				wantCodes(t, diags, "TR0027", "TR0041")
				return
			}
			wantCodes(t, diags, "TR0027")
			content, err := os.ReadFile(got.Path)
			if err != nil || string(content) != "binary "+c.want || got.Version != c.want {
				t.Errorf("got %+v, %q, %v", got, content, err)
			}
			if info, err := os.Stat(got.Path); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("not executable: %v %v", info, err)
			}
			if left := leftovers(t, cache); left != nil {
				t.Errorf("left behind: %q", left)
			}
			wantHashes := 2
			if c.want == "1.2.0" {
				wantHashes = 3 // the other platform's archive is vouched for too
			}
			if len(got.Hashes) != wantHashes || !slices.IsSorted(got.Hashes) {
				t.Errorf("hashes %q", got.Hashes)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	for _, v := range []string{"10.0.0", "9.0.0", "10.0.0-a"} {
		s.Publish(t, registrytest.Binary("acme", "demo", v, "x"))
	}
	r, _ := online(t, s, tfregistry.Options{})
	got, diags := r.Versions(t.Context(), demo)
	wantCodes(t, diags)
	if d := cmp.Diff([]string{"9.0.0", "10.0.0-a", "10.0.0"}, got); d != "" {
		t.Error(d)
	}
	_, diags = r.Versions(t.Context(), tfaddr.Provider{Host: demo.Host, Namespace: "acme", Type: "none"})
	wantCodes(t, diags, "TR0041")
}

func TestWarmStartDownloadsNothing(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	cache := t.TempDir()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
	first, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	before := len(s.Requests())
	r, _ = online(t, s, tfregistry.Options{CacheDir: cache})
	exact, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "1.0.0"})
	wantCodes(t, diags)
	if d := cmp.Diff(first.BinaryHash, exact.BinaryHash); d != "" || len(s.Requests()) != before {
		t.Errorf("an exact cached version asked the network: %v %s", s.Requests()[before:], d)
	}
	if _, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo}); diags != nil || s.Count(".zip") != 1 {
		t.Errorf("%v, %d downloads", diags, s.Count(".zip"))
	}
	// A record is what makes the start warm: were the binary hashed again, a
	// wrong hash in the record would not come back.
	records, err := filepath.Glob(filepath.Join(cache, demo.String(), "*", "*.json"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	src, err := os.ReadFile(records[0])
	if err != nil {
		t.Fatal(err)
	}
	fake := strings.Repeat("0", 64)
	write(t, records[0], strings.Replace(string(src), first.BinaryHash, fake, 1), 0o644)
	marked, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "1.0.0"})
	wantCodes(t, diags)
	if marked.BinaryHash != fake {
		t.Error("a warm start hashed the binary")
	}
}

func TestDamagedCacheIsInstalledAnew(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		damage    func(t *testing.T, binary string)
		downloads int
	}{
		"touched": {func(t *testing.T, binary string) {
			if err := os.Chtimes(binary, time.Now(), time.Now().Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, 1},
		"changed": {func(t *testing.T, binary string) { write(t, binary, "wrong", 0o755) }, 2},
		"removed": {func(t *testing.T, binary string) {
			if err := os.Remove(binary); err != nil {
				t.Fatal(err)
			}
		}, 2},
		"added": {func(t *testing.T, binary string) { write(t, filepath.Join(filepath.Dir(binary), "more"), "x", 0o755) }, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "right"))
			r, _ := online(t, s, tfregistry.Options{})
			req := tfregistry.Request{Provider: demo, Constraint: "1.0.0"}
			got, diags := r.Ensure(t.Context(), req)
			wantCodes(t, diags)
			c.damage(t, got.Path)
			again, diags := r.Ensure(t.Context(), req)
			wantCodes(t, diags)
			if content, err := os.ReadFile(again.Path); err != nil || string(content) != "right" {
				t.Errorf("%q, %v", content, err)
			}
			if entries, err := os.ReadDir(filepath.Dir(again.Path)); err != nil || len(entries) != 1 {
				t.Errorf("%v, %v", entries, err)
			}
			if n := s.Count(".zip"); n != c.downloads {
				t.Errorf("%d downloads", n)
			}
		})
	}
}

func TestBuiltinProvider(t *testing.T) {
	t.Parallel()
	_, diags := newRegistry(t, tfregistry.Options{}).Ensure(t.Context(), tfregistry.Request{Provider: tfaddr.Provider{Host: "terraform.io", Namespace: "builtin", Type: "terraform"}})
	wantCodes(t, diags, "TR0005")
}

// TestDiagnosticsAreComplete holds all that a user sees to the house's form.
func TestDiagnosticsAreComplete(t *testing.T) {
	t.Parallel()
	_, diags := newRegistry(t, tfregistry.Options{}).Ensure(t.Context(), tfregistry.Request{Provider: demo})
	text := diag.Text(diags[0], nil, diag.Style{})
	for _, want := range []string{"Error: No provider found for registry.example/acme/demo [TR0041]", "Where was looked:", "- registry registry.example: not asked", "- cache "} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

func TestForgedAddress(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, tfregistry.Options{})
	for _, p := range []tfaddr.Provider{
		{}, {Host: "..", Namespace: "..", Type: "etc"}, {Host: demo.Host, Namespace: "../..", Type: "x"},
		{Host: demo.Host, Namespace: "acme", Type: "Demo"}, {Host: "Registry.Example", Namespace: "acme", Type: "demo"},
	} {
		_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: p})
		wantCodes(t, diags, "TR0003")
		_, diags = r.Versions(t.Context(), p)
		wantCodes(t, diags, "TR0003")
	}
}
