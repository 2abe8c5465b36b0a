package tfregistry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// canonicalLock is a lock file as terraform writes it.
const canonicalLock = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.

provider "registry.example/acme/demo" {
  version     = "1.2.0"
  constraints = "~> 1.0, != 1.1.0"
  hashes = [
    "h1:AAAA=",
    "zh:0011",
  ]
}

provider "registry.terraform.io/hashicorp/time" {
  version = "0.14.2"
}
`

func TestLockFileRoundTrip(t *testing.T) {
	t.Parallel()
	lock, diags := tfregistry.ParseLockFile([]byte(canonicalLock), "lock.hcl")
	wantCodes(t, diags)
	want := map[tfaddr.Provider]tfregistry.Lock{
		demo: {Version: "1.2.0", Constraints: "~> 1.0, != 1.1.0", Hashes: []string{"h1:AAAA=", "zh:0011"}},
		{Host: "registry.terraform.io", Namespace: "hashicorp", Type: "time"}: {Version: "0.14.2"},
	}
	if d := cmp.Diff(want, lock.Providers); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(canonicalLock, string(lock.Bytes())); d != "" {
		t.Error(d)
	}
	empty := tfregistry.LockFile{}
	if got := string(empty.Bytes()); !strings.HasPrefix(got, `# This file is maintained automatically by "tofu init".`) {
		t.Errorf("got %q", got)
	}
}

func TestLockFileErrors(t *testing.T) {
	t.Parallel()
	provider := func(body string) string { return "provider \"registry.example/acme/demo\" {\n" + body + "\n}\n" }
	cases := map[string]struct {
		src  string
		line int
		want string
	}{
		"syntax":            {"provider {", 1, ""},
		"unknown block":     {"resource \"a\" {}\n", 1, ""},
		"short address":     {"provider \"hashicorp/time\" {\n version = \"1.0.0\"\n}\n", 1, "whole address"},
		"bad address":       {"provider \"a/b/c/d\" {\n version = \"1.0.0\"\n}\n", 1, "whole address"},
		"no version":        {provider(""), 1, ""},
		"short version":     {provider(` version = "1.0"`), 2, "not a version"},
		"version by number": {provider(` version = 1`), 2, "must be a string"},
		"version by name":   {provider(` version = foo`), 2, "must be a string"},
		"bad constraint":    {provider(" version = \"1.0.0\"\n constraints = \"about 3\""), 3, "not a version constraint"},
		"hashes by string":  {provider(" version = \"1.0.0\"\n hashes = \"h1:x\""), 3, "list of strings"},
		"hash without type": {provider(" version = \"1.0.0\"\n hashes = [\"abc\"]"), 3, "scheme:value"},
		"null hash":         {provider(" version = \"1.0.0\"\n hashes = [null]"), 3, "list of strings"},
		"twice":             {provider(` version = "1.0.0"`) + provider(` version = "1.0.0"`), 4, "twice"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := tfregistry.ParseLockFile([]byte(c.src), "lock.hcl")
			if len(diags) == 0 || diags[0].Code != "TR0046" || diags[0].Subject == nil || diags[0].Subject.Start.Line != c.line || !strings.Contains(diags[0].Detail, c.want) || !strings.Contains(diags[0].Detail, "restore it from version control") {
				t.Errorf("got %v", diags)
			}
		})
	}
}

func TestLockFileSave(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), tfregistry.LockFileName)
	lock, diags := tfregistry.LoadLockFile(path)
	wantCodes(t, diags)
	lock.Record(tfregistry.Installed{Provider: demo, Version: "1.0.0", Hashes: []string{"zh:b", "h1:a"}}, " ~> 1.0 ")
	lock.Record(tfregistry.Installed{Provider: demo, Version: "1.0.0", Hashes: []string{"zh:c"}}, "~> 1.0")
	lock.Record(tfregistry.Installed{Provider: timeProvider, Hashes: []string{"h1:x"}}, "")
	wantCodes(t, lock.Save(path))
	again, diags := tfregistry.LoadLockFile(path)
	wantCodes(t, diags)
	want := map[tfaddr.Provider]tfregistry.Lock{demo: {Version: "1.0.0", Constraints: "~> 1.0", Hashes: []string{"h1:a", "zh:b", "zh:c"}}}
	if d := cmp.Diff(want, again.Providers); d != "" {
		t.Error(d)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	wantCodes(t, lock.Save(filepath.Join(path, "below-a-file")), "TR0045")
}

func TestEnsureHeldToLock(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "first"))
	cache := t.TempDir()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	var lock tfregistry.LockFile
	lock.Record(got, "")
	wantCodes(t, lock.Verify(got))
	req, ok := lock.Request(demo)
	if !ok {
		t.Fatal("not locked")
	}
	_, diags = r.Ensure(t.Context(), req)
	wantCodes(t, diags)

	// The publisher replaces the release; a machine without a cache is held
	// to the lock.
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "second"))
	other, _ := online(t, s, tfregistry.Options{})
	_, diags = other.Ensure(t.Context(), req)
	wantCodes(t, diags, "TR0040")
	replaced, diags := other.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	wantCodes(t, lock.Verify(replaced), "TR0040")

	// A cache with the replaced package, and a registry with the locked one
	// again: the locked one is installed.
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "first"))
	back, diags := other.Ensure(t.Context(), req)
	wantCodes(t, diags)
	if back.BinaryHash != got.BinaryHash {
		t.Error("the replaced package was kept")
	}
	newer := got
	newer.Version = "2.0.0"
	wantCodes(t, lock.Verify(newer), "TR0047")
}

// FuzzParseLockFile holds that what is read is written so that it reads as
// the same, and that writing is then stable.
func FuzzParseLockFile(f *testing.F) {
	f.Add([]byte(canonicalLock))
	f.Add([]byte("# ${x}\nprovider \"registry.example/acme/demo\" {\n version = \"1.0.0-${\"a\"}\"\n hashes = [\"x:%{if}\", \"x:\\n\"]\n}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		first, diags := tfregistry.ParseLockFile(src, "in")
		if diags.HasErrors() {
			return
		}
		text := first.Bytes()
		second, diags := tfregistry.ParseLockFile(text, "out")
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, text)
		}
		if d := cmp.Diff(first.Providers, second.Providers); d != "" {
			t.Errorf("%s\n%s", d, text)
		}
		if d := cmp.Diff(string(text), string(second.Bytes())); d != "" {
			t.Error(d)
		}
	})
}
