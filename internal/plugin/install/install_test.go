package install_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
	"github.com/formation-iac/formation/internal/testkit/gitrepo"
)

func TestInstallExecutable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	h := newHome(t, w)
	for round, fresh := range []bool{true, false} {
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}})
		wantCodes(t, diags)
		p := concrete("random", "1.0.0")
		if len(got) != 1 || got[0].Path != filepath.Join(h.cache.Dir(p), "pulumi-resource-random") || got[0].Fresh != fresh || got[0].Plugin.Version.String() != "1.0.0" {
			t.Errorf("round %d: %+v", round, got)
		}
	}
	h.wantTree(t, map[string]string{
		"resource-random-v1.0.0/pulumi-resource-random": "one", "resource-random-v1.0.0/README": "about random",
	})
	if n := w.count("random"); n != 1 {
		t.Errorf("%d downloads", n)
	}
}

// TestWhichVersion has what is installed, what is asked for, and what that
// leads to.
func TestWhichVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		have, text string
		exact      bool
		want       string
		fresh      bool
	}{
		{"", "acme/random", false, "3.0.0", true},       // the newest of the registry
		{"2.0.0", "acme/random", false, "2.0.0", false}, // what is there will do
		{"2.0.0", "acme/random", true, "3.0.0", true},
		{"2.0.0", "acme/random@1.0.0", false, "2.0.0", false}, // already newer
		{"2.0.0", "acme/random@1.0.0", true, "1.0.0", true},
		{"1.0.0", "acme/random@2.0.0", false, "2.0.0", true},
	} {
		w := newWorld(t)
		for _, v := range []string{"1.0.0", "2.0.0", "3.0.0"} {
			w.publish(t, "random", v, binary("random", v))
			w.register("random", v)
		}
		h := newHome(t, w)
		if c.have != "" {
			_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@"+c.have)}})
			wantCodes(t, diags)
		}
		d, diags := source.Describe(c.text, source.Wish{Kind: plugin.Resource, Exact: c.exact})
		wantCodes(t, diags)
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
		wantCodes(t, diags)
		if v := got[0].Plugin.Version.String(); v != c.want || got[0].Fresh != c.fresh {
			t.Errorf("%+v: got %s, fresh %t", c, v, got[0].Fresh)
		}
	}
}

// component is a plugin without an executable, that names packages.
func component(packages string) map[string]string {
	return map[string]string{"PulumiPlugin.yaml": "runtime: toy\n" + packages, "main.toy": "program"}
}

// chain publishes stack 1.0.0, which needs tool 1.0.0 with a parameter, which
// needs random 1.0.0.
func chain(t *testing.T, w *world) {
	t.Helper()
	at := "pluginDownloadURL: " + w.server.URL
	w.publish(t, "stack", "1.0.0", component("packages:\n  tool:\n    source: tool\n    version: 1.0.0\n    parameters: [a, b]\n    "+at+"\n"))
	w.publish(t, "tool", "1.0.0", component("packages:\n  random:\n    source: random\n    version: 1.0.0\n    "+at+"\n"))
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	w.register("stack", "1.0.0")
}

// chained is the cache with all of the chain.
func chained(w *world) map[string]string {
	at := "pluginDownloadURL: " + w.server.URL
	return map[string]string{
		"resource-stack-v1.0.0/PulumiPlugin.yaml":       component("packages:\n  tool:\n    source: tool\n    version: 1.0.0\n    parameters: [a, b]\n    " + at + "\n")["PulumiPlugin.yaml"],
		"resource-stack-v1.0.0/main.toy":                "program",
		"resource-stack-v1.0.0/sdks/tool":               "tool a,b",
		"resource-stack-v1.0.0/dependencies":            "of toy",
		"resource-tool-v1.0.0/PulumiPlugin.yaml":        component("packages:\n  random:\n    source: random\n    version: 1.0.0\n    " + at + "\n")["PulumiPlugin.yaml"],
		"resource-tool-v1.0.0/main.toy":                 "program",
		"resource-tool-v1.0.0/sdks/random":              "random ",
		"resource-tool-v1.0.0/dependencies":             "of toy",
		"resource-random-v1.0.0/pulumi-resource-random": "one",
		"resource-random-v1.0.0/README":                 "about random",
	}
}

func TestInstallChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chain(t, w)
	h := newHome(t, w)
	d, diags := source.Describe("acme/stack", source.Wish{Kind: plugin.Resource})
	wantCodes(t, diags)
	got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
	wantCodes(t, diags)
	if got[0].Path != h.cache.Dir(concrete("stack", "1.0.0")) {
		t.Errorf("got %+v", got)
	}
	h.wantTree(t, chained(w))
}

// TestGitComponentWithPackages installs a component from a directory of a git
// repository, which itself depends on a package, on a component beside it in
// the repository, and on a plugin that its program turns out to need.
func TestGitComponentWithPackages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	w.publish(t, "late", "1.0.0", binary("late", "two"))
	r := gitrepo.New(t)
	r.Commit(t, map[string]string{
		"components/site/PulumiPlugin.yaml": "runtime: toy\npackages:\n  random:\n    source: random\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n  base: ../base\n",
		"components/site/plugins":           "late@1.0.0|" + w.server.URL,
		"components/base/PulumiPlugin.yaml": "runtime: toy\n",
	})
	r.Git(t, "tag", "v1.2.0")
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	h := &home{install.New(options(t, cache, w.server.URL, source.Options{Environ: r.Environ})), cache}
	for _, text := range []string{"git.example/org/repo.git/components/site", "git.example/org/repo.git/components/site@v1.2.0"} {
		d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource})
		wantCodes(t, diags)
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
		wantCodes(t, diags)
		name := "resource-git.example_org_repo.git_components_site-v1.2.0"
		if got[0].Path != filepath.Join(cache.Root, name, "components", "site") {
			t.Errorf("got %+v", got)
		}
		got0 := tree(t, cache.Root)
		for path, want := range map[string]string{
			name + "/components/site/sdks/random":           "random ",
			name + "/components/site/sdks/base":             "base ",
			name + "/components/site/dependencies":          "of toy",
			name + "/components/base/dependencies":          "of toy",
			"resource-random-v1.0.0/pulumi-resource-random": "one",
			"resource-late-v1.0.0/pulumi-resource-late":     "two",
		} {
			if got0[path] != want {
				t.Errorf("%s: %q", path, got0[path])
			}
		}
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	needs := func(name string) map[string]string {
		return component("packages:\n  " + name + ":\n    source: " + name + "\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n")
	}
	w.publish(t, "entry", "1.0.0", needs("aa"))
	w.publish(t, "aa", "1.0.0", needs("bb"))
	w.publish(t, "bb", "1.0.0", needs("aa"))
	w.publish(t, "self", "1.0.0", needs("self"))
	for name, ring := range map[string]string{
		"entry": "resource plugin aa 1.0.0 needs resource plugin bb 1.0.0 needs resource plugin aa 1.0.0",
		"self":  "resource plugin self 1.0.0 needs resource plugin self 1.0.0",
	} {
		h := newHome(t, w)
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, name+"@1.0.0")}})
		wantCodes(t, diags, "PI0012")
		if !strings.Contains(diags[0].Detail, ring) || got[0].Path != "" {
			t.Errorf("%s\n%+v", diags[0].Detail, got)
		}
	}
	// A ring of directories, one of which is the project.
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"Pulumi.yaml": "name: p\nruntime: toy\npackages:\n  inner: ./inner\n", "inner/PulumiPlugin.yaml": "runtime: toy\npackages:\n  outer: ..\n",
		"PulumiPlugin.yaml": "runtime: toy\n",
	})
	_, diags := newHome(t, w).InstallProject(t.Context(), install.ProjectRequest{Project: load(t, filepath.Join(dir, "Pulumi.yaml"))})
	wantCodes(t, diags, "PI0012")
}

func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t testing.TB, path string) *project.Manifest {
	t.Helper()
	m, diags := project.Load(path)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

// TestInstallProject has a project that names packages of all sorts, a program
// that needs a plugin, and a stack with providers.
func TestInstallProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"random", "late", "stately"} {
		w.publish(t, name, "1.0.0", binary(name, "of "+name))
	}
	at := w.server.URL
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"Pulumi.yaml": "name: p\nruntime: toy\npackages:\n" +
			"  random:\n    source: random\n    version: 1.0.0\n    pluginDownloadURL: " + at + "\n" +
			"  mine: ./mine\n" +
			"plugins:\n  providers: [{name: patched, path: ./patched}, {name: built, path: ./built}, {name: spoken, path: ./spoken}]\n" +
			"  analyzers: [{name: rules, path: ./rules}]\n",
		"plugins":                         "late@1.0.0|" + at + " patched@9.0.0 mine",
		"mine/PulumiPlugin.yaml":          "runtime: toy\npackages:\n  random: random@1.0.0\n",
		"patched/pulumi-resource-patched": "x", "built/README": "Run make.",
		"spoken/PulumiPlugin.yaml": "runtime: toy\npackages:\n  random: random@1.0.0\n", "rules/PulumiPolicy.yaml": "runtime: toy\n",
	})
	state := []project.ProviderState{
		{Plugin: "stately", Version: "1.0.0", DownloadURL: at}, {Plugin: "pulumi"}, {Plugin: "random", Version: "1.0.0", DownloadURL: at},
	}
	h := newHome(t, w)
	// The inner package names no server: what the cache has is found.
	_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}})
	wantCodes(t, diags)
	got, diags := h.InstallProject(t.Context(), install.ProjectRequest{Project: load(t, filepath.Join(dir, "Pulumi.yaml")), State: state})
	wantCodes(t, diags)
	var names []string
	for _, g := range got {
		rel, err := filepath.Rel(filepath.Dir(h.cache.Root), g.Path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(g.Path, dir) {
			rel = strings.TrimPrefix(g.Path, dir)
		}
		names = append(names, g.Name+" "+rel)
	}
	want := []string{
		"random plugins/resource-random-v1.0.0/pulumi-resource-random", "mine /mine",
		" /rules", " /spoken", " plugins/resource-late-v1.0.0/pulumi-resource-late", " /patched/pulumi-resource-patched", " /mine",
		" plugins/resource-stately-v1.0.0/pulumi-resource-stately", " plugins/resource-random-v1.0.0/pulumi-resource-random",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	files := tree(t, dir)
	for path, content := range map[string]string{"sdks/random": "random ", "sdks/mine": "mine ", "dependencies": "of toy", "mine/sdks/random": "random ", "mine/dependencies": "of toy",
		"spoken/sdks/random": "random ", "spoken/dependencies": "of toy", "rules/dependencies": "of toy"} {
		if files[path] != content {
			t.Errorf("%s: %q", path, files[path])
		}
	}
}

// TestLatePackages has languages that can name packages to be linked only when
// their dependencies are there.
func TestLatePackages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "x"))
	w.publish(t, "talker", "1.0.0", component(""))
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": "name: p\nruntime: toy\npackages:\n  talker:\n    source: talker\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n"})
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	opts := options(t, cache, w.server.URL, source.Options{})
	opts.Language = toy{before: func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "packages"), []byte("random@1.0.0|"+w.server.URL), 0o600)
	}}
	fail := true
	opts.Linker = pen{before: func(string) error {
		if _, err := os.Stat(filepath.Join(dir, "packages")); err == nil && fail {
			return errors.New("not today")
		}
		return nil
	}}
	req := install.ProjectRequest{Project: load(t, filepath.Join(dir, "Pulumi.yaml"))}
	if _, diags := install.New(opts).InstallProject(t.Context(), req); !diags.HasErrors() {
		t.Error("a link was not made, and nobody says so")
	}
	fail = false
	got, diags := install.New(opts).InstallProject(t.Context(), req)
	wantCodes(t, diags)
	if len(got) != 2 || got[1].Plugin.Name != "random" {
		t.Errorf("got %+v", got)
	}
	for _, at := range []string{dir, cache.Dir(concrete("talker", "1.0.0"))} {
		if files := tree(t, at); files["sdks/random"] != "random " {
			t.Errorf("%s: %v", at, files)
		}
	}
	if state, err := cache.State(concrete("talker", "1.0.0")); state != plugin.Installed || err != nil {
		t.Errorf("talker is %s, %v", state, err)
	}
}

func TestProjectReinstalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": "name: p\nruntime: toy\npackages:\n  random:\n    source: random\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n"})
	h := newHome(t, w)
	for _, content := range []string{"one", "two"} {
		w.publish(t, "random", "1.0.0", binary("random", content))
		_, diags := h.InstallProject(t.Context(), install.ProjectRequest{Project: load(t, filepath.Join(dir, "Pulumi.yaml")), Reinstall: content == "two"})
		wantCodes(t, diags)
		h.wantTree(t, map[string]string{"resource-random-v1.0.0/pulumi-resource-random": content, "resource-random-v1.0.0/README": "about random"})
	}
}

func TestProjectWithoutSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": "name: p\nruntime: toy\n", "plugins": "late@1.0.0|" + w.server.URL})
	got, diags := newHome(t, w).InstallProject(t.Context(), install.ProjectRequest{
		Project: load(t, filepath.Join(dir, "Pulumi.yaml")), NoDependencies: true, NoPlugins: true, State: []project.ProviderState{{Plugin: "stately"}},
	})
	wantCodes(t, diags)
	if _, err := os.Stat(filepath.Join(dir, "dependencies")); err == nil || got != nil {
		t.Errorf("%v, %+v", err, got)
	}
}

// TestProjectAware asks for names that a project says more about.
func TestProjectAware(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "2.0.0"} {
		w.publish(t, "random", v, binary("random", v))
	}
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"Pulumi.yaml": "name: p\nruntime: toy\npackages:\n  random:\n    source: random\n    version: 1.0.0\n    pluginDownloadURL: " + w.server.URL + "\n  mine: ./mine\n" +
			"  made:\n    source: ./mine\n    parameters: [x]\n  broken: a b\nplugins:\n  providers:\n  - {name: patched, version: 1.0.0, path: ./patched}\n",
		"mine/pulumi-resource-mine": "x", "patched/pulumi-resource-patched": "x",
	})
	m := load(t, filepath.Join(dir, "Pulumi.yaml"))
	h := newHome(t, w)
	for text, want := range map[string]string{
		"random":        "resource plugin random 1.0.0",
		"random@2.0.0":  "resource plugin random 2.0.0",
		"mine":          filepath.Join(dir, "mine"),
		"mine@3.0.0":    filepath.Join(dir, "mine"),
		"made":          filepath.Join(dir, "mine") + " x",
		"patched":       filepath.Join(dir, "patched"),
		"patched@1.0.0": filepath.Join(dir, "patched"),
		"./mine":        filepath.Join(dir, "mine"),
	} {
		d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(text, "@")})
		wantCodes(t, diags)
		if text == "patched" {
			d.Constraint = plugin.AtLeast(concrete("x", "1.0.0").Version)
		}
		if text == "random@2.0.0" {
			d.Server = w.server.URL
		}
		r, diags := h.Resolve(t.Context(), d, m)
		wantCodes(t, diags)
		got := r.Local
		if got == "" {
			got = r.Plugin.String()
		}
		if len(r.Parameterization.Args) > 0 {
			got += " " + strings.Join(r.Parameterization.Args, " ")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	_, diags := h.Resolve(t.Context(), plugin.Descriptor{Kind: plugin.Resource, Source: "broken"}, m)
	wantCodes(t, diags, "PS0007")
}

func TestAmbient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	opts := options(t, plugin.Cache{Root: t.TempDir()}, "", source.Options{})
	path := filepath.Join(t.TempDir(), "pulumi-resource-random")
	writeTree(t, filepath.Dir(path), map[string]string{"pulumi-resource-random": "x"})
	opts.Ambient = func(kind plugin.Kind, name string) (string, bool) {
		return path, kind == plugin.Resource && name == "random"
	}
	for _, ambient := range []bool{true, false} {
		got, diags := install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}, Ambient: ambient})
		wantCodes(t, diags)
		if (got[0].Path == path) != ambient {
			t.Errorf("%t: %s", ambient, got[0].Path)
		}
	}
}

// TestStandIn has our bridge beside the program, and that of others in the
// cache or not.
func TestStandIn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pulumi-resource-terraform-bridge")
	writeTree(t, filepath.Dir(path), map[string]string{"pulumi-resource-terraform-bridge": "ours"})
	cache := plugin.Cache{Root: t.TempDir()}
	writeTree(t, cache.Dir(concrete("terraform-provider", "1.0.2")), map[string]string{"pulumi-resource-terraform-provider": "theirs"})
	writeTree(t, cache.Dir(concrete("terraform-bridge", "1.0.2")), map[string]string{"pulumi-resource-terraform-bridge": "older"})
	opts := options(t, cache, "", source.Options{Offline: true})
	opts.Ambient = func(plugin.Kind, string) (string, bool) { return path, true }
	for text, ours := range map[string]bool{
		"terraform-provider@1.0.2": false, "terraform-provider": false, "terraform-provider@1.0.3": true,
		"terraform-bridge@1.0.2": true, "terraform-bridge": true,
	} {
		d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(text, "@")})
		wantCodes(t, diags)
		got, diags := install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}, Ambient: true})
		wantCodes(t, diags)
		if (got[0].Path == path) != ours {
			t.Errorf("%s: %s", text, got[0].Path)
		}
	}
}

func TestReinstall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	h := newHome(t, w)
	req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}}
	_, diags := h.Install(t.Context(), req)
	wantCodes(t, diags)
	req.Reinstall = true
	w.fail(&fault{path: "random", status: 404, times: -1})
	_, diags = h.Install(t.Context(), req)
	wantCodes(t, diags, "PS0010")
	want := map[string]string{"resource-random-v1.0.0/pulumi-resource-random": "one", "resource-random-v1.0.0/README": "about random"}
	h.wantTree(t, want) // what was there still is
	w.fail()
	w.publish(t, "random", "1.0.0", binary("random", "two"))
	got, diags := h.Install(t.Context(), req)
	wantCodes(t, diags)
	want["resource-random-v1.0.0/pulumi-resource-random"] = "two"
	h.wantTree(t, want)
	if !got[0].Fresh {
		t.Error("it was not installed anew")
	}
}

// TestDamagedIsMended has a plugin without its executable, and a cache that
// another program left in the middle.
func TestDamagedIsMended(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(dir string) error{
		"no executable": func(dir string) error { return os.Remove(filepath.Join(dir, "pulumi-resource-random")) },
		"marked":        func(dir string) error { return os.WriteFile(dir+".partial", nil, 0o600) },
		"half": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "README")), os.WriteFile(dir+".partial", nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.publish(t, "random", "1.0.0", binary("random", "one"))
			h := newHome(t, w)
			req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}}
			_, diags := h.Install(t.Context(), req)
			wantCodes(t, diags)
			if err := damage(h.cache.Dir(concrete("random", "1.0.0"))); err != nil {
				t.Fatal(err)
			}
			_, diags = h.Install(t.Context(), req)
			wantCodes(t, diags)
			h.wantTree(t, map[string]string{"resource-random-v1.0.0/pulumi-resource-random": "one", "resource-random-v1.0.0/README": "about random"})
		})
	}
}

// TestManyAtOnce installs one set from many goroutines: everything is
// downloaded once.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chain(t, w)
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, diags := homeAt(t, cache, w).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0"), w.wish(t, "random@1.0.0"), w.wish(t, "random@1.0.0")}})
			if len(diags) > 0 {
				t.Error(diags)
			}
		})
	}
	all.Wait()
	homeAt(t, cache, w).wantTree(t, chained(w))
	for _, name := range []string{"stack", "tool", "random"} {
		if n := w.count(archivePath(name, "1.0.0")); n != 1 {
			t.Errorf("%d downloads of %s", n, name)
		}
	}
}

func TestOneFailureKeepsTheRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chain(t, w)
	h := newHome(t, w)
	w.fail(&fault{path: "random", status: 404, times: -1})
	w.publish(t, "other", "1.0.0", binary("other", "x"))
	got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0"), w.wish(t, "other@1.0.0")}})
	wantCodes(t, diags, "PS0010", "PI0013", "PI0013")
	if got[0].Path != "" || got[1].Path == "" {
		t.Errorf("got %+v", got)
	}
	for _, words := range []string{"package random", "formation plugin install resource tool 1.0.0"} {
		if !strings.Contains(diags[1].Error(), words) {
			t.Errorf("%q is not in: %v", words, diags[1])
		}
	}
	if state, err := h.cache.State(concrete("stack", "1.0.0")); err != nil || state != plugin.Present {
		t.Errorf("stack is %s, %v", state, err)
	}
	w.fail()
	_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0")}})
	wantCodes(t, diags)
	if n := w.count(archivePath("stack", "1.0.0")); n != 1 {
		t.Errorf("the whole files of stack were downloaded %d times", n)
	}
}

// TestRequiredPluginsCount has a component whose program needs a plugin that
// cannot be had, and two that need each other.
func TestRequiredPluginsCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	needs := func(text string) map[string]string {
		return map[string]string{"PulumiPlugin.yaml": "runtime: toy\n", "plugins": text}
	}
	w.publish(t, "part", "1.0.0", needs("late@1.0.0|"+w.server.URL+" part@1.0.0"))
	h := newHome(t, w)
	req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "part@1.0.0")}}
	got, diags := h.Install(t.Context(), req)
	wantCodes(t, diags, "PS0010", "PI0013")
	if state, err := h.cache.State(concrete("part", "1.0.0")); err != nil || state != plugin.Present || got[0].Path != "" {
		t.Errorf("part is %s, %v, %+v", state, err, got)
	}
	w.publish(t, "late", "1.0.0", binary("late", "x"))
	_, diags = h.Install(t.Context(), req)
	wantCodes(t, diags)
	if n := w.count(archivePath("part", "1.0.0")); n != 1 {
		t.Errorf("what was complete was downloaded %d times", n)
	}
	w.publish(t, "hen", "1.0.0", needs("egg@1.0.0|"+w.server.URL))
	w.publish(t, "egg", "1.0.0", needs("hen@1.0.0|"+w.server.URL))
	_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "hen@1.0.0")}})
	wantCodes(t, diags)
	for _, name := range []string{"part", "late", "hen", "egg"} {
		if state, err := h.cache.State(concrete(name, "1.0.0")); err != nil || state != plugin.Installed {
			t.Errorf("%s is %s, %v", name, state, err)
		}
	}
}

func TestWhatCannotBeInstalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "wrong", "1.0.0", map[string]string{"pulumi-resource-other": "x"})
	w.publish(t, "nothing", "1.0.0", map[string]string{})
	w.publish(t, "bad", "1.0.0", map[string]string{"PulumiPlugin.yaml": "runtime: [\n"})
	w.publish(t, "badneeds", "1.0.0", component("packages:\n  x: a b\n"))
	w.publish(t, "nosy", "1.0.0", component("packages:\n  x: "+t.TempDir()+"\n"))
	w.publish(t, "climber", "1.0.0", component("packages:\n  x: ./../../\n"))
	empty := t.TempDir()
	for text, want := range map[string][]string{
		"wrong@1.0.0":    {"PI0010"},
		"nothing@1.0.0":  {"PI0010"},
		"bad@1.0.0":      {"PJ0002"},
		"badneeds@1.0.0": {"PS0007"},
		"nosy@1.0.0":     {"PI0020", "PI0013"},
		"climber@1.0.0":  {"PI0020", "PI0013"},
		"absent@1.0.0":   {"PS0010"},
		empty:            {"PI0009"},
		empty + "/none":  {"PI0009"},
	} {
		h := newHome(t, w)
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, text)}})
		wantCodes(t, diags, want...)
		if got[0].Path != "" {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestUnpublished asks for plugins that only come with programs. Nobody is
// asked for them, not even for their newest version.
func TestUnpublished(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind plugin.Kind
		name string
		code string
	}{{plugin.Language, "nodejs", "PI0008"}, {plugin.Resource, "pulumi-python", "PI0008"}, {plugin.Resource, "terraform-bridge", "PI0025"}} {
		for _, c := range []plugin.Constraint{plugin.Any(), plugin.Latest(), plugin.Exactly(concrete("x", "3.0.0").Version)} {
			_, diags := newHome(t, newWorld(t)).Install(t.Context(), install.Request{
				Descriptors: []plugin.Descriptor{{Kind: test.kind, Source: test.name, Constraint: c}},
			})
			wantCodes(t, diags, test.code)
		}
	}
}

// TestLocalPaths has places of the user's and what is found there.
func TestLocalPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"one/pulumi-resource-thing": "x", "two/pulumi-resource-aa": "x", "two/pulumi-resource-bb": "x", "none/README": "x", "component/PulumiPlugin.yaml": "runtime: toy\n",
	})
	h := newHome(t, newWorld(t))
	for path, want := range map[string]string{
		"one": "one/pulumi-resource-thing", "one/pulumi-resource-thing": "one/pulumi-resource-thing", "two/pulumi-resource-bb": "two/pulumi-resource-bb",
		"component": "component", "two": "", "none": "", "absent": "",
	} {
		got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{{Kind: plugin.Resource, Source: filepath.Join(dir, path)}}})
		if want == "" {
			wantCodes(t, diags, "PI0009")
			continue
		}
		wantCodes(t, diags)
		if got[0].Path != filepath.Join(dir, want) {
			t.Errorf("%s: %s", path, got[0].Path)
		}
	}
}

func TestNobodyAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	opts := options(t, plugin.Cache{Root: t.TempDir()}, w.server.URL, source.Options{Env: environment("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true")})
	req := install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "random@1.0.0")}, Automatic: true}
	_, diags := install.New(opts).Install(t.Context(), req)
	wantCodes(t, diags, "PI0007")
	req.Automatic = false
	_, diags = install.New(opts).Install(t.Context(), req)
	wantCodes(t, diags)
	req.Automatic = true
	_, diags = install.New(opts).Install(t.Context(), req) // it is there now
	wantCodes(t, diags)
}

// TestWithoutHelpers has nobody to link packages or to install dependencies.
func TestWithoutHelpers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chain(t, w)
	opts := options(t, plugin.Cache{Root: t.TempDir()}, w.server.URL, source.Options{})
	opts.Linker = nil
	_, diags := install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "tool@1.0.0")}})
	wantCodes(t, diags, "PI0014", "PI0006")
	opts.Linker, opts.Language = pen{}, nil
	_, diags = install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "tool@1.0.0")}})
	wantCodes(t, diags, "PI0015", "PI0006")
	opts.Language = toy{}
	_, diags = install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "tool@1.0.0")}})
	wantCodes(t, diags)
}

func TestRegistryOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "random", "1.0.0", binary("random", "one"))
	w.register("random", "1.0.0")
	h := newHome(t, w)
	d, diags := source.Describe("acme/random", source.Wish{Kind: plugin.Resource})
	wantCodes(t, diags)
	w.fail(&fault{path: "/api/", status: 503, times: -1})
	_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
	wantCodes(t, diags, "PS0030")
	w.fail()
	_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
	wantCodes(t, diags)
	w.fail(&fault{path: "/api/", status: 503, times: -1})
	got, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{d}})
	wantCodes(t, diags, "PI0011")
	if diags.HasErrors() || got[0].Path == "" {
		t.Errorf("%v, %+v", diags, got)
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chain(t, w)
	for _, at := range []string{"locked", "filled", "whole", "begun", "linked", "dependencies", "complete"} {
		h := newHome(t, w)
		ctx, cancel := context.WithCancel(t.Context())
		h.OnStep(func(step string) {
			if step == at {
				cancel()
			}
		})
		_, diags := h.Install(ctx, install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0")}})
		wantCodes(t, diags, "PI0002")
		h.OnStep(func(string) {})
		_, diags = h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "stack@1.0.0")}})
		wantCodes(t, diags)
		h.wantTree(t, chained(w))
	}
}

func TestDescribeProvider(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state project.ProviderState
		want  string
	}{
		{project.ProviderState{Plugin: "aws", Version: "6.0.0"}, "aws 6.0.0  "},
		{project.ProviderState{Plugin: "aws"}, "aws   "},
		{project.ProviderState{Plugin: "x", DownloadURL: "git://github.com/o/r", Version: "1.0.0"}, "git://github.com/o/r 1.0.0  "},
		{project.ProviderState{Plugin: "terraform-provider", Version: "1.1.0", Parameterization: &project.Parameter{Name: "time", Version: "0.14.0", Value: []byte("v")}}, "terraform-provider 1.1.0  time 0.14.0 v"},
	} {
		d := install.DescribeProvider(c.state)
		got := fmt.Sprintf("%s %s %s ", d.Source, d.Constraint, d.Server)
		if v := d.Parameterization.Value; v != nil {
			got += fmt.Sprintf("%s %s %s", v.Name, v.Version, v.Value)
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestParallel has a server that sees how many ask at once.
func TestParallel(t *testing.T) {
	t.Parallel()
	const plugins = 6
	for parallel, want := range map[int]int{1: 1, -1: plugins} {
		w := newWorld(t)
		var req install.Request
		var mu sync.Mutex
		now, most := 0, 0
		all := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			mu.Lock()
			now++
			if most = max(most, now); most == plugins {
				close(all)
			}
			mu.Unlock()
			if parallel < 0 {
				<-all
			}
			w.serve(out, r)
			mu.Lock()
			now--
			mu.Unlock()
		}))
		t.Cleanup(server.Close)
		for n := range plugins {
			name := fmt.Sprintf("plugin%d", n)
			w.publish(t, name, "1.0.0", binary(name, "x"))
			d := w.wish(t, name+"@1.0.0")
			d.Server = server.URL
			req.Descriptors = append(req.Descriptors, d)
		}
		opts := options(t, plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}, "", source.Options{})
		opts.Parallel = parallel
		_, diags := install.New(opts).Install(t.Context(), req)
		wantCodes(t, diags)
		if most != want {
			t.Errorf("--parallel %d: %d at once", parallel, most)
		}
	}
}

// TestBegunAnew has another process begin a reinstallation, or break one off,
// before a plugin that is complete is declared installed.
func TestBegunAnew(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"begun": "formation: begun\n", "whole": "formation: all files are here, and as they came\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.publish(t, "comp", "1.0.0", map[string]string{"PulumiPlugin.yaml": "runtime: toy\n"})
			h := newHome(t, w)
			marker := h.cache.Partial(concrete("comp", "1.0.0"))
			complete, anew := false, false
			h.OnStep(func(step string) {
				if complete = complete || step == "complete"; complete && step == "locked" && !anew {
					anew = true
					if err := os.WriteFile(marker, []byte(text), 0o600); err != nil {
						t.Error(err)
					}
				}
			})
			_, diags := h.Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "comp@1.0.0")}})
			wantCodes(t, diags)
			if !anew {
				t.Error("it was not begun anew")
			}
			h.wantTree(t, map[string]string{"resource-comp-v1.0.0/PulumiPlugin.yaml": "runtime: toy\n", "resource-comp-v1.0.0/dependencies": "of toy"})
		})
	}
}
