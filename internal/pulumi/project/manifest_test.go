package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// sum is a SHA-256 in hexadecimal.
const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestDecode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file, src string
		want      project.Manifest
	}{
		"smallest": {"Pulumi.yaml", "name: p\nruntime: yaml\n", project.Manifest{Name: "p", Runtime: project.Runtime{Name: "yaml"}}},
		"runtime with options": {"Pulumi.yaml", `
name: p
runtime:
  name: nodejs
  options:
    typescript: false
    nodeargs: --trace
    depth: 3
    ratio: 1.5
    list: [a, {b: null}]
main: src
backend: {url: "file://state"}
description: What it does.
requiredPulumiVersion: ">=3.0.0"
`, project.Manifest{
			Name: "p", Main: "src", Backend: "file://state", Description: "What it does.", RequiredPulumiVersion: ">=3.0.0",
			Runtime: project.Runtime{Name: "nodejs", Options: map[string]any{
				"typescript": false, "nodeargs": "--trace", "depth": 3, "ratio": 1.5, "list": []any{"a", map[string]any{"b": nil}},
			}},
		}},
		"packages": {"Pulumi.yaml", `
name: p
runtime: go
packages:
  random: random@4.16.0
  bare: random
  local: ./components/local
  git: github.com/org/repo/sub@v1.2.0
  tls:
    source: terraform-provider
    version: 1.10
    parameters:
      - hashicorp/tls
      - 4
  extended:
    source: kubernetes
    extensions: [crds.yaml]
    pluginDownloadURL: https://plugins.example/${NAME}
    checksums:
      linux-amd64: ` + sum + `
`, project.Manifest{
			Name: "p", Runtime: project.Runtime{Name: "go"},
			Packages: []project.Package{
				{Name: "random", PackageSpec: project.PackageSpec{Source: "random", Version: "4.16.0"}},
				{Name: "bare", PackageSpec: project.PackageSpec{Source: "random"}},
				{Name: "local", PackageSpec: project.PackageSpec{Source: "./components/local"}},
				{Name: "git", PackageSpec: project.PackageSpec{Source: "github.com/org/repo/sub", Version: "v1.2.0"}},
				{Name: "tls", PackageSpec: project.PackageSpec{
					Source: "terraform-provider", Version: "1.10", Parameters: []string{"hashicorp/tls", "4"},
				}},
				{Name: "extended", PackageSpec: project.PackageSpec{
					Source: "kubernetes", Extensions: []string{"crds.yaml"}, PluginDownloadURL: "https://plugins.example/${NAME}",
					Checksums: map[string][]byte{"linux-amd64": digest()},
				}},
			},
		}},
		"plugins": {"Pulumi.yaml", `
name: p
runtime: go
plugins:
  providers:
    - {name: a, path: ../a}
    - name: b
      version: 1.0.0
      path: /opt/b
  languages: [{name: x, path: x}]
  analyzers: [{name: y, path: y}]
`, project.Manifest{
			Name: "p", Runtime: project.Runtime{Name: "go"},
			Plugins: project.Plugins{
				Providers: []project.PluginOption{{Name: "a", Path: "../a"}, {Name: "b", Version: "1.0.0", Path: "/opt/b"}},
				Languages: []project.PluginOption{{Name: "x", Path: "x"}},
				Analyzers: []project.PluginOption{{Name: "y", Path: "y"}},
			},
		}},
		"JSON": {"Pulumi.json", "{\n\t\"name\": \"p\",\n\t\"runtime\": {\"name\": \"go\"},\n\t\"packages\": {\"a\": \"a@1.0.0\"}\n}", project.Manifest{
			Name: "p", Runtime: project.Runtime{Name: "go"},
			Packages: []project.Package{{Name: "a", PackageSpec: project.PackageSpec{Source: "a", Version: "1.0.0"}}},
		}},
		"plugin": {"PulumiPlugin.yaml", "runtime: nodejs\npackages: {}\n", project.Manifest{Kind: project.Plugin, Runtime: project.Runtime{Name: "nodejs"}}},
		"policy": {"PulumiPolicy.yml", "\ufeffruntime: python\r\nversion: 1.0.0\r\n", project.Manifest{Kind: project.Policy, Runtime: project.Runtime{Name: "python"}}},
		"anchors and merges": {"Pulumi.yaml", `
name: p
runtime: go
defaults: &defaults {version: 2.0.0, parameters: [x]}
packages:
  a: &a
    <<: *defaults
    source: one
  b:
    <<: [*a, *defaults]
    version: 3.0.0
`, project.Manifest{
			Name: "p", Runtime: project.Runtime{Name: "go"},
			Packages: []project.Package{
				{Name: "a", PackageSpec: project.PackageSpec{Source: "one", Version: "2.0.0", Parameters: []string{"x"}}},
				{Name: "b", PackageSpec: project.PackageSpec{Source: "one", Version: "3.0.0", Parameters: []string{"x"}}},
			},
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := project.Decode(test.file, []byte(test.src))
			if len(diags) > 0 {
				t.Fatal(diags.Err(), diags)
			}
			test.want.Path, test.want.Source = test.file, []byte(test.src)
			if diff := cmp.Diff(&test.want, got, withoutPlaces(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// withoutPlaces compares manifests by what they say, not where.
func withoutPlaces() cmp.Option {
	return cmp.Options{
		cmpopts.IgnoreTypes(hcl.Range{}),
		cmpopts.IgnoreUnexported(project.Manifest{}, project.Package{}),
	}
}

func digest() []byte {
	m, _ := project.Decode("Pulumi.yaml", []byte("{name: p, runtime: go, packages: {a: {source: a, checksums: {x: "+sum+"}}}}"))
	return m.Packages[0].Checksums["x"]
}

// TestDecodeRefuses compares what is wrong with files, and where.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const head = "name: p\nruntime: go\n"
	tests := map[string]struct {
		file, src string
		want      []string
	}{
		"empty":           {"Pulumi.yaml", "", []string{"Pulumi.yaml:1,1-1: Pulumi.yaml holds no object"}},
		"a list":          {"Pulumi.yaml", "- a\n", []string{"Pulumi.yaml:1,1-1: Pulumi.yaml holds no object"}},
		"no YAML":         {"Pulumi.yaml", "a: [", []string{"Pulumi.yaml is not valid YAML"}},
		"no text":         {"Pulumi.yaml", "\xff\xfe", []string{"Pulumi.yaml is not valid YAML: it is not text in UTF-8."}},
		"nothing in it":   {"Pulumi.yaml", "main: x\n", []string{`Pulumi.yaml:1,1-1: Pulumi.yaml has no "name"`, `Pulumi.yaml:1,1-1: Pulumi.yaml has no "runtime"`}},
		"plugin":          {"PulumiPlugin.yaml", "{}", []string{`PulumiPlugin.yaml:1,1-1: PulumiPlugin.yaml has no "runtime"`}},
		"name is a list":  {"Pulumi.yaml", "name: [p]\nruntime: go\n", []string{"Pulumi.yaml:1,7-10: Not text", `Pulumi.yaml:1,1-1: Pulumi.yaml has no "name"`}},
		"packages a list": {"Pulumi.yaml", head + "packages:\n  - a\n", []string{"Pulumi.yaml:4,3-6: Not an object"}},
		"no source": {"Pulumi.yaml", head + "packages:\n  a:\n    version: 1.0.0\n  b:\n", []string{
			`Pulumi.yaml:5,5-19: Package "a" has no source`, `Pulumi.yaml:6,5-5: Package "b" has no source`,
		}},
		"unknown field": {"Pulumi.yaml", head + "packages:\n  a: {source: a, parameter: [x], source: b}\n", []string{
			`Pulumi.yaml:4,34-40: "source" stands here a second time`,
			`Pulumi.yaml:4,18-27: Unknown field "parameter": It has no effect here. Did you mean "parameters"?`,
		}},
		"bad checksum": {"Pulumi.yaml", head + "packages:\n  a: {source: a, checksums: {linux-amd64: 'not''one'}}\n", []string{
			"Pulumi.yaml:4,43-53: Invalid checksum for linux-amd64",
		}},
		"half a plugin": {"Pulumi.yaml", head + "plugins:\n  providers:\n  - name: a\n  provider: x\n", []string{
			`Pulumi.yaml:6,3-11: Unknown field "provider": It has no effect here. Did you mean "providers"?`, "Pulumi.yaml:5,5-12: Incomplete plugin",
		}},
		"endless alias": {"Pulumi.yaml", head + "packages: &p\n  a: *p\n", []string{`Pulumi.yaml:4,3-4: Unknown field "a"`, `Pulumi.yaml:4,6-8: Package "a" has no source`}},
		"laughs": {"Pulumi.yaml", "name: p\nruntime:\n  name: go\n  options:\n    a: &a [1,1,1,1,1,1,1,1,1,1]\n    b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" +
			"    c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n    d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n    e: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n",
			[]string{"Pulumi.yaml:9,8-39: Unusable value: it stands for too large a value."}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := project.Decode(test.file, []byte(test.src))
			if got != nil && diags.HasErrors() {
				t.Error("there is a manifest beside errors")
			}
			wantDiags(t, diags, test.want)
		})
	}
}

// wantDiags compares how diagnostics begin, in any order.
func wantDiags(t *testing.T, diags diag.List, want []string) {
	t.Helper()
	if len(diags) != len(want) {
		t.Errorf("got %d diagnostics, want %d: %v", len(diags), len(want), diags)
	}
	for _, begin := range want {
		found := false
		for _, d := range diags {
			found = found || strings.HasPrefix(d.Error(), begin)
		}
		if !found {
			t.Errorf("no diagnostic begins with %q in\n%v", begin, diags)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	inner := filepath.Join(root, "a", "b")
	write(t, filepath.Join(inner, "c", "PulumiPlugin.yaml"), "runtime: go\n")
	write(t, filepath.Join(root, "Pulumi.yml"), "name: p\nruntime: go\n")
	if err := os.Mkdir(filepath.Join(root, "a", "Pulumi.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, ok := project.Find(inner, project.Program); !ok || path != filepath.Join(root, "Pulumi.yml") {
		t.Errorf("found %q, %v", path, ok)
	}
	if path, ok := project.Find(inner, project.Plugin); ok {
		t.Errorf("found %q below", path)
	}
	if path, ok := project.In(filepath.Join(inner, "c"), project.Plugin); !ok || filepath.Base(path) != "PulumiPlugin.yaml" {
		t.Errorf("found %q, %v", path, ok)
	}
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadAndSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real := write(t, filepath.Join(dir, "elsewhere", "real.yaml"), "name: p\nruntime: go\nmain: src/index.ts\n")
	write(t, filepath.Join(dir, "src", "index.ts"), "")
	link := filepath.Join(dir, "Pulumi.yaml")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	m, diags := project.Load(link)
	if m == nil {
		t.Fatal(diags)
	}
	if m.Dir() != dir || m.ProgramDir() != filepath.Join(dir, "src") {
		t.Errorf("in %s, program in %s", m.Dir(), m.ProgramDir())
	}
	m, diags = m.WithPackage("a", project.PackageSpec{Source: "a"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(real)
	if err != nil || !strings.HasSuffix(string(saved), "packages:\n  a: a\n") {
		t.Errorf("saved %q, %v", saved, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info, err)
	}
	if _, diags := project.Load(filepath.Join(dir, "gone.yaml")); len(diags) != 1 || !strings.HasPrefix(diags[0].Summary, "There is no file ") {
		t.Error(diags)
	}
}

func TestRequirement(t *testing.T) {
	t.Parallel()
	for requirement, want := range map[string][]string{
		"":                 nil,
		">=3.0.0 <4.0.0":   nil,
		"<3.0.0 || >3.5.0": nil,
		">=4.0.0":          {"Pulumi.yaml:3,24-33: Another version of Pulumi is required: It needs >=4.0.0, and this program does what Pulumi 3.100.0 does."},
		"latest":           {`Pulumi.yaml:3,24-32: Invalid range of versions "latest"`},
	} {
		m, diags := project.Decode("Pulumi.yaml", []byte("name: p\nruntime: go\nrequiredPulumiVersion: \""+requirement+"\"\n"))
		if m == nil {
			t.Fatal(diags)
		}
		wantDiags(t, m.CheckRequirement(semver.MustParse("3.100.0")), want)
	}
}

// FuzzRequirement holds ranges to their meaning: one is invalid, or a version
// meets it or not.
func FuzzRequirement(f *testing.F) {
	for _, seed := range []string{">=3.0.0 <4.0.0 || !3.1.2", "3.x", "", "><", "!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, requirement string) {
		m := &project.Manifest{RequiredPulumiVersion: requirement}
		if diags := m.CheckRequirement(semver.MustParse("3.100.0")); len(diags) > 1 || len(diags) == 1 && !diags.HasErrors() {
			t.Fatal(diags)
		}
	})
}
