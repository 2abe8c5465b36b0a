package packages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// place is a directory with a repository, in which a project is.
type place struct {
	root    string
	project *project.Manifest
	sdk     *directory
}

// newPlace writes files, of which the one called Pulumi.yaml, in whichever
// directory, is the project's, and stages an SDK for it with those of sdk.
func newPlace(t *testing.T, files, sdk map[string]string) place {
	t.Helper()
	p := place{root: t.TempDir()}
	p.write(t, "repo/.git/config", "")
	for name, text := range files {
		p.write(t, filepath.Join("repo", name), text)
		if filepath.Base(name) != "Pulumi.yaml" {
			continue
		}
		m, diags := project.Load(filepath.Join(p.root, "repo", name))
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		p.project = m
	}
	err := os.MkdirAll(sdks(p.project), 0o755)
	if err == nil {
		p.sdk, err = newDirectory(filepath.Join(sdks(p.project), "x"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range sdk {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.sdk.fresh, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.sdk.fresh, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p place) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edits are the files that a linking is to change, below the repository.
func (p place) edits(t *testing.T, l *linking) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, e := range l.edits {
		name, err := filepath.Rel(filepath.Join(p.root, "repo"), e.path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(name)] = string(e.text)
	}
	return out
}

// linkCase is a project and what linking changes in it.
type linkCase struct {
	files, want map[string]string
	imports     string
	next        string
	// warns is part of what the user is told instead.
	warns string
}

// check links, and compares. It puts what is to be in place, where linking
// again changes nothing.
func (c linkCase) check(t *testing.T, p place, link func(program, *linking) diag.List) {
	t.Helper()
	l := &linking{Added: Added{Name: "x", Runtime: p.project.Runtime.Name}, sdk: p.sdk}
	diags := link(programOf(p.project, p.sdk), l)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	told := ""
	for _, d := range diags {
		told += d.Code + " " + d.Detail
	}
	if (c.warns == "") != (told == "") || !strings.Contains(told, c.warns) {
		t.Errorf("the user is told %q, want %q", told, c.warns)
	}
	if diff := cmp.Diff(c.want, p.edits(t, l)); diff != "" {
		t.Error(diff)
	}
	if l.Import != c.imports || l.Next != c.next {
		t.Errorf("import %q, next %q", l.Import, l.Next)
	}
	for name, text := range p.edits(t, l) {
		p.write(t, filepath.Join("repo", name), text)
	}
	again := &linking{Added: Added{Name: "x", Runtime: p.project.Runtime.Name}, sdk: p.sdk}
	if diags := link(programOf(p.project, p.sdk), again); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	if got := p.edits(t, again); len(got) > 0 {
		t.Errorf("again: %v", got)
	}
}

// TestDependencyTaken has programs with a published SDK of the name that is
// to be added, and with one in a directory.
func TestDependencyTaken(t *testing.T) {
	t.Parallel()
	const runtime = "name: shop\nruntime: "
	for name, c := range map[string]struct {
		files map[string]string
		taken string
	}{
		"npm":          {map[string]string{"Pulumi.yaml": runtime + "nodejs\n", "package.json": `{"dependencies": {"@pulumi/x": "^4.0.0"}}`}, "@pulumi/x ^4.0.0"},
		"npm, local":   {map[string]string{"Pulumi.yaml": runtime + "nodejs\n", "package.json": `{"dependencies": {"@pulumi/x": "file:../x"}}`}, ""},
		"pip":          {map[string]string{"Pulumi.yaml": runtime + "python\n", "requirements.txt": "pulumi>=3\nPulumi_X>=4,<5 # theirs\n"}, "Pulumi_X>=4,<5"},
		"pip, local":   {map[string]string{"Pulumi.yaml": runtime + "python\n", "requirements.txt": "pulumi-x @ file:///x\n./pulumi-x\n"}, ""},
		"uv":           {map[string]string{"Pulumi.yaml": runtime + "{name: python, options: {toolchain: uv}}\n", "pyproject.toml": "[project]\nname = \"shop\"\ndependencies = [\"pulumi-x>=4\"]\n"}, "pulumi-x>=4"},
		"uv, local":    {map[string]string{"Pulumi.yaml": runtime + "{name: python, options: {toolchain: uv}}\n", "pyproject.toml": "[project]\nname = \"shop\"\ndependencies = [\"pulumi-x\"]\n[tool.uv.sources]\npulumi-x = { path = \"x\" }\n"}, ""},
		"poetry":       {map[string]string{"Pulumi.yaml": runtime + "{name: python, options: {toolchain: poetry}}\n", "pyproject.toml": "[tool.poetry.dependencies]\npulumi-x = \"^4\"\n"}, "pulumi-x ^4"},
		"another name": {map[string]string{"Pulumi.yaml": runtime + "nodejs\n", "package.json": `{"dependencies": {"@pulumi/xy": "^4.0.0"}}`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files, map[string]string{"package.json": `{"name": "@pulumi/x"}`, "pyproject.toml": "[project]\nname = \"pulumi_x\"\n"})
			for _, first := range []bool{true, false} {
				l := &linking{Added: Added{Name: "x", Runtime: p.project.Runtime.Name}, sdk: p.sdk, first: first}
				link := linkPython
				if p.project.Runtime.Name == "nodejs" {
					link = func(to program, l *linking) diag.List { return linkNode(t.Context(), to, l) }
				}
				diags := link(programOf(p.project, p.sdk), l)
				refused := diags.HasErrors()
				if refused != (first && c.taken != "") {
					t.Fatalf("first %t: %v", first, diags)
				}
				if refused && !strings.Contains(diags[0].Detail, c.taken+" is among") {
					t.Errorf("it is said: %s", diags[0].Detail)
				}
			}
		})
	}
}

func TestLinkNode(t *testing.T) {

	const (
		ours  = "name: shop\nruntime: nodejs\n"
		typed = `import * as x from "@pulumi/x";`
		bare  = "{\n  \"name\": \"shop\"\n}\n"
		plain = "{\n  \"name\": \"shop\",\n  \"dependencies\": {\n    \"@pulumi/x\": \"file:sdks/x\"\n  }\n}\n"
	)
	option := func(text string) string { return "name: shop\nruntime:\n  name: nodejs\n  options: {" + text + "}\n" }
	for name, c := range map[string]linkCase{
		"npm": {
			files: map[string]string{"Pulumi.yaml": ours, "package.json": bare},
			want: map[string]string{"package.json": "{\n  \"name\": \"shop\",\n  \"dependencies\": {\n    \"@pulumi/x\": \"file:sdks/x\"\n  },\n" +
				"  \"allowScripts\": {\n    \"file:sdks/x\": true\n  }\n}\n"},
			imports: typed, next: "npm install",
		},
		"yarn, by its lock": {
			files:   map[string]string{"Pulumi.yaml": ours, "package.json": bare, "yarn.lock": ""},
			want:    map[string]string{"package.json": plain},
			imports: typed, next: "yarn install",
		},
		"bun, by option": {
			files: map[string]string{"Pulumi.yaml": option("packagemanager: bun"), "package.json": bare, "yarn.lock": ""},
			want: map[string]string{"package.json": "{\n  \"name\": \"shop\",\n  \"dependencies\": {\n    \"@pulumi/x\": \"file:sdks/x\"\n  },\n" +
				"  \"trustedDependencies\": [\n    \"@pulumi/x\"\n  ]\n}\n"},
			imports: typed, next: "bun install",
		},
		"bun, by runtime": {
			files: map[string]string{"Pulumi.yaml": "name: shop\nruntime: bun\n", "package.json": "\ufeff{\"trustedDependencies\":[\"a\"]}"},
			want:  map[string]string{"package.json": "\ufeff{\"trustedDependencies\":[\"a\",\"@pulumi/x\"],\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}"},

			imports: typed, next: "bun install",
		},
		"pnpm of today, in a workspace": {
			files: map[string]string{
				"infra/Pulumi.yaml": ours, "infra/package.json": bare, "package.json": "{\"packageManager\": \"pnpm@11.0.0\"}",
				"pnpm-workspace.yaml": "packages: # ours\n  - infra\n", "infra/.keep": "",
			},
			want: map[string]string{
				"infra/package.json":  plain,
				"pnpm-workspace.yaml": "packages: # ours\n  - infra\nallowBuilds:\n  '@pulumi/x@file:infra/sdks/x': true\n",
			},
			imports: typed, next: "pnpm install",
		},
		"pnpm 10": {
			files: map[string]string{
				"Pulumi.yaml": option("packagemanager: pnpm"), "package.json": "{\"packageManager\":\"pnpm@10.30.0+sha512.0\"}",
				"pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - esbuild # yes\n",
			},
			want: map[string]string{
				"package.json":        "{\"packageManager\":\"pnpm@10.30.0+sha512.0\",\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}",
				"pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - esbuild # yes\n  - '@pulumi/x'\n",
			},
			imports: typed, next: "pnpm install",
		},
		"pnpm 9 runs all scripts": {
			files:   map[string]string{"Pulumi.yaml": ours, "package.json": "{\"packageManager\":\"pnpm@9.1.0\"}", "pnpm-lock.yaml": ""},
			want:    map[string]string{"package.json": "{\"packageManager\":\"pnpm@9.1.0\",\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}"},
			imports: typed, next: "pnpm install",
		},
		"pnpm's package.yaml": {
			files:   map[string]string{"Pulumi.yaml": ours, "package.yaml": "# ours\nname: shop\n", "package-manager": "", "pnpm-workspace.yaml": "allowBuilds:\n  '@pulumi/x@file:sdks/x': true\n"},
			want:    map[string]string{"package.yaml": "# ours\nname: shop\ndependencies:\n  '@pulumi/x': file:sdks/x\n"},
			imports: typed, next: "pnpm install && pnpm approve-builds",
		},
		"a workspace of npm": {
			files: map[string]string{
				"package.json": "{\n\t\"workspaces\": [\"./apps/*\", \"libs/**\"]\n}", "apps/infra/package.json": bare, "apps/infra/Pulumi.yaml": ours,
			},
			want: map[string]string{
				"apps/infra/package.json": plain,
				"package.json":            "{\n\t\"workspaces\": [\"./apps/*\", \"libs/**\"],\n\t\"allowScripts\": {\n\t\t\"file:apps/infra/sdks/x\": true\n\t}\n}",
			},
			imports: typed, next: "npm install",
		},
		"a package.json above, and none of its own": {
			files: map[string]string{"package.json": "{}", "infra/Pulumi.yaml": ours},
			want: map[string]string{"package.json": "{\n  \"dependencies\": {\n    \"@pulumi/x\": \"file:infra/sdks/x\"\n  },\n" +
				"  \"allowScripts\": {\n    \"file:infra/sdks/x\": true\n  }\n}"},
			imports: typed, next: "npm install",
		},
		"a program below": {
			files: map[string]string{
				"Pulumi.yaml": "name: shop\nruntime: nodejs\nmain: src\n", "src/package.json": "{}", "package.json": "{}", "yarn.lock": "",
			},
			want:    map[string]string{"src/package.json": "{\n  \"dependencies\": {\n    \"@pulumi/x\": \"file:../sdks/x\"\n  }\n}"},
			imports: typed, next: "yarn install",
		},
		"JavaScript": {
			files:   map[string]string{"Pulumi.yaml": option("typescript: false"), "package.json": "{\"dependencies\":{}}", "yarn.lock": ""},
			want:    map[string]string{"package.json": "{\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}"},
			imports: `const x = require("@pulumi/x");`, next: "yarn install",
		},
		"JavaScript with modules": {
			files:   map[string]string{"Pulumi.yaml": option("typescript: false"), "package.json": "{\"type\":\"module\"}", "yarn.lock": ""},
			want:    map[string]string{"package.json": "{\"type\":\"module\",\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}"},
			imports: typed, next: "yarn install",
		},
		"TypeScript by its configuration": {
			files:   map[string]string{"Pulumi.yaml": option("typescript: false"), "tsconfig.json": "{}", "package.json": "{\"a\":1}", "yarn.lock": ""},
			want:    map[string]string{"package.json": "{\"a\":1,\"dependencies\":{\"@pulumi/x\":\"file:sdks/x\"}}"},
			imports: typed, next: "yarn install",
		},
		"nothing to name it in": {
			files:   map[string]string{"Pulumi.yaml": ours},
			want:    map[string]string{},
			imports: typed, next: "npm install ./sdks/x", warns: "PG0012",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", t.TempDir()) // no pnpm
			p := newPlace(t, c.files, map[string]string{"package.json": `{"name": "@pulumi/x"}`})
			c.check(t, p, func(to program, l *linking) diag.List { return linkNode(t.Context(), to, l) })
		})
	}
}

func TestLinkPython(t *testing.T) {
	t.Parallel()
	const (
		ours   = "name: shop\nruntime: python\n"
		imp    = "import pulumi_x as x"
		source = "\n[tool.uv.sources]\npulumi-x = { path = \"sdks/x\" }\n"
		table  = "\n[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n"
		bare   = "[project]\nname = \"shop\"\ndependencies = [\"pulumi\"]\n"
		named  = "[project]\nname = \"shop\"\ndependencies = [\"pulumi\", \"pulumi-x\"]\n"
	)
	option := func(tool string) string {
		return "name: shop\nruntime:\n  name: python\n  options:\n    toolchain: " + tool + "\n"
	}
	for name, c := range map[string]linkCase{
		"pip": {
			files:   map[string]string{"Pulumi.yaml": ours, "requirements.txt": "pulumi\n", "pyproject.toml": bare + source},
			want:    map[string]string{"requirements.txt": "pulumi\nsdks/x\n"},
			imports: imp, next: "pip install -r requirements.txt",
		},
		"pip, by option": {
			files:   map[string]string{"Pulumi.yaml": option("pip"), "requirements.txt": "", "uv.lock": "", "pyproject.toml": bare},
			want:    map[string]string{"requirements.txt": "sdks/x\n"},
			imports: imp, next: "pip install -r requirements.txt",
		},
		"pip, with a project of the standard alone": {
			files:   map[string]string{"Pulumi.yaml": ours, "pyproject.toml": bare},
			want:    map[string]string{"requirements.txt": "sdks/x\n"},
			imports: imp, next: "pip install -r requirements.txt",
		},
		"a program below": {
			files:   map[string]string{"Pulumi.yaml": ours + "main: src\n", "requirements.txt": "", "src/__main__.py": ""},
			want:    map[string]string{"requirements.txt": "sdks/x\n"},
			imports: imp, next: "pip install -r ../requirements.txt",
		},
		"the repository's requirements are others": {
			files:   map[string]string{"infra/Pulumi.yaml": ours, "requirements.txt": "flask\n"},
			want:    map[string]string{},
			imports: imp, next: "pip install ./sdks/x", warns: "PG0012",
		},
		"uv, by option": {
			files:   map[string]string{"Pulumi.yaml": option("uv"), "pyproject.toml": bare, "requirements.txt": "x\n"},
			want:    map[string]string{"pyproject.toml": named + source},
			imports: imp, next: "uv sync",
		},
		"uv, by its lock above": {
			files:   map[string]string{"infra/Pulumi.yaml": ours, "infra/pyproject.toml": bare, "uv.lock": ""},
			want:    map[string]string{"infra/pyproject.toml": named + source},
			imports: imp, next: "uv sync",
		},
		"uv, by its table": {
			files:   map[string]string{"Pulumi.yaml": ours, "pyproject.toml": bare + "\n[tool.uv]\npackage = false\n"},
			want:    map[string]string{"pyproject.toml": named + "\n[tool.uv]\npackage = false\n" + source},
			imports: imp, next: "uv sync",
		},
		"uv, before it took over": {
			files:   map[string]string{"Pulumi.yaml": option("uv"), "pyproject.toml": "[tool.ruff]\n", "requirements.txt": "pulumi\n"},
			want:    map[string]string{"requirements.txt": "pulumi\nsdks/x\n"},
			imports: imp, next: "formation install",
		},
		"uv, of which only the repository knows": {
			files:   map[string]string{"infra/Pulumi.yaml": option("uv"), "pyproject.toml": bare},
			want:    map[string]string{"pyproject.toml": named + strings.Replace(source, "sdks", "infra/sdks", 1)},
			imports: imp, next: "uv sync",
		},
		"uv, with dynamic dependencies": {
			files:   map[string]string{"Pulumi.yaml": option("uv"), "pyproject.toml": "[project]\ndynamic = [\"dependencies\"]\n"},
			want:    map[string]string{},
			imports: imp, next: "uv sync", warns: "its dependencies are dynamic. Add pulumi-x by hand to the dependencies there, from sdks/x.",
		},
		"poetry, by option": {
			files:   map[string]string{"Pulumi.yaml": option("poetry"), "pyproject.toml": bare},
			want:    map[string]string{"pyproject.toml": named + table},
			imports: imp, next: "poetry install",
		},
		"poetry, by its lock": {
			files:   map[string]string{"Pulumi.yaml": ours, "pyproject.toml": "[tool.poetry.dependencies]\npulumi = \"^3\"\n", "poetry.lock": ""},
			want:    map[string]string{"pyproject.toml": "[tool.poetry.dependencies]\npulumi = \"^3\"\npulumi-x = { path = \"sdks/x\" }\n"},
			imports: imp, next: "poetry lock && poetry install",
		},
		"poetry, by its table": {
			files:   map[string]string{"Pulumi.yaml": ours, "pyproject.toml": "[tool.poetry]\npackage-mode = false\n"},
			want:    map[string]string{"pyproject.toml": "[tool.poetry]\npackage-mode = false\n" + table},
			imports: imp, next: "poetry install",
		},
		"nothing to name it in": {
			files:   map[string]string{"Pulumi.yaml": ours},
			want:    map[string]string{},
			imports: imp, next: "pip install ./sdks/x", warns: "PG0012",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files, map[string]string{"pyproject.toml": "[project]\nname = \"pulumi_x\"\n", "pulumi_x/pulumi-plugin.json": "{}"})
			c.check(t, p, linkPython)
		})
	}
}

// TestLinkBroken has files that are none refused, and left alone.
func TestLinkBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		link  func(program, *linking) diag.List
	}{
		"package.json": {
			map[string]string{"Pulumi.yaml": "name: shop\nruntime: nodejs\n", "package.json": "{"},
			func(to program, l *linking) diag.List { return linkNode(t.Context(), to, l) },
		},
		"pyproject.toml": {map[string]string{"Pulumi.yaml": "name: shop\nruntime: python\n", "uv.lock": "", "pyproject.toml": "[project\n"}, linkPython},
		"go.mod":         {map[string]string{"Pulumi.yaml": "name: shop\nruntime: go\n", "go.mod": "modul shop\n"}, linkGo},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files, map[string]string{"package.json": `{"name": "@pulumi/x"}`, "go.mod": "module example.org/x\n"})
			l := &linking{Added: Added{Name: "x", Runtime: p.project.Runtime.Name}, sdk: p.sdk}
			diags := c.link(programOf(p.project, p.sdk), l)
			if !diags.HasErrors() || diags[0].Code != "PG0011" || !strings.Contains(diags[0].Detail, name) {
				t.Errorf("got %v", diags)
			}
			if len(l.edits) > 0 {
				t.Errorf("it would write %v", p.edits(t, l))
			}
		})
	}
}

func TestLinkGo(t *testing.T) {
	t.Parallel()
	const (
		ours    = "name: shop\nruntime: go\n"
		imp     = `import "example.org/sdks/x/x"`
		bare    = "module shop\n\ngo 1.24\n"
		linked  = bare + "\nrequire example.org/sdks/x v0.0.0\n\nreplace example.org/sdks/x => ./sdks/x\n"
		theirs  = "module other\n\ngo 1.24\n\nreplace example.org/sdks/x => ./sdks/x\n"
		modules = "# example.org/a v1.0.0\n"
	)
	for name, c := range map[string]linkCase{
		"a module": {
			files:   map[string]string{"Pulumi.yaml": ours, "go.mod": bare},
			want:    map[string]string{"go.mod": linked},
			imports: imp, next: "go mod tidy",
		},
		"a module above": {
			files:   map[string]string{"infra/Pulumi.yaml": ours, "go.mod": bare},
			want:    map[string]string{"go.mod": strings.Replace(linked, "./", "./infra/", 1)},
			imports: imp, next: "go mod tidy",
		},
		"a module below": {
			files:   map[string]string{"Pulumi.yaml": ours + "main: cmd/shop\n", "cmd/shop/go.mod": bare, "go.mod": bare},
			want:    map[string]string{"cmd/shop/go.mod": strings.Replace(linked, "./", "../../", 1)},
			imports: imp, next: "go mod tidy",
		},
		"copies of dependencies": {
			files:   map[string]string{"Pulumi.yaml": ours, "go.mod": bare, "vendor/modules.txt": modules},
			want:    map[string]string{"go.mod": linked},
			imports: imp, next: "go mod tidy && go mod vendor",
		},
		"copies of a workspace's dependencies": {
			files:   map[string]string{"infra/Pulumi.yaml": ours, "infra/go.mod": bare, "go.work": "go 1.24\n\nuse ./infra\n", "vendor/modules.txt": modules},
			want:    map[string]string{"infra/go.mod": linked},
			imports: imp, next: "go mod tidy && go work vendor",
		},
		"a workspace where another has it too": {
			files: map[string]string{
				"infra/Pulumi.yaml": ours, "infra/go.mod": bare, "other/go.mod": theirs, "go.work": "go 1.24\n\nuse (\n\t./other\n\t./infra\n\t./none\n)\n",
			},
			want:    map[string]string{"infra/go.mod": linked},
			imports: imp, next: "go mod tidy", warns: "PG0024",
		},
		"a workspace that decides": {
			files: map[string]string{
				"infra/Pulumi.yaml": ours, "infra/go.mod": bare, "other/go.mod": theirs,
				"go.work": "go 1.24\n\nuse (\n\t./other\n\t./infra\n)\n\nreplace example.org/sdks/x => ./infra/sdks/x\n",
			},
			want:    map[string]string{"infra/go.mod": linked},
			imports: imp, next: "go mod tidy",
		},
		"required before": {
			files:   map[string]string{"Pulumi.yaml": ours, "go.mod": bare + "\nrequire example.org/sdks/x v1.2.3 // pinned\n\nreplace example.org/sdks/x v1.2.3 => ../x\n"},
			want:    map[string]string{"go.mod": bare + "\nrequire example.org/sdks/x v1.2.3 // pinned\n\nreplace example.org/sdks/x => ./sdks/x\n"},
			imports: imp, next: "go mod tidy",
		},
		"CRLF": {
			files:   map[string]string{"Pulumi.yaml": ours, "go.mod": strings.ReplaceAll("// ours\n"+bare, "\n", "\r\n")},
			want:    map[string]string{"go.mod": strings.ReplaceAll("// ours\n"+linked, "\n", "\r\n")},
			imports: imp, next: "go mod tidy",
		},
		"there, laid out otherwise": {
			files:   map[string]string{"Pulumi.yaml": ours, "go.mod": "module   shop\nrequire   example.org/sdks/x v0.0.0\nreplace example.org/sdks/x => ./sdks/x"},
			want:    map[string]string{},
			imports: imp, next: "go mod tidy",
		},
		"nothing to name it in": {
			files:   map[string]string{"Pulumi.yaml": ours},
			want:    map[string]string{},
			imports: imp, next: "go mod init repo && go mod edit -replace example.org/sdks/x=./sdks/x && go mod tidy", warns: "PG0012",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files, map[string]string{"go.mod": "module example.org/sdks/x\n", "x/pulumi-plugin.json": "{}"})
			c.check(t, p, linkGo)
		})
	}
}
