package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

type edit func(*project.Manifest) (*project.Manifest, diag.List)

func add(name string, spec project.PackageSpec) edit {
	return func(m *project.Manifest) (*project.Manifest, diag.List) { return m.WithPackage(name, spec) }
}

func drop(name string) edit {
	return func(m *project.Manifest) (*project.Manifest, diag.List) { return m.WithoutPackage(name) }
}

func provider(option project.PluginOption) edit {
	return func(m *project.Manifest) (*project.Manifest, diag.List) { return m.WithProvider(option) }
}

func sdk(name string, include, exclude []string) edit {
	return func(m *project.Manifest) (*project.Manifest, diag.List) {
		return m.WithSDK(project.SDK{Package: name, Include: include, Exclude: exclude})
	}
}

func plainSpec() project.PackageSpec {
	return project.PackageSpec{Source: "random", Version: "4.16.0"}
}

func bridgedSpec() project.PackageSpec {
	return project.PackageSpec{Source: "terraform-provider", Version: "0.8.1", Parameters: []string{"hashicorp/tls", "4.0"}}
}

// TestEdit compares whole files, before and after.
func TestEdit(t *testing.T) {
	t.Parallel()
	const head = "name: p\nruntime: go\n"
	tests := map[string]struct {
		before string
		edit   edit
		after  string
	}{
		"first package":          {head, add("random", plainSpec()), head + "packages:\n  random: random@4.16.0\n"},
		"no final newline":       {"name: p\nruntime: go", add("random", plainSpec()), head + "packages:\n  random: random@4.16.0"},
		"parameterized":          {head, add("tls", bridgedSpec()), head + "packages:\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n      - hashicorp/tls\n      - \"4.0\"\n"},
		"first SDK":              {head, sdk("tls", []string{"Cert*", "get*"}, []string{"p:m:X"}), head + "formation:\n  sdks:\n    tls:\n      include:\n        - Cert*\n        - get*\n      exclude:\n        - p:m:X\n"},
		"second SDK":             {head + "formation:\n  sdks: # some\n    a: {include: [X]}\n", sdk("tls", nil, []string{"*"}), head + "formation:\n  sdks: # some\n    a: {include: [X]}\n    tls:\n      exclude:\n        - '*'\n"},
		"another SDK":            {head + "formation:\n  sdks:\n    a: {include: [X]} # one\n", sdk("a", []string{"Y"}, nil), head + "formation:\n  sdks:\n    a: {include: [\"Y\"]} # one\n"},
		"the same SDK":           {head + "formation: {sdks: {a: {include: [X]}}}\n", sdk("a", []string{"X"}, nil), head + "formation: {sdks: {a: {include: [X]}}}\n"},
		"all of one package":     {head + "formation:\n  sdks:\n    a: {include: [X]}\n    b: {exclude: [X]}\n", sdk("a", nil, nil), head + "formation:\n  sdks:\n    b: {exclude: [X]}\n"},
		"all of every package":   {head + "formation:\n  sdks:\n    a: {include: [X]}\nmain: src\n", sdk("a", nil, nil), head + "main: src\n"},
		"all of what had no SDK": {head, sdk("a", nil, nil), head},
		"nothing to be done":     {head + "packages:   {random:   'random@4.16.0'}\n", add("random", plainSpec()), head + "packages:   {random:   'random@4.16.0'}\n"},
		"packages is null":       {head + "packages: # none yet\nmain: src\n", add("random", plainSpec()), head + "packages: # none yet\n  random: random@4.16.0\nmain: src\n"},
		"packages is empty":      {head + "packages: {}  # none yet\nmain: src\n", add("random", plainSpec()), head + "packages: {\"random\": \"random@4.16.0\"}  # none yet\nmain: src\n"},
		"at the end, between comments": {
			`# Our project.
name: p   # its name
runtime: go

packages:      # what we use
    aws: aws@6.0.0   # pinned

    # The old one.
    gcp: gcp@7.0.0   # why
    # commented-out: x

# The end.
`, add("random", plainSpec()), `# Our project.
name: p   # its name
runtime: go

packages:      # what we use
    aws: aws@6.0.0   # pinned

    # The old one.
    gcp: gcp@7.0.0   # why
    random: random@4.16.0
    # commented-out: x

# The end.
`},
		"version of the short form": {
			head + "packages:\n  'random':   random@1.0.0 # pinned\n  x: y\n", add("random", plainSpec()),
			head + "packages:\n  'random':   random@4.16.0 # pinned\n  x: y\n",
		},
		"short to long": {
			head + "packages:\n  tls: terraform-provider@0.8.1   # later\nmain: x\n", add("tls", bridgedSpec()),
			head + "packages:\n  tls:   # later\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n      - hashicorp/tls\n      - \"4.0\"\nmain: x\n",
		},
		"long stays long": {
			head + `packages:
  random: # the first
    # where from
    source: "other"   # changes
    version: '4.16.0' # stays
    parameters: [a,
      b]   # goes
    # the last
  x: y
`, add("random", plainSpec()), head + `packages:
  random: # the first
    # where from
    source: random   # changes
    version: '4.16.0' # stays
    # the last
  x: y
`},
		"parameters one by one": {
			head + "packages:\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n    - hashicorp/tls   # which\n    - '3.0'   # version\n    - --include\n",
			add("tls", bridgedSpec()),
			head + "packages:\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n    - hashicorp/tls   # which\n    - \"4.0\"   # version\n",
		},
		"more parameters": {
			head + "packages:\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n    - hashicorp/tls # which\n", add("tls", bridgedSpec()),
			head + "packages:\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n    - hashicorp/tls # which\n    - \"4.0\"\n",
		},
		"as the others are": {
			head + "packages:\n  a:\n    source: a\n", add("random", plainSpec()),
			head + "packages:\n  a:\n    source: a\n  random:\n    source: random\n    version: 4.16.0\n",
		},
		"flow": {
			head + "packages: {a: a@1.0.0, b: {source: b, parameters: [x]}, }\n", add("random", plainSpec()),
			head + "packages: {a: a@1.0.0, b: {source: b, parameters: [x]}, \"random\": \"random@4.16.0\", }\n",
		},
		"windows": {
			"name: p\r\nruntime: go\r\npackages:\r\n  a: a\r\n", add("tls", bridgedSpec()),
			"name: p\r\nruntime: go\r\npackages:\r\n  a: a\r\n  tls:\r\n    source: terraform-provider\r\n    version: 0.8.1\r\n    parameters:\r\n      - hashicorp/tls\r\n      - \"4.0\"\r\n",
		},
		"byte order mark": {"\ufeff" + head + "packages:\n  a: a\n", add("a", plainSpec()), "\ufeff" + head + "packages:\n  a: random@4.16.0\n"},
		"after a text block": {
			head + "packages:\n  a:\n    source: |-\n      multi\n\n      line # no comment\n\nmain: x\n", add("tls", bridgedSpec()),
			head + "packages:\n  a:\n    source: |-\n      multi\n\n      line # no comment\n  tls:\n    source: terraform-provider\n    version: 0.8.1\n    parameters:\n      - hashicorp/tls\n      - \"4.0\"\n\nmain: x\n",
		},
		"strange names": {
			head + "packages: {}\n", add("on: # \"x\"", project.PackageSpec{Source: "git@host:x", Version: "1"}),
			head + "packages: {\"on: # \\\"x\\\"\": {\"source\": \"git@host:x\", \"version\": \"1\"}}\n",
		},
		"checksums": {
			head, add("a", project.PackageSpec{Source: "a", Checksums: map[string][]byte{"linux-amd64": digest()}, PluginDownloadURL: "https://x", Extensions: []string{"e"}}),
			head + "packages:\n  a:\n    source: a\n    checksums:\n      linux-amd64: ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\n    pluginDownloadURL: https://x\n    extensions:\n      - e\n",
		},
		"JSON": {
			"{\n    \"name\": \"p\",\n    \"runtime\": \"go\",\n    \"packages\": {\n        \"a\": {\n            \"source\": \"a\"\n        }\n    }\n}\n", add("tls", bridgedSpec()),
			`{
    "name": "p",
    "runtime": "go",
    "packages": {
        "a": {
            "source": "a"
        },
        "tls": {
            "source": "terraform-provider",
            "version": "0.8.1",
            "parameters": [
                "hashicorp/tls",
                "4.0"
            ]
        }
    }
}
`},
		"drop one":      {head + "packages:\n  a: a\n  # b\n  b:\n    source: b # gone\n  c: c\n", drop("b"), head + "packages:\n  a: a\n  # b\n  c: c\n"},
		"drop the last": {head + "packages:\n  a: a\nmain: x\n", drop("a"), head + "main: x\n"},
		"drop none":     {head, drop("a"), head},
		"drop from flow": {
			head + "packages: {a: a, b: {source: b}, c: c}\n", drop("b"), head + "packages: {a: a, c: c}\n",
		},
		"drop the last from flow": {head + "packages: {a: a, b: b }\n", drop("b"), head + "packages: {a: a }\n"},
		"first plugin": {
			head, provider(project.PluginOption{Name: "a", Path: "../a"}),
			head + "plugins:\n  providers:\n    - name: a\n      path: ../a\n",
		},
		"next plugin": {
			head + "plugins:\n  providers:\n  - name: b # b\n    path: b\n", provider(project.PluginOption{Name: "a", Version: "1.0.0", Path: "../a"}),
			head + "plugins:\n  providers:\n  - name: b # b\n    path: b\n  - name: a\n    version: 1.0.0\n    path: ../a\n",
		},
		"moved plugin": {
			head + "plugins:\n  providers:\n  - name: b # b\n    path: b\n", provider(project.PluginOption{Name: "b", Path: "c"}),
			head + "plugins:\n  providers:\n  - name: b # b\n    path: c\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, diags := project.Decode("Pulumi.yaml", []byte(test.before))
			if m == nil {
				t.Fatal(diags)
			}
			got, diags := test.edit(m)
			if got == nil {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(test.after, string(got.Source)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEditRefuses tries files in which an edit would touch the rest.
func TestEditRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before string
		edit   edit
		want   []string
	}{
		"alias": {
			"name: p\nruntime: go\nx: &x {a: a}\npackages: *x\n", add("random", plainSpec()),
			[]string{"Cannot edit Pulumi.yaml: It is written in a way in which packages.random cannot be changed without touching the rest. " +
				"Do it by hand:   packages:     random: random@4.16.0"},
		},
		"no name": {"name: p\nruntime: go\n", add("", plainSpec()), []string{`Invalid package name ""`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, diags := project.Decode("Pulumi.yaml", []byte(test.before))
			if m == nil {
				t.Fatal(diags)
			}
			got, diags := test.edit(m)
			if got != nil {
				t.Errorf("edited:\n%s", got.Source)
			}
			wantDiags(t, diags, test.want)
		})
	}
}

// FuzzManifest reads anything. What it can read it can edit, or refuses to:
// then the package is there, nothing else changed, an edit that changes
// nothing keeps every byte, and taking the package out leads back.
func FuzzManifest(f *testing.F) {
	for _, seed := range []string{
		"name: p\nruntime: go\n",
		"name: p\nruntime: {name: go, options: {a: [1, 2.5, null, true]}}\npackages:\n  a: a@1 # c\n  b:\n    source: b\n    parameters: [x, 'y', \"z\"]\n",
		"name: p\nruntime: go\npackages: {a: a, b: {source: b}}\nplugins:\n  providers:\n  - {name: a, path: b}\n",
		"{\"name\": \"p\", \"runtime\": \"go\", \"packages\": {\"a\": \"a\"}}",
		"name: p\nruntime: go\npackages: &x\n  a: &y {<<: *x, source: |\n     b\n     }\n  b: *y\n",
		"name: p\r\nruntime: go\r\npackages:\r\n  ? a\r\n  : a\r\nrequiredPulumiVersion: '>=3'\r\n",
	} {
		f.Add([]byte(seed), "n", "s")
	}
	f.Fuzz(func(t *testing.T, src []byte, name, source string) {
		m, diags := project.Decode("Pulumi.yaml", src)
		if m == nil {
			if !diags.HasErrors() {
				t.Fatal("no manifest and no error")
			}
			return
		}
		for _, p := range m.Packages {
			unchanged, diags := m.WithPackage(p.Name, p.PackageSpec)
			if name != "" && unchanged != nil && string(unchanged.Source) != string(src) {
				t.Fatalf("an edit that changes nothing changed the file: %v", diags)
			}
		}
		spec := project.PackageSpec{Source: source, Version: "1"}
		edited, diags := m.WithPackage(name, spec)
		if edited == nil {
			if !diags.HasErrors() {
				t.Fatal("no edit and no error")
			}
			return
		}
		got, _ := edited.Package(name)
		if diff := cmp.Diff(spec, got.PackageSpec, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, edited.Source)
		}
		if strings.Count(string(edited.Source), "#") < strings.Count(string(src), "#") {
			t.Fatalf("a comment is lost:\n%s", edited.Source)
		}
		_, had := m.Package(name)
		if back, _ := edited.WithoutPackage(name); back != nil && !had {
			wantSame(t, m, back)
		}
	})
}

func wantSame(t *testing.T, want, got *project.Manifest) {
	t.Helper()
	if diff := cmp.Diff(want, got, withoutPlaces(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(project.Manifest{}, "Source")); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

// TestSetYAML edits a file that is no manifest.
func TestSetYAML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in, want string
		keys     []string
		value    any
	}{
		"nothing":       {"", "allow:\n  '@a/b@file:c': true\n", []string{"allow", "@a/b@file:c"}, true},
		"comments only": {"# ours", "# ours\nallow:\n  x: true\n", []string{"allow", "x"}, true},
		"a new key":     {"packages:\n  - a # one\n", "packages:\n  - a # one\nallow:\n  x: true\n", []string{"allow", "x"}, true},
		"beside others": {"allow:\n    y: false # no\n", "allow:\n    y: false # no\n    x: true\n", []string{"allow", "x"}, true},
		"there":         {"allow: {x: true}\n", "allow: {x: true}\n", []string{"allow", "x"}, true},
		"a list":        {"only:\n  - a # one\n", "only:\n  - a # one\n  - b\n", []string{"only"}, []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := project.SetYAML("f.yaml", []byte(c.in), c.keys, c.value)
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, bad := range []string{"[a]", "a: [", "text"} {
		if got, diags := project.SetYAML("f.yaml", []byte(bad), []string{"a"}, true); !diags.HasErrors() {
			t.Errorf("%q became %q", bad, got)
		}
	}
}
