package host_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// TestFingerprint changes a plugin in ways that count, and in ways that do
// not.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "PulumiPlugin.yaml"), "runtime: fake\n", 0o600)
	index := write(t, filepath.Join(dir, "src", "index.ts"), "one", 0o600)
	fingerprint := func() string {
		found, diags := host.Finder{}.Find(plugin.Resource, host.Wanted{Name: "a", Path: dir})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		sum, err := found.Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	last := fingerprint()
	for _, change := range []struct {
		what   string
		counts bool
		do     func()
	}{
		{"nothing", false, func() {}},
		{"dependencies", false, func() { write(t, filepath.Join(dir, "node_modules", "x", "index.js"), "x", 0o600) }},
		{"version control", false, func() { write(t, filepath.Join(dir, ".git", "HEAD"), "x", 0o600) }},
		{"size", true, func() { write(t, index, "three", 0o600) }},
		{"time", true, func() {
			if err := os.Chtimes(index, time.Time{}, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		}},
		{"new file", true, func() { write(t, filepath.Join(dir, "src", "b.ts"), "", 0o600) }},
		{"executable", true, func() { write(t, filepath.Join(dir, "pulumi-resource-a"), "", 0o755) }},
		{"beside it", false, func() { write(t, index, "x", 0o600) }},
	} {
		change.do()
		now := fingerprint()
		if (now != last) != change.counts {
			t.Errorf("%s: counts %v, want %v", change.what, now != last, change.counts)
		}
		last = now
	}
	if sum, err := (host.Found{Path: filepath.Join(dir, "gone")}).Fingerprint(); err == nil {
		t.Errorf("what is gone has a fingerprint %s", sum)
	}
}

// TestFingerprintKnowsNames tells one executable under two names apart.
func TestFingerprintKnowsNames(t *testing.T) {
	t.Parallel()
	file := write(t, filepath.Join(t.TempDir(), "x"), "", 0o755)
	a, err := host.Found{Kind: plugin.Resource, Name: "a", Path: file}.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	b, err := host.Found{Kind: plugin.Resource, Name: "b", Path: file}.Fingerprint()
	if err != nil || a == b {
		t.Errorf("%s and %s, %v", a, b, err)
	}
}
