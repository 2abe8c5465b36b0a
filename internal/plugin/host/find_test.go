package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/project"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// find looks with the finder of p, and returns the place found below p's root.
func (p *place) find(kind plugin.Kind, w host.Wanted) (path string, origin host.Origin) {
	p.t.Helper()
	found, diags := p.opts.Finder.Find(kind, w)
	if diags.HasErrors() {
		p.t.Error(diags.Err())
		return "", 0
	}
	rel, err := filepath.Rel(filepath.Dir(p.path), found.Path)
	if err != nil {
		p.t.Fatal(err)
	}
	return filepath.ToSlash(rel), found.Origin
}

// TestFindOrder takes away one place after the other.
func TestFindOrder(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	mine := fakeplugin.Link(t, filepath.Join(p.project, "mine"), "language", "nodejs")
	fakeplugin.Link(t, p.path, "language", "nodejs")
	program := filepath.Join(filepath.Dir(p.path), "programs")
	fakeplugin.Link(t, program, "language", "nodejs")
	p.install(plugin.Language, "nodejs", "1.0.0")
	p.opts.Finder.Project = []host.ProjectPlugin{{Kind: plugin.Language, Name: "nodejs", Dir: filepath.Dir(mine)}}
	p.opts.Finder.Programs = []string{write(t, filepath.Join(program, "formation"), "", 0o755)}
	w := host.Wanted{Name: "nodejs"}
	for _, step := range []struct {
		path   string
		origin host.Origin
		after  func()
	}{
		{"project/mine/pulumi-language-nodejs", host.FromProject, func() { p.opts.Finder.Project = nil }},
		{"bin/pulumi-language-nodejs", host.FromPath, func() {
			p.opts.Finder.Env = append(p.opts.Finder.Env, "PULUMI_IGNORE_AMBIENT_PLUGINS=true")
		}},
		{"programs/pulumi-language-nodejs", host.Shipped, func() { p.opts.Finder.Programs = nil }},
		{"plugins/language-nodejs-v1.0.0/pulumi-language-nodejs", host.FromCache, func() { os.RemoveAll(p.cache.Root) }},
	} {
		path, origin := p.find(plugin.Language, w)
		if path != step.path || origin != step.origin {
			t.Errorf("found %s, %d, want %s, %d", path, origin, step.path, step.origin)
		}
		step.after()
	}
	_, diags := p.opts.Finder.Find(plugin.Language, w)
	wantDiag(t, diags, host.CodeNotFound, "Cannot find language plugin nodejs: It is neither", "formation plugin install language nodejs")
}

// TestFindBesidePulumi finds what the pulumi program on the PATH ships, and
// does not warn of it.
func TestFindBesidePulumi(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	real := filepath.Join(filepath.Dir(p.path), "libexec")
	write(t, filepath.Join(real, "pulumi"), "", 0o755)
	for _, dir := range []string{real} {
		fakeplugin.Link(t, dir, "language", "go")
		fakeplugin.Link(t, dir, "resource", "random")
	}
	if err := os.MkdirAll(p.path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(real, "pulumi"), filepath.Join(p.path, "pulumi")); err != nil {
		t.Fatal(err)
	}
	if path, origin := p.find(plugin.Language, host.Wanted{Name: "go"}); path != "libexec/pulumi-language-go" || origin != host.Shipped {
		t.Errorf("found %s, %d", path, origin)
	}
	if _, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "random"}); !diags.HasErrors() {
		t.Error("found what is not shipped")
	}
	if err := os.Symlink(filepath.Join(real, "pulumi-language-go"), filepath.Join(p.path, "pulumi-language-go")); err != nil {
		t.Fatal(err)
	}
	found, diags := p.opts.Finder.Find(plugin.Language, host.Wanted{Name: "go"})
	if found.Origin != host.FromPath || len(diags) > 0 {
		t.Errorf("found %+v, %v", found, diags)
	}
}

// TestFindOurs finds the bridge under both of its names.
func TestFindOurs(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := filepath.Dir(p.path)
	fakeplugin.Link(t, dir, "resource", "terraform-bridge")
	p.opts.Finder.Programs = []string{write(t, filepath.Join(dir, "formation"), "", 0o755)}
	cached := func(name, version string) string {
		return filepath.Join(p.cache.Dir(concrete(plugin.Resource, name, version)), "pulumi-resource-"+name)
	}
	for _, test := range []struct {
		wanted   host.Wanted
		calledBy string
	}{
		{host.Wanted{Name: "terraform-bridge"}, filepath.Join(dir, "pulumi-resource-terraform-bridge")},
		{host.Wanted{Name: "terraform-provider"}, filepath.Join(dir, "pulumi-resource-terraform-provider")},
		{host.Wanted{Name: "terraform-provider", Constraint: exactly("1.0.2")}, cached("terraform-provider", "1.0.2")},
		{host.Wanted{Name: "terraform-bridge", Constraint: exactly("0.9.0")}, cached("terraform-bridge", "0.9.0")},
		{host.Wanted{Name: "terraform-bridge", Constraint: plugin.AtLeast(exactVersion("0.9.0"))}, filepath.Join(dir, "pulumi-resource-terraform-bridge")},
	} {
		found, diags := p.opts.Finder.Find(plugin.Resource, test.wanted)
		if filepath.Base(found.Path) != "pulumi-resource-terraform-bridge" || found.Origin != host.Shipped || found.CalledBy != test.calledBy {
			t.Errorf("%v is %+v, %v", test.wanted, found, diags)
		}
	}
}

// TestStandIn has a plugin of others installed: ours stays in its shadow,
// unless another version is wanted. Our own name is ours all the same.
func TestStandIn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := filepath.Dir(p.path)
	fakeplugin.Link(t, dir, "resource", "terraform-bridge")
	p.opts.Finder.Programs = []string{write(t, filepath.Join(dir, "formation"), "", 0o755)}
	p.install(plugin.Resource, "terraform-provider", "1.0.2")
	p.install(plugin.Resource, "terraform-bridge", "1.0.2")
	for _, test := range []struct {
		wanted host.Wanted
		origin host.Origin
	}{
		{host.Wanted{Name: "terraform-provider"}, host.FromCache},
		{host.Wanted{Name: "terraform-provider", Constraint: exactly("1.0.2")}, host.FromCache},
		{host.Wanted{Name: "terraform-provider", Constraint: exactly("1.0.3")}, host.Shipped},
		{host.Wanted{Name: "terraform-bridge", Constraint: exactly("1.0.2")}, host.Shipped},
	} {
		if found, diags := p.opts.Finder.Find(plugin.Resource, test.wanted); found.Origin != test.origin {
			t.Errorf("%v is %+v, %v", test.wanted, found, diags)
		}
	}
	all, diags := p.opts.Finder.All(plugin.Resource)
	if len(all) != 2 || all[0].Origin != host.Shipped || all[1].Origin != host.FromCache {
		t.Errorf("all are %+v, %v", all, diags)
	}
}

// TestCalledBy starts a plugin of ours in the place of one of others.
func TestCalledBy(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := filepath.Dir(p.path)
	link := fakeplugin.Link(t, dir, "resource", "terraform-bridge")
	p.opts.Finder.Programs = []string{write(t, filepath.Join(dir, "formation"), "", 0o755)}
	r, diags := p.host().Resource(t.Context(), host.Wanted{Name: "terraform-provider"})
	if r == nil {
		t.Fatal(diags)
	}
	schema, diags := r.Schema(t.Context())
	if !strings.Contains(schema, `"name":"terraform-provider"`) {
		t.Errorf("%s takes itself for %s, %v", link, schema, diags)
	}
	found, _ := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "terraform-provider"})
	other, _ := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "terraform-provider", Constraint: exactly("1.0.2")})
	first, err := found.Fingerprint()
	if second, err2 := other.Fingerprint(); err != nil || err2 != nil || first == second {
		t.Errorf("%v, %v: both have the fingerprint %s", err, err2, first)
	}
}

func TestFindOnPathWarns(t *testing.T) {
	t.Parallel()
	p := fake(t)
	p.install(plugin.Resource, "fake", "1.0.0")
	found, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "fake", Constraint: exactly("9.9.9")})
	if found.Origin != host.FromPath {
		t.Errorf("found %+v", found)
	}
	wantDiag(t, diags, "PH0008", "Using pulumi-resource-fake from the PATH", "PULUMI_IGNORE_AMBIENT_PLUGINS")
}

// TestFindPassesOver names what is on the PATH and is no plugin.
func TestFindPassesOver(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	write(t, filepath.Join(p.path, "pulumi-resource-plain"), "", 0o644)
	if err := os.MkdirAll(filepath.Join(p.path, "pulumi-resource-dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.opts.Finder.Env = append(p.opts.Finder.Env, "PATH="+p.path+":.:relative::"+filepath.Join(p.path, "nowhere"))
	for _, name := range []string{"plain", "dir", "none"} {
		if _, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: name}); !diags.HasErrors() {
			t.Errorf("found %s", name)
		}
	}
}

// TestFindVersion finds one of several installed versions.
func TestFindVersion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, version := range []string{"1.0.0", "1.2.0", "1.10.0", "2.0.0-alpha.1", "3.0.0"} {
		p.install(plugin.Resource, "fake", version)
	}
	write(t, p.cache.Partial(concrete(plugin.Resource, "fake", "3.0.0")), "", 0o600)
	legacy := slices.Concat(p.opts.Finder.Env, host.Environment{"PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH=1"})
	tests := map[string]struct {
		env        host.Environment
		constraint plugin.Constraint
		want       string
		words      string
	}{
		"any":           {nil, plugin.Any(), "1.10.0", ""},
		"exact":         {nil, exactly("1.2.0"), "1.2.0", ""},
		"pre-release":   {nil, exactly("2.0.0-alpha.1"), "2.0.0-alpha.1", ""},
		"at least":      {nil, plugin.AtLeast(concrete(plugin.Resource, "", "1.1.0").Version), "1.10.0", ""},
		"not there":     {nil, exactly("1.1.0"), "", "Cannot find resource plugin fake 1.1.0: Installed is only 1.0.0, 1.10.0, 1.2.0, 2.0.0-alpha.1, 3.0.0. Install it with: formation plugin install resource fake 1.1.0"},
		"legacy":        {legacy, exactly("1.1.0"), "1.10.0", ""},
		"half":          {nil, exactly("3.0.0"), "", "resource plugin fake 3.0.0 is not installed to the end"},
		"legacy, lower": {legacy, exactly("2.1.0"), "", "Cannot find resource plugin fake 2.1.0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finder := p.opts.Finder
			if test.env != nil {
				finder.Env = test.env
			}
			found, diags := finder.Find(plugin.Resource, host.Wanted{Name: "fake", Constraint: test.constraint})
			if test.want == "" {
				wantDiag(t, diags, host.CodeNotFound, test.words)
				return
			}
			if diags.HasErrors() || found.Entry.Version.String() != test.want {
				t.Errorf("found %v, %v", found, diags)
			}
		})
	}
}

// TestAll lists plugins, each once.
func TestAll(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "PULUMI_DEBUG_PROVIDERS=running:1, also:2")
	for _, version := range []string{"1.0.0", "1.10.0", "1.9.0", "2.0.0-alpha.1"} {
		p.install(plugin.Resource, "many", version)
	}
	p.install(plugin.Resource, "also", "1.0.0")
	p.install(plugin.Resource, "own", "1.0.0")
	p.install(plugin.Resource, "ambient", "1.0.0")
	p.install(plugin.Resource, "half", "1.0.0")
	p.install(plugin.Language, "language", "1.0.0")
	write(t, p.cache.Partial(concrete(plugin.Resource, "half", "1.0.0")), "", 0o600)
	write(t, filepath.Join(p.cache.Dir(concrete(plugin.Resource, "empty", "1.0.0")), "README"), "", 0o600)
	fakeplugin.Link(t, p.path, "resource", "ambient")
	fakeplugin.Link(t, p.path, "resource", "unlisted")
	own := fakeplugin.Link(t, filepath.Join(p.project, "own"), "resource", "own")
	p.opts.Finder.Project = []host.ProjectPlugin{
		{Kind: plugin.Resource, Name: "own", Dir: filepath.Dir(own)}, {Kind: plugin.Language, Name: "language", Dir: filepath.Dir(own)},
	}
	all, diags := p.opts.Finder.All(plugin.Resource)
	var got []string
	for _, found := range all {
		line := fmt.Sprint(found.Name, " ", found.Origin)
		if found.Origin == host.FromCache {
			line += " " + found.Entry.Version.String()
		}
		got = append(got, line)
	}
	want := []string{
		fmt.Sprint("also ", host.Attached), fmt.Sprint("ambient ", host.FromPath), fmt.Sprint("many ", host.FromCache, " 1.10.0"),
		fmt.Sprint("own ", host.FromProject), fmt.Sprint("running ", host.Attached),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantDiag(t, diags, host.CodeNotFound, "No resource plugin empty in ")
	wantDiag(t, diags, "PH0008", "Using pulumi-resource-ambient from the PATH")
}

// TestMarkUsed leaves the time of the start for who cleans up.
func TestMarkUsed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install(plugin.Resource, "fake", "1.0.0")
	resource(t, p.host())
	if _, err := os.Stat(p.cache.LastUsed(concrete(plugin.Resource, "fake", "1.0.0"))); err != nil {
		t.Error(err)
	}
}

// TestFindGit finds a plugin below a repository's directory.
func TestFindGit(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := concrete(plugin.Resource, "comp", "1.0.0")
	c.Server = "git://git.example/org/repo/sub/comp"
	write(t, filepath.Join(p.cache.RunDir(c), "PulumiPlugin.yaml"), "runtime: fake\n", 0o600)
	found, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: c.Name, Server: c.Server, Constraint: exactly("1.0.0")})
	if diags.HasErrors() || found.Path != p.cache.RunDir(c) || found.Dir() != found.Path {
		t.Errorf("found %+v, %v", found, diags)
	}
}

// TestFindAtPath takes what the caller names.
func TestFindAtPath(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := filepath.Join(p.project, "built")
	file := fakeplugin.Link(t, dir, "resource", "odd-name")
	empty := filepath.Join(p.project, "empty")
	if err := os.MkdirAll(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, file} {
		found, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Path: path})
		if diags.HasErrors() || found.Path != file || found.Name != "odd-name" || found.Origin != host.FromCaller {
			t.Errorf("found %+v, %v", found, diags)
		}
	}
	for path, words := range map[string]string{
		empty:                  "The directory has neither an executable pulumi-resource-empty nor a PulumiPlugin.yaml",
		p.project + "/nowhere": "There is nothing at " + p.project + "/nowhere.",
	} {
		_, diags := p.opts.Finder.Find(plugin.Resource, host.Wanted{Path: path})
		wantDiag(t, diags, host.CodeNotFound, words)
	}
	_, diags := p.opts.Finder.Find(plugin.Language, host.Wanted{Path: empty})
	wantDiag(t, diags, host.CodeNotFound, "The directory has no executable pulumi-language-empty.")
}

// TestProjectPlugins reads a project with plugins of its own and local
// packages that have local packages.
func TestProjectPlugins(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	main := write(t, filepath.Join(dir, "Pulumi.yaml"), `name: p
runtime: go
packages:
  one: ./components/one
  far: random@1.0.0
plugins:
  providers: [{name: a, version: 1.0.0, path: ../a}, {name: a, version: 2.0.0, path: a2}, {name: bad, version: x, path: a2}, {name: a, version: 1.0.0, path: a2}]
  languages: [{name: l, path: nowhere}]
`, 0o600)
	write(t, filepath.Join(dir, "components", "one", "PulumiPlugin.yaml"), "runtime: go\npackages:\n  two: ../two\n  itself: .\n", 0o600)
	write(t, filepath.Join(dir, "components", "two", "PulumiPlugin.yaml"), "runtime: go\npackages:\n  one: ../one\n", 0o600)
	for _, path := range []string{filepath.Join(dir, "..", "a"), filepath.Join(dir, "a2")} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m, diags := project.Load(main)
	if m == nil {
		t.Fatal(diags)
	}
	plugins, diags := host.ProjectPlugins(m)
	var got []string
	for _, p := range plugins {
		version := ""
		if p.Version != nil {
			version = p.Version.String()
		}
		rel, _ := filepath.Rel(dir, p.Dir)
		got = append(got, string(p.Kind)+" "+p.Name+" "+version+" "+filepath.ToSlash(rel))
	}
	want := []string{
		"resource a 1.0.0 ../a", "resource a 2.0.0 a2", "resource one  components/one",
		"resource two  components/two", "resource one  components/one", "resource itself  components/one",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantDiag(t, diags, "PH0010", `Invalid version of plugin bad: "x" is not`)
	wantDiag(t, diags, "PH0011", "No directory for plugin l")
	wantDiag(t, diags, "PH0012", "resource plugin a 1.0.0 comes twice")
	p := newPlace(t)
	p.opts.Finder.Project = plugins
	_, diags = p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "a", Constraint: exactly("3.0.0")})
	wantDiag(t, diags, host.CodeNotFound, "Cannot find resource plugin a 3.0.0")
	_, diags = p.opts.Finder.Find(plugin.Resource, host.Wanted{Name: "a", Constraint: exactly("2.0.0")})
	wantDiag(t, diags, host.CodeNotFound, "No resource plugin a in "+filepath.Join(dir, "a2"))
}
