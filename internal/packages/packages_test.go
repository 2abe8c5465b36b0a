package packages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// world is a project beside a bridge, with a cache of its own.
type world struct {
	dir, starts string
	cache       plugin.Cache
}

// newWorld writes a project of a language; "" writes none.
func newWorld(t *testing.T, runtime string) world {
	t.Helper()
	root := t.TempDir()
	w := world{dir: filepath.Join(root, "project"), starts: filepath.Join(root, "starts"), cache: plugin.Cache{Root: filepath.Join(root, "plugins")}}
	if err := os.Mkdir(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if runtime != "" {
		w.write(t, "Pulumi.yaml", "name: shop # ours\nruntime: "+runtime+"\n")
	}
	return w
}

func (w world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w world) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// packages joins what a command would.
func (w world) packages(t *testing.T) *packages.Packages {
	t.Helper()
	env := host.Environment{
		"PATH=" + os.Getenv("PATH"), "PULUMI_HOME=" + filepath.Dir(w.cache.Root), "FAKE_STARTS=" + w.starts,
		"PULUMI_IGNORE_AMBIENT_PLUGINS=true", "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR=", "WIDE_TYPES=3",
	}
	finder := host.Finder{Env: env, Cache: w.cache, Programs: []string{build.Command(t, "cmd/pulumi-resource-terraform-bridge")}}
	h, err := host.New(t.Context(), host.Options{Finder: finder, Env: env, WorkDir: w.dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	sources, diags := source.New(source.Options{Env: env.Lookup, Offline: true})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	ambient := func(kind plugin.Kind, name string) (string, bool) {
		found, diags := finder.Find(kind, host.Wanted{Name: name})
		return found.Path, !diags.HasErrors() && found.Origin == host.Shipped
	}
	opts := packages.Options{
		Installer: install.New(install.Options{Cache: w.cache, Sources: sources, Ambient: ambient, Env: env.Lookup}),
		Host:      h, Store: broker.Store{Dir: filepath.Join(filepath.Dir(w.cache.Root), "answers")}, WorkDir: w.dir,
	}
	if path, ok := project.In(w.dir, project.Program); ok {
		if opts.Project, diags = project.Load(path); diags.HasErrors() {
			t.Fatal(diags)
		}
	}
	return packages.New(opts)
}

// fake puts the resource plugin fake, version 1.0.0, into the cache.
func (w world) fake(t *testing.T) plugin.Concrete {
	t.Helper()
	p := plugin.Concrete{Kind: plugin.Resource, Name: "fake", Version: semver.MustParse("1.0.0")}
	fakeplugin.Link(t, w.cache.Dir(p), "resource", "fake")
	return p
}

// count is how often plugins were started.
func (w world) count() int {
	data, err := os.ReadFile(w.starts)
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

func wide(t *testing.T, more ...string) packages.Source {
	t.Helper()
	return packages.Source{Text: "terraform-bridge", Args: append([]string{build.Binary(t, "terraform-provider-wide")}, more...)}
}

func noErrors(t *testing.T, diags diag.List) {
	t.Helper()
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
}

func wantCode(t *testing.T, diags diag.List, code, says string) {
	t.Helper()
	for _, d := range diags.Errors() {
		if d.Code == code && strings.Contains(d.Summary+"\n"+d.Detail, says) {
			return
		}
	}
	t.Errorf("want %s with %q: %v", code, says, diags.Err())
}

// TestAddAgain adds a package twice: the second time changes no file, and
// another selection of the same provider takes the first one's place.
func TestAddAgain(t *testing.T) {
	t.Parallel()
	for _, runtime := range []string{"yaml", "nodejs", "python", "go"} {
		t.Run(runtime, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, runtime)
			w.write(t, "package.json", "{}\n")
			w.write(t, "requirements.txt", "")
			w.write(t, "go.mod", "module shop\n\ngo 1.24\n")
			first, diags := w.packages(t).Add(t.Context(), wide(t))
			noErrors(t, diags)
			before := tree(t, w.dir)
			second, diags := w.packages(t).Add(t.Context(), wide(t))
			noErrors(t, diags)
			if diff := cmp.Diff(first, second, cmpopts.IgnoreFields(packages.Added{}, "Plugin")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
				t.Error(diff)
			}
			_, diags = w.packages(t).Add(t.Context(), wide(t, "--provider-name", "other"))
			noErrors(t, diags)
			text := w.read(t, "Pulumi.yaml")
			if !strings.Contains(text, "# ours") || !strings.Contains(text, "\n  wide:") || !strings.Contains(text, "\n  other:") {
				t.Errorf("it says\n%s", text)
			}
		})
	}
}

// TestSelection adds some of a package, and then all of it.
func TestSelection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "nodejs")
	w.write(t, "package.json", "{}\n")
	some := wide(t)
	some.Selection = pschema.Selection{Include: []string{"Thing000[01]"}, Exclude: []string{"wide:index:Thing0001"}}
	for _, step := range []struct {
		source  packages.Source
		classes string
		says    string
	}{
		{some, "provider.ts thing0000.ts", "formation:\n  sdks:\n    wide:\n      include:\n        - Thing000[01]\n      exclude:\n        - wide:index:Thing0001\n"},
		{wide(t), "provider.ts thing0000.ts thing0001.ts thing0002.ts", ""},
	} {
		_, diags := w.packages(t).Add(t.Context(), step.source)
		noErrors(t, diags)
		_, says, _ := strings.Cut(w.read(t, "Pulumi.yaml"), "formation:")
		if _, wanted, _ := strings.Cut(step.says, "formation:"); says != wanted {
			t.Errorf("Pulumi.yaml says\n%s", w.read(t, "Pulumi.yaml"))
		}
		var classes []string
		for _, name := range slices.Sorted(maps.Keys(tree(t, filepath.Join(w.dir, "sdks", "wide")))) {
			if name = strings.TrimPrefix(name, "/"); strings.HasPrefix(name, "thing") || name == "provider.ts" {
				classes = append(classes, name)
			}
		}
		if got := strings.Join(classes, " "); got != step.classes {
			t.Errorf("the SDK has %s, want %s", got, step.classes)
		}
	}
}

// TestSelectionHasNoPlace warns where a selection is not recorded: where it
// would have no effect, and where there is no entry to record it with.
func TestSelectionHasNoPlace(t *testing.T) {
	t.Parallel()
	for runtime, code := range map[string]string{"yaml": "PG0023", "nodejs": "PG0022"} {
		w := newWorld(t, runtime)
		w.write(t, "package.json", "{}\n")
		source := wide(t)
		if runtime != "yaml" {
			w.write(t, "toy.json", `{"name": "toy", "version": "1.0.0", "resources": {"toy:index:A": {}, "toy:index:B": {}}}`)
			source = packages.Source{Text: "toy.json"}
		}
		source.Selection = pschema.Selection{Exclude: []string{"[AT]*"}}
		if runtime == "yaml" {
			source.Selection.Exclude = []string{"*[01]"}
		}
		_, diags := w.packages(t).Add(t.Context(), source)
		noErrors(t, diags)
		if len(diags) != 1 || diags[0].Code != code {
			t.Errorf("%s: %v", runtime, diags)
		}
		if text := w.read(t, "Pulumi.yaml"); strings.Contains(text, "formation:") {
			t.Errorf("%s: Pulumi.yaml says\n%s", runtime, text)
		}
	}
}

// TestSelectionOfVersion selects of a package whose version is replaced.
func TestSelectionOfVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.write(t, "toy.json", `{"name": "toy", "version": "1.0.0", "resources": {"toy:index:A": {}, "toy:index:B": {}}}`)
	source := packages.Source{Text: "toy.json", Selection: pschema.Selection{Include: []string{"A"}}}
	_, diags := w.packages(t).Generate(t.Context(), packages.GenerateRequest{
		Source: source, Languages: []string{"python"}, Out: filepath.Join(w.dir, "sdk"), Version: "2.3.4",
	})
	noErrors(t, diags)
	files := tree(t, filepath.Join(w.dir, "sdk", "python"))
	if _, ok := files["/pulumi_toy/b.py"]; ok || files["/pulumi_toy/a.py"] == "" || !strings.Contains(w.read(t, "sdk/python/pyproject.toml"), "2.3.4") {
		t.Errorf("it has %v", slices.Sorted(maps.Keys(files)))
	}
}

// tree is what is in a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestConflict refuses a name that another source has, before it writes.
func TestConflict(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "yaml\npackages:\n  wide: acme/wide@1.0.0")
	before := tree(t, w.dir)
	_, diags := w.packages(t).Add(t.Context(), wide(t))
	wantCode(t, diags, "PG0007", "comes from acme/wide already")
	if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
		t.Error(diff)
	}
}

// TestSchemaIsKept starts a plugin once for a schema without arguments, and
// every time for one with.
func TestSchemaIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.fake(t)
	for _, step := range []struct {
		args   []string
		starts int
	}{{nil, 1}, {nil, 1}, {[]string{"made", "2.0.0"}, 2}, {[]string{"made", "2.0.0"}, 3}} {
		pkg, diags := w.packages(t).Open(t.Context(), packages.Source{Text: "fake", Args: step.args})
		if step.args != nil { // the fake's schema says nothing of them
			wantCode(t, diags, "PG0004", `"made"`)
		} else if noErrors(t, diags); pkg.Bound.Name() != "fake" {
			t.Errorf("the package is %s", pkg.Bound.Name())
		}
		if got := w.count(); got != step.starts {
			t.Errorf("after %q: %d starts, want %d", step.args, got, step.starts)
		}
	}
}

// TestDocument lays schemas out: always the same, whether it is from an earlier
// run or not.
func TestDocument(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.fake(t)
	open := func(s packages.Source) string {
		t.Helper()
		pkg, diags := w.packages(t).Open(t.Context(), s)
		noErrors(t, diags)
		return pkg.Schema
	}
	file := filepath.Join(w.dir, "wide.json")
	if err := os.WriteFile(file, []byte(open(wide(t))), 0o600); err != nil {
		t.Fatal(err)
	}
	part := wide(t)
	part.Selection = pschema.Selection{Include: []string{"Thing0000"}}
	for name, s := range map[string]packages.Source{
		"plain": {Text: "fake"}, "arguments": wide(t), "other arguments": wide(t, "--provider-name", "other"), "file": {Text: file}, "part": part,
	} {
		var want bytes.Buffer
		if err := json.Indent(&want, []byte(open(s)), "", "  "); err != nil {
			t.Fatal(err)
		}
		want.WriteByte('\n')
		for range 3 {
			document, diags := w.packages(t).Document(t.Context(), s)
			noErrors(t, diags)
			var got bytes.Buffer
			if err := document.Write(&got); err != nil {
				t.Fatal(err)
			}
			document.Close()
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
	_, diags := w.packages(t).Document(t.Context(), packages.Source{Text: "fake", Args: []string{"made"}})
	wantCode(t, diags, "PG0004", `"made"`)
}

// TestNotToBeHad names what is missing, and what may have been meant.
func TestNotToBeHad(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "yaml")
	w.fake(t)
	before := tree(t, w.dir)
	_, diags := w.packages(t).Add(t.Context(), packages.Source{Text: "fakk"})
	wantCode(t, diags, "PS0014", "fakk")
	if last := diags[len(diags)-1]; last.Code != "PG0021" || !strings.Contains(last.Detail, `"fake"`) {
		t.Errorf("no hint: %v", diags)
	}
	if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
		t.Error(diff)
	}
	for name, s := range map[string]packages.Source{
		"PG0001": {Text: "./x.json", Args: []string{"a"}},
		"PG0002": {Text: "./nothing.json"},
	} {
		_, diags := w.packages(t).Open(t.Context(), s)
		wantCode(t, diags, name, s.Text)
	}
}

// TestMistakesOfTheWhole has a schema whose mistakes no single member shows.
// They stop an SDK before a file of it is written.
func TestMistakesOfTheWhole(t *testing.T) {
	t.Parallel()
	for code, schema := range map[string]string{
		"PS0050": `{"name": "p", "version": "1.0.0", "types": {"p:../m:R": {"type": "object"}}}`,
		"PS0051": `{"name": "p", "version": "1.0.0", "resources": {"p:m:R": {}}, "functions": {"p:M:r": {}}}`,
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "nodejs")
			w.write(t, "package.json", "{}\n")
			w.write(t, "p.json", schema)
			before := tree(t, w.dir)
			_, diags := w.packages(t).Add(t.Context(), packages.Source{Text: "./p.json"})
			wantCode(t, diags, code, "p:")
			if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUnwritable has an SDK that cannot be written leave the one before, and
// no entry in Pulumi.yaml.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "nodejs")
	w.write(t, "package.json", "{}\n")
	w.write(t, "sdks", "a file where the directory would be")
	before := tree(t, w.dir)
	_, diags := w.packages(t).Add(t.Context(), wide(t))
	wantCode(t, diags, "PG0010", "sdks")
	if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
		t.Error(diff)
	}
}

// TestResolvePackage tells plugins what a package is made of.
func TestResolvePackage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.fake(t)
	p := w.packages(t)
	made, diags := p.ResolvePackage(t.Context(), project.PackageSpec{Source: "terraform-bridge", Parameters: wide(t).Args})
	noErrors(t, diags)
	if got := made.Parameterization; made.Plugin.Name != "terraform-bridge" || got == nil || got.Name != "wide" || len(got.Value) == 0 {
		t.Errorf("%+v", made)
	}
	plain, diags := p.ResolvePackage(t.Context(), project.PackageSpec{Source: "fake", Version: "1.0.0"})
	noErrors(t, diags)
	if plain.Plugin.String() != "resource plugin fake 1.0.0" || plain.Parameterization != nil {
		t.Errorf("%+v", plain)
	}
	schema, diags := p.Schema(t.Context(), plugin.Descriptor{
		Kind: plugin.Resource, Source: "terraform-bridge", Parameterization: plugin.Parameterization{Value: made.Parameterization},
	})
	noErrors(t, diags)
	if !strings.Contains(schema, `"wide"`) {
		t.Errorf("the schema is %.80s", schema)
	}
}

// TestInterrupted gives up at once and leaves the project as it was.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "yaml")
	before := tree(t, w.dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, diags := w.packages(t).Add(ctx, wide(t)); !diags.HasErrors() {
		t.Error("it went on")
	}
	if diff := cmp.Diff(before, tree(t, w.dir)); diff != "" {
		t.Error(diff)
	}
}

// TestAddTo writes an SDK where there is no project, and refuses a language
// where there is one.
func TestAddTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	added, diags := w.packages(t).AddTo(t.Context(), wide(t), "TypeScript")
	noErrors(t, diags)
	if added.Runtime != "nodejs" || added.SDK != "sdks/wide" {
		t.Errorf("%+v", added)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "sdks", "wide", "package.json")); err != nil {
		t.Error(err)
	}
	_, diags = newWorld(t, "yaml").packages(t).AddTo(t.Context(), wide(t), "go")
	wantCode(t, diags, "PG0019", "yaml")
	_, diags = w.packages(t).Add(t.Context(), wide(t))
	wantCode(t, diags, "PG0006", "--language")
}

// TestLinkBeforeItIsInstalled links a package whose plugin is complete but for
// plugins that it needs beside, as it is while an installation is under way.
func TestLinkBeforeItIsInstalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "yaml\npackages:\n  fake: fake@1.0.0")
	fake := w.fake(t)
	if err := os.WriteFile(w.cache.Partial(fake), []byte("formation: complete, but for plugins that it needs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, diags := project.Load(filepath.Join(w.dir, "Pulumi.yaml"))
	noErrors(t, diags)
	descriptor := plugin.Descriptor{Kind: plugin.Resource, Source: "fake", Constraint: plugin.Exactly(fake.Version)}
	diags = w.packages(t).Link(t.Context(), m, []install.Installed{{
		Name: "fake", Descriptor: descriptor, Resolution: install.Resolution{Plugin: fake, State: plugin.Present}, Path: w.cache.Dir(fake),
	}})
	noErrors(t, diags)
	if locks, err := filepath.Glob(filepath.Join(w.dir, "sdks", "fake", "*.yaml")); err != nil || len(locks) != 1 {
		t.Errorf("%q, %v", locks, err)
	}
}
