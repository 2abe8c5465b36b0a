package workflow

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// programIn writes a project with some files.
func programIn(t *testing.T, runtime string, files ...string) *project.Manifest {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, diags := project.Decode(filepath.Join(dir, "Pulumi.yaml"), []byte("name: p\nruntime: "+runtime+"\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

func TestDependencyCommands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		runtime string
		files   []string
		want    []string
		unknown bool
	}{
		"yaml":       {runtime: "yaml"},
		"npm":        {runtime: "nodejs", want: []string{"npm install"}},
		"yarn":       {runtime: "nodejs", files: []string{"yarn.lock"}, want: []string{"yarn install"}},
		"chosen":     {runtime: "{name: nodejs, options: {packagemanager: pnpm}}", files: []string{"yarn.lock"}, want: []string{"pnpm install"}},
		"bun":        {runtime: "bun", want: []string{"bun install"}},
		"go":         {runtime: "go", want: []string{"go mod tidy"}},
		"pip":        {runtime: "python", files: []string{"requirements.txt"}, want: []string{"python3 -m pip install -r requirements.txt"}},
		"pyproject":  {runtime: "python", files: []string{"pyproject.toml"}, want: []string{"python3 -m pip install ."}},
		"virtualenv": {runtime: "{name: python, options: {virtualenv: v}}", files: []string{"requirements.txt"}, want: []string{"python3 -m venv v", virtualPython("v") + " -m pip install -r requirements.txt"}},
		"poetry":     {runtime: "{name: python, options: {toolchain: poetry}}", want: []string{"poetry install --no-ansi"}},
		"uv":         {runtime: "{name: python, options: {toolchain: uv}}", want: []string{"uv sync"}},
		"uv's lock":  {runtime: "python", files: []string{"pyproject.toml", "uv.lock"}, want: []string{"uv sync"}},
		"uv, before": {runtime: "{name: python, options: {toolchain: uv}}", files: []string{"requirements.txt"}, want: []string{"uv venv --allow-existing .venv", "uv pip install --python .venv -r requirements.txt"}},
		"no python":  {runtime: "python"},
		"poetry's":   {runtime: "python", files: []string{"pyproject.toml", "poetry.lock"}, want: []string{"poetry install --no-ansi"}},
		"workspace":  {runtime: "nodejs", files: []string{"pnpm-workspace.yaml"}, want: []string{"pnpm install"}},
		"another":    {runtime: "cobol", unknown: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			commands, known := dependencyCommands(programIn(t, c.runtime, c.files...))
			var got []string
			for _, command := range commands {
				got = append(got, strings.Join(command, " "))
			}
			if known == c.unknown || !slices.Equal(got, c.want) {
				t.Errorf("%q, known: %t", got, known)
			}
		})
	}
}

// TestUnaided runs package managers that are scripts: one that works, one that
// fails with a reason, and none.
func TestUnaided(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the package managers here are shell scripts")
	}
	for name, c := range map[string]struct{ script, code, says string }{
		"works": {script: "echo $1 > done; pwd"},
		"fails": {script: "echo the registry is closed >&2; exit 3", code: "WF0065", says: "npm install: exit status 3. It said:\nthe registry is closed"},
		"none":  {code: CodeNoDependencies, says: "npm install"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			if c.script != "" {
				if err := os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			m := programIn(t, "nodejs")
			l := languages{env: PluginEnvironment{Vars: host.Environment{"PATH=" + bin}}}
			diags := l.unaided(context.Background(), m)
			if c.code == "" {
				done, err := os.ReadFile(filepath.Join(m.Dir(), "done"))
				if err != nil || string(done) != "install\n" || len(diags) > 0 {
					t.Errorf("%q, %v, %v", done, err, diags)
				}
				return
			}
			if len(diags) != 1 || diags[0].Code != c.code || !strings.Contains(diags[0].Detail, c.says) {
				t.Errorf("%v", diags)
			}
		})
	}
}

// TestVirtualEnvironment has programs that are elsewhere than their project,
// which says where their virtual environment is.
func TestVirtualEnvironment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"runtime: python\n": "",
		"runtime: {name: python, options: {virtualenv: v}}\n":            "UV_PROJECT_ENVIRONMENT=v",
		"main: src\nruntime: {name: python, options: {virtualenv: v}}\n": "UV_PROJECT_ENVIRONMENT=" + filepath.Join("..", "v"),
		"runtime: {name: nodejs, options: {virtualenv: v}}\n":            "",
	} {
		m, diags := project.Decode(filepath.Join(t.TempDir(), "Pulumi.yaml"), []byte("name: p\n"+text))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := strings.Join((languages{}).dependencyEnvironment(m), " "); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestNearestManifest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	inner := filepath.Join(root, "component")
	if err := os.MkdirAll(filepath.Join(inner, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	outerFile, innerFile := filepath.Join(root, "Pulumi.yaml"), filepath.Join(inner, "PulumiPlugin.yaml")
	for _, file := range []string{outerFile, innerFile} {
		if err := os.WriteFile(file, []byte("runtime: yaml\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{root: outerFile, inner: innerFile, filepath.Join(inner, "deep"): innerFile} {
		if got, ok := nearestManifest(dir); !ok || got != want {
			t.Errorf("%s: %s", dir, got)
		}
	}
}
