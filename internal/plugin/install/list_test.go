package install_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// offline is a home that nothing comes to by itself.
func offline(t testing.TB) *home {
	t.Helper()
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	return &home{install.New(install.Options{Cache: cache}), cache}
}

// put makes a plugin by hand.
func (h *home) put(t testing.TB, p plugin.Concrete, files map[string]string) string {
	t.Helper()
	dir := h.cache.Dir(p)
	writeTree(t, dir, files)
	return dir
}

func TestList(t *testing.T) {
	t.Parallel()
	h := offline(t)
	h.put(t, concrete("zed", "1.0.0"), map[string]string{"a": "123", "sub/b": "45"})
	dir := h.put(t, concrete("aws", "1.0.0"), map[string]string{"a": ""})
	h.put(t, concrete("aws", "1.10.0"), map[string]string{"a": "1"})
	h.put(t, plugin.Concrete{Kind: plugin.Converter, Name: "aws", Version: semver.MustParse("9.0.0")}, map[string]string{"a": "1"})
	writeTree(t, h.cache.Root, map[string]string{
		"resource-half-v1.0.0/x": "", "resource-half-v1.0.0.partial": "server: https://plugins.example/\n",
	})
	used := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	if err := os.WriteFile(dir+".lastused", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(dir+".lastused", used, used); err != nil {
		t.Fatal(err)
	}
	listed, diags := h.List(t.Context())
	wantCodes(t, diags)
	var got []string
	for _, l := range listed {
		got = append(got, fmt.Sprintf("%s %s %s %d %s %s", l.Name, l.Kind, l.Version, l.Size, l.State, l.Mend))
		if age := time.Since(l.Installed); age < 0 || age > time.Hour {
			t.Errorf("%s was installed %s ago", l.Name, age)
		}
		if isUsed := l.Dir == dir; isUsed != l.LastUsed.Equal(used) {
			t.Errorf("%s was used at %s", l.Name, l.LastUsed)
		}
	}
	want := []string{
		"aws converter 9.0.0 1 installed ", "aws resource 1.10.0 1 installed ", "aws resource 1.0.0 0 installed ",
		"half resource 1.0.0 0 present formation plugin install resource half 1.0.0 --exact --server https://plugins.example/",
		"zed resource 1.0.0 5 installed ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMend has plugins whose installation was broken off, by the pulumi program
// where the marker is empty.
func TestMend(t *testing.T) {
	t.Parallel()
	const cloned = "[remote \"origin\"]\n\turl = https://token@github.com/o/r\n"
	for name, test := range map[string]struct {
		plugin, marker string
		files          map[string]string
		want           string
	}{
		"ours":          {"resource-acme-v1.0.0", "formation: begun\n", nil, "install resource acme 1.0.0 --exact"},
		"ours, whole":   {"resource-acme-v1.0.0", "formation: all files are here, and as they came\nserver: https://a.example/\n", nil, "install resource acme 1.0.0 --exact --server https://a.example/"},
		"signed":        {"resource-acme-v1.0.0", "formation: begun\nserver: URL\n", nil, "install resource acme 1.0.0 --exact --server URL"},
		"placeholders":  {"resource-acme-v1.0.0", "formation: begun\nserver: https://a.example/${NAME}/${VERSION}\n", nil, "install resource acme 1.0.0 --exact --server 'https://a.example/${NAME}/${VERSION}'"},
		"stand-in":      {"resource-terraform-provider-v1.0.0", "formation: begun\n", map[string]string{".formation": ""}, "install --own resource terraform-provider 1.0.0"},
		"in ours":       {"resource-terraform-provider-v1.0.0", "formation: begun\nserver: https://a.example/\n", map[string]string{".formation": ""}, "install resource terraform-provider 1.0.0 --exact --server https://a.example/"},
		"known":         {"resource-aws-v1.0.0", "", nil, "install resource aws 1.0.0 --exact"},
		"known, others": {"resource-time-v1.0.0", "", nil, "install resource time 1.0.0 --exact --server github://api.github.com/pulumiverse"},
		"bridge":        {"resource-terraform-bridge-v1.0.0", "", nil, "install --own resource terraform-bridge 1.0.0"},
		"unknown":       {"resource-mine-v1.0.0", "", nil, "rm resource mine 1.0.0 (stray)"},
		"tool":          {"tool-aws-v1.0.0", "", nil, "rm tool aws 1.0.0 (stray)"},
		"git":           {"resource-github.com_o_r.git-v1.0.0", "", map[string]string{".git/config": cloned}, "install resource git://github.com/o/r.git 1.0.0 --exact"},
		"git, below": {"resource-github.com_o_r.git_a_b_c-v1.0.0", "", map[string]string{".git/config": cloned, "a/b_c/x": "", "a/d/x": ""},
			"install resource git://github.com/o/r.git/a/b_c 1.0.0 --exact"},
		"git, twice":     {"resource-github.com_o_r.git_a_b-v1.0.0", "", map[string]string{".git/config": cloned, "a/b/x": "", "a_b/x": ""}, "rm resource github.com_o_r.git_a_b 1.0.0 (stray)"},
		"git, not there": {"resource-github.com_o_r.git_a-v1.0.0", "", map[string]string{".git/config": cloned}, "rm resource github.com_o_r.git_a 1.0.0 (stray)"},
		"git, another":   {"resource-github.com_o_x.git-v1.0.0", "", map[string]string{".git/config": cloned}, "rm resource github.com_o_x.git 1.0.0 (stray)"},
		"git, cut":       {"resource-github.com_o_r.git-v1.0.0", "", nil, "rm resource github.com_o_r.git 1.0.0 (stray)"},
		"git, ssh":       {"resource-github.com_o_r.git-v1.0.0", "", map[string]string{".git/config": "url = git@github.com:o/r.git\n"}, "rm resource github.com_o_r.git 1.0.0 (stray)"},
		"git, ours":      {"resource-github.com_o_r.git-v1.0.0", "formation: begun\nserver: git://github.com/o/r.git\n", nil, "install resource git://github.com/o/r.git 1.0.0 --exact"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := offline(t)
			files := map[string]string{test.plugin + "/x": "", test.plugin + ".partial": test.marker}
			for path, content := range test.files {
				files[test.plugin+"/"+path] = content
			}
			writeTree(t, h.cache.Root, files)
			listed, diags := h.List(t.Context())
			wantCodes(t, diags)
			got := strings.TrimPrefix(listed[0].Mend, "formation plugin ")
			if listed[0].Stray {
				got += " (stray)"
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestSizesAreRemembered has a plugin with many files: its size is taken from
// the record until it was installed anew or used.
func TestSizesAreRemembered(t *testing.T) {
	t.Parallel()
	h := offline(t)
	files := map[string]string{}
	for n := range 600 {
		files[fmt.Sprintf("modules/%d", n)] = "x"
	}
	p := concrete("large", "1.0.0")
	dir := h.put(t, p, files)
	h.put(t, concrete("small", "1.0.0"), map[string]string{"a": "1"})
	size := func() uint64 {
		listed, diags := h.List(t.Context())
		wantCodes(t, diags)
		return listed[0].Size
	}
	if got := size(); got != 600 {
		t.Fatalf("got %d", got)
	}
	record := filepath.Join(h.cache.Root, ".sizes.json")
	var known map[string]map[string]int64
	src, err := os.ReadFile(record)
	if err != nil || json.Unmarshal(src, &known) != nil || len(known) != 1 {
		t.Fatalf("%s, %v", src, err)
	}
	known["resource-large-v1.0.0"]["size"] = 7
	lie := func() {
		if src, err = json.Marshal(known); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(record, src, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lie()
	if got := size(); got != 7 {
		t.Errorf("the record was not used: %d", got)
	}
	for name, change := range map[string]func() error{
		"used":    func() error { return os.WriteFile(h.cache.LastUsed(p), nil, 0o600) },
		"changed": func() error { return os.WriteFile(filepath.Join(dir, "more"), nil, 0o600) },
		"garbled": func() error { return os.WriteFile(record, []byte("{"), 0o600) },
	} {
		lie()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if got := size(); got != 600 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		filter install.Filter
		rang   string
		left   []string
	}{
		"all":     {install.Filter{}, "", nil},
		"kind":    {install.Filter{Kind: plugin.Resource}, "", []string{"converter-aws-v1.0.0"}},
		"name":    {install.Filter{Kind: plugin.Resource, Name: "aws"}, "", []string{"converter-aws-v1.0.0", "resource-random-v1.0.0"}},
		"range":   {install.Filter{Kind: plugin.Resource, Name: "aws"}, ">=1.5.0 <3.0.0", []string{"converter-aws-v1.0.0", "resource-aws-v1.0.0", "resource-random-v1.0.0"}},
		"version": {install.Filter{Kind: plugin.Resource, Name: "aws"}, "2.0.0", []string{"converter-aws-v1.0.0", "resource-aws-v1.0.0", "resource-random-v1.0.0"}},
		"none":    {install.Filter{Name: "other"}, "", []string{"converter-aws-v1.0.0", "resource-aws-v1.0.0", "resource-aws-v2.0.0", "resource-random-v1.0.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := offline(t)
			for _, p := range []plugin.Concrete{concrete("aws", "1.0.0"), concrete("aws", "2.0.0"), concrete("random", "1.0.0"), {Kind: plugin.Converter, Name: "aws", Version: semver.MustParse("1.0.0")}} {
				dir := h.put(t, p, map[string]string{"a/b": "x"})
				for _, suffix := range []string{".lock", ".lastused", ".download", ".download.json"} {
					writeTree(t, filepath.Dir(dir), map[string]string{filepath.Base(dir) + suffix: ""})
				}
				writeTree(t, h.cache.Staging(p), map[string]string{"x": "y"})
			}
			if c.rang != "" {
				r, diags := install.ParseRange(c.rang)
				wantCodes(t, diags)
				c.filter.Range = r
			}
			matched, diags := h.Match(c.filter)
			wantCodes(t, diags)
			removed, diags := h.Remove(t.Context(), matched)
			wantCodes(t, diags)
			if len(removed) != 4-len(c.left) {
				t.Errorf("removed %v", removed)
			}
			entries, err := h.cache.Entries()
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, e := range entries {
				left = append(left, filepath.Base(e.Dir))
			}
			if diff := cmp.Diff(c.left, left); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for path := range tree(t, h.cache.Root) {
				if len(c.left) == 0 || strings.HasSuffix(path, ".partial") {
					t.Errorf("%s is left", path)
				}
			}
		})
	}
	_, diags := install.ParseRange("newer")
	wantCodes(t, diags, "PI0019")
}

// TestRemoveIsNeverHalf ends a removal at each step: what is left does not
// count as installed.
func TestRemoveIsNeverHalf(t *testing.T) {
	t.Parallel()
	h := offline(t)
	p := concrete("random", "1.0.0")
	h.put(t, p, binary("random", "x"))
	matched, diags := h.Match(install.Filter{})
	wantCodes(t, diags)
	h.OnStep(func(step string) {
		if state, err := h.cache.State(p); step != "locked" && (err != nil || state == plugin.Installed) {
			t.Errorf("%s: %s, %v", step, state, err)
		}
	})
	_, diags = h.Remove(t.Context(), matched)
	wantCodes(t, diags)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, diags = h.Remove(stopped, matched)
	wantCodes(t, diags, "PI0002")
}

// TestRemoveObstructed has removals that fail: before anything is gone, and
// when all is but the marker.
func TestRemoveObstructed(t *testing.T) {
	t.Parallel()
	p := concrete("random", "1.0.0")
	for code, c := range map[string]struct {
		path func(plugin.Cache, plugin.Concrete) string
		left plugin.State
	}{"PI0017": {plugin.Cache.Lock, plugin.Present}, "PI0026": {plugin.Cache.Partial, plugin.NotPresent}} {
		h := offline(t)
		h.put(t, p, binary("random", "x"))
		obstruct(t, h.cache.Partial(p))
		obstruct(t, c.path(h.cache, p))
		matched, diags := h.Match(install.Filter{})
		wantCodes(t, diags)
		removed, diags := h.Remove(t.Context(), matched)
		wantCodes(t, diags, code)
		if len(removed) > 0 || !strings.Contains(diags[0].Detail, c.path(h.cache, p)) {
			t.Errorf("%v is removed, and it is said: %v", removed, diags)
		}
		if state, err := h.cache.State(p); state != c.left || err != nil {
			t.Errorf("%s: it is %s, %v", code, state, err)
		}
	}
}

// TestUnreadableCache has a file in the place of the cache.
func TestUnreadableCache(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	h := homeAt(t, plugin.Cache{Root: filepath.Join(file, "plugins")}, w)
	_, diags := h.List(t.Context())
	wantCodes(t, diags, "PI0003")
	_, diags = h.Match(install.Filter{})
	wantCodes(t, diags, "PI0003")
	_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}})
	wantCodes(t, diags, "PI0003")
}

// BenchmarkList has 200 plugins, five of them with 5,000 files each.
func BenchmarkList(b *testing.B) {
	h := offline(b)
	for n := range 200 {
		name := fmt.Sprintf("plugin%d", n)
		files := map[string]string{"pulumi-resource-" + name: "x", "README.md": "x", "LICENSE": "x"}
		if n < 5 {
			for m := range 5000 {
				files[fmt.Sprintf("node_modules/m%d/f%d", m/20, m)] = "x"
			}
		}
		h.put(b, concrete(name, "1.0.0"), files)
	}
	list := func(b *testing.B) {
		if listed, diags := h.List(b.Context()); len(listed) != 200 || len(diags) > 0 {
			b.Fatal(len(listed), diags)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			_ = os.Remove(filepath.Join(h.cache.Root, ".sizes.json"))
			list(b)
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			list(b)
		}
	})
}
