package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

func TestWithRequirement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"empty":             {"", "sdks/x\n"},
		"after others":      {"pulumi>=3\n", "pulumi>=3\nsdks/x\n"},
		"no final newline":  {"pulumi>=3", "pulumi>=3\nsdks/x"},
		"CRLF":              {"pulumi>=3\r\n", "pulumi>=3\r\nsdks/x\r\n"},
		"there":             {"sdks/x\npulumi\n", "sdks/x\npulumi\n"},
		"there, as a path":  {"./sdks/x/ # ours\n", "./sdks/x/ # ours\n"},
		"there, to edit":    {"-e ./sdks/x\n--editable=sdks/y\n", "-e ./sdks/x\n--editable=sdks/y\n"},
		"published before":  {"a\nPulumi.X[z]~=4.1  # pinned\nb\n", "a\nsdks/x  # pinned\nb\n"},
		"continued":         {"pulumi_x==1 \\\n    --hash=sha256:0\nb\n", "sdks/x\nb\n"},
		"absolute before":   {"pulumi_x @ file:///here/sdks/x\n", "sdks/x\n"},
		"named twice":       {"pulumi-x==1\npulumi_x==2\n", "sdks/x\n"},
		"others of a kind":  {"pulumi-x-extra\npulumi/x\npulumi\n# pulumi-x\n", "pulumi-x-extra\npulumi/x\npulumi\n# pulumi-x\nsdks/x\n"},
		"includes and more": {"-r more.txt\n-c limits.txt\n\n", "-r more.txt\n-c limits.txt\n\nsdks/x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(withRequirement([]byte(c.in), "pulumi-x", "sdks/x"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if again := withRequirement([]byte(got), "pulumi-x", "sdks/x"); string(again) != got {
				t.Errorf("again: %s", again)
			}
		})
	}
}

// pyprojects are layouts, and what they become for uv and for poetry; "" where
// they stay, and the user is told.
var pyprojects = map[string]struct{ in, uv, poetry string }{
	"PEP 621": {
		in:     "[project]\nname = \"shop\"\ndependencies = [\"pulumi>=3\"] # all\n\n[tool.ruff]\npreview = true\n",
		uv:     "[project]\nname = \"shop\"\ndependencies = [\"pulumi>=3\", \"pulumi-x\"] # all\n\n[tool.ruff]\npreview = true\n\n[tool.uv.sources]\npulumi-x = { path = \"sdks/x\" }\n",
		poetry: "[project]\nname = \"shop\"\ndependencies = [\"pulumi>=3\", \"pulumi-x\"] # all\n\n[tool.ruff]\npreview = true\n\n[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n",
	},
	"lines with comments": {
		in: "# shop\n[project]\nname = 'shop'\ndependencies = [\n    \"a[b]>=1\", # first\n    \"b\" # last, of two\n]\n\n[tool.uv.sources] # ours\na = { path = \"../a\", editable = true }\n# the end\n",
		uv: "# shop\n[project]\nname = 'shop'\ndependencies = [\n    \"a[b]>=1\", # first\n    \"b\", # last, of two\n    \"pulumi-x\"\n]\n\n[tool.uv.sources] # ours\na = { path = \"../a\", editable = true }\npulumi-x = { path = \"sdks/x\" }\n# the end\n",
		poetry: "# shop\n[project]\nname = 'shop'\ndependencies = [\n    \"a[b]>=1\", # first\n    \"b\", # last, of two\n    \"pulumi-x\"\n]\n\n[tool.uv.sources] # ours\na = { path = \"../a\", editable = true }\n# the end\n\n" +
			"[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n",
	},
	"a comma at the end": {
		in:     "[project]\nname = \"shop\"\ndependencies = [\n\t\"a\",\n]",
		uv:     "[project]\nname = \"shop\"\ndependencies = [\n\t\"a\",\n\t\"pulumi-x\",\n]\n\n[tool.uv.sources]\npulumi-x = { path = \"sdks/x\" }\n",
		poetry: "[project]\nname = \"shop\"\ndependencies = [\n\t\"a\",\n\t\"pulumi-x\",\n]\n\n[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n",
	},
	"nothing, on lines": {
		in:     "[project]\nname = \"shop\"\ndependencies = [\n    # none yet\n]\n",
		uv:     "[project]\nname = \"shop\"\ndependencies = [\n    # none yet\n    \"pulumi-x\",\n]\n\n[tool.uv.sources]\npulumi-x = { path = \"sdks/x\" }\n",
		poetry: "[project]\nname = \"shop\"\ndependencies = [\n    # none yet\n]\n\n[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n",
	},
	"no list, CRLF": {
		in:     "[project]\r\nname = \"shop\"\r\n\r\n[tool]\r\nuv.sources.a = { path = \"a\" }\r\n",
		uv:     "[project]\r\nname = \"shop\"\r\ndependencies = [\"pulumi-x\"]\r\n\r\n[tool]\r\nuv.sources.a = { path = \"a\" }\r\nuv.sources.pulumi-x = { path = \"sdks/x\" }\r\n",
		poetry: "[project]\r\nname = \"shop\"\r\n\r\n[tool]\r\nuv.sources.a = { path = \"a\" }\r\n\r\n[tool.poetry.dependencies]\r\npulumi-x = { path = \"sdks/x\" }\r\n",
	},
	"an inline table": {
		in:     "project = { name = \"shop\", dependencies = [] }\n[tool.uv]\nsources = { a = { path = \"a\" } }\n[tool.poetry]\ndependencies = { }\n",
		uv:     "project = { name = \"shop\", dependencies = [\"pulumi-x\"] }\n[tool.uv]\nsources = { a = { path = \"a\" }, pulumi-x = { path = \"sdks/x\" } }\n[tool.poetry]\ndependencies = { }\n",
		poetry: "project = { name = \"shop\", dependencies = [] }\n[tool.uv]\nsources = { a = { path = \"a\" } }\n[tool.poetry]\ndependencies = { pulumi-x = { path = \"sdks/x\" } }\n",
	},
	"poetry alone": {
		in:     "[tool.poetry]\npackage-mode = false\n\n  [tool.poetry.dependencies]\n  python = \"^3.10\" # at least\n  pulumi = \">=3\"\n\n[[tool.poetry.source]]\nname = \"ours\"\n",
		poetry: "[tool.poetry]\npackage-mode = false\n\n  [tool.poetry.dependencies]\n  python = \"^3.10\" # at least\n  pulumi = \">=3\"\n  pulumi-x = { path = \"sdks/x\" }\n\n[[tool.poetry.source]]\nname = \"ours\"\n",
	},
	"published before": {
		in:     "[project]\nname = \"shop\"\ndependencies = [\"Pulumi_X[y]>=4,<5; python_version > '3'\", \"b\"]\n[tool.poetry.dependencies]\npulumi_x = \"^4\" # pinned\n[tool.uv.sources]\nPulumi_X = { git = \"https://example.org/x\" }\n",
		uv:     "[project]\nname = \"shop\"\ndependencies = [\"Pulumi_X[y]; python_version > '3'\", \"b\"]\n[tool.poetry.dependencies]\npulumi_x = \"^4\" # pinned\n[tool.uv.sources]\nPulumi_X = { path = \"sdks/x\" }\n",
		poetry: "[project]\nname = \"shop\"\ndependencies = [\"Pulumi_X[y]; python_version > '3'\", \"b\"]\n[tool.poetry.dependencies]\npulumi_x = { path = \"sdks/x\" } # pinned\n[tool.uv.sources]\nPulumi_X = { git = \"https://example.org/x\" }\n",
	},
	"absolute before, elsewhere before": {
		in:     "[project]\nname = \"shop\"\ndependencies = [\"pulumi_x @ file:///here/sdks/x\"]\n[tool.uv.sources.pulumi-x]\npath = \"sdks/old\"\neditable = true\n[tool.poetry.dependencies]\npulumi-x = { path = \"./sdks/x/\", develop = true }\n",
		uv:     "[project]\nname = \"shop\"\ndependencies = [\"pulumi_x\"]\n[tool.uv.sources.pulumi-x]\npath = \"sdks/x\"\neditable = true\n[tool.poetry.dependencies]\npulumi-x = { path = \"./sdks/x/\", develop = true }\n",
		poetry: "[project]\nname = \"shop\"\ndependencies = [\"pulumi_x\"]\n[tool.uv.sources.pulumi-x]\npath = \"sdks/old\"\neditable = true\n[tool.poetry.dependencies]\npulumi-x = { path = \"./sdks/x/\", develop = true }\n",
	},
	"dynamic":          {in: "[project]\nname = \"shop\"\ndynamic = [\"dependencies\"]\n", poetry: "[project]\nname = \"shop\"\ndynamic = [\"dependencies\"]\n\n[tool.poetry.dependencies]\npulumi-x = { path = \"sdks/x\" }\n"},
	"several sources":  {in: "[project]\nname = \"shop\"\n[tool.uv.sources]\npulumi-x = [{ path = \"a\" }, { path = \"b\" }]\n[tool.poetry.dependencies.pulumi-x]\nversion = \"1\"\n"},
	"tables of others": {in: "[tool.ruff]\npreview = true\n"},
}

func TestWithPyproject(t *testing.T) {
	t.Parallel()
	for name, c := range pyprojects {
		for tool, edit := range map[string]struct {
			with func(src []byte, sdk, way string) ([]byte, error)
			want string
		}{"uv": {withSource, c.uv}, "poetry": {withPoetry, c.poetry}} {
			t.Run(name+"/"+tool, func(t *testing.T) {
				t.Parallel()
				got, err := edit.with([]byte(c.in), "pulumi-x", "sdks/x")
				if edit.want == "" {
					if err == nil {
						t.Errorf("it became\n%s", got)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(edit.want, string(got)); diff != "" {
					t.Error(diff)
				}
				if again, err := edit.with(got, "pulumi-x", "sdks/x"); err != nil || string(again) != string(got) {
					t.Errorf("again: %v\n%s", err, again)
				}
			})
		}
	}
}

// TestPythonReads has Python's own reader of TOML see what ours sees.
func TestPythonReads(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err == nil {
		err = exec.CommandContext(t.Context(), python, "-c", "import tomllib").Run()
	}
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("CI must have a python3 with tomllib: ", err)
	}
	if err != nil {
		t.Skip("there is no python3 with tomllib: ", err)
	}
	dir := t.TempDir()
	script := "import json, pathlib, sys, tomllib\nfor f in sys.argv[1:]:\n  print(json.dumps(tomllib.loads(pathlib.Path(f).read_bytes().decode())))\n"
	args := []string{"-c", script}
	var want []map[string]any
	for name, c := range pyprojects {
		for tool, text := range map[string]string{"uv": c.uv, "poetry": c.poetry} {
			file := filepath.Join(dir, strings.ReplaceAll(name, " ", "")+tool)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			tree := map[string]any{}
			if err := toml.Unmarshal([]byte(text), &tree); err != nil {
				t.Fatal(err)
			}
			args, want = append(args, file), append(want, tree)
		}
	}
	out, err := exec.CommandContext(t.Context(), python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, tree := range want {
		if got := members(t, lines[i]); !reflect.DeepEqual(got, tree) {
			t.Errorf("%s: %s", args[2+i], cmp.Diff(tree, got))
		}
	}
}

// FuzzWithPyproject holds edits to what they say, whatever else is in a file.
func FuzzWithPyproject(f *testing.F) {
	for _, c := range pyprojects {
		f.Add(c.in, "pulumi-x", "sdks/x")
	}
	f.Add("[project]\ndependencies=[\n'a' , # ,\n'b'#\n,]\n[a]\n[[project.b]]\nx=1", "x", "../a b")
	f.Fuzz(func(t *testing.T, src, name, way string) {
		sdk := normalized(name)
		if !requires(sdk, sdk) {
			return // it is no name
		}
		for _, edit := range []func(src []byte, sdk, way string) ([]byte, error){withSource, withPoetry} {
			got, err := edit([]byte(src), sdk, way)
			if err != nil {
				continue
			}
			again, err := edit(got, sdk, way)
			if err != nil || string(again) != string(got) {
				t.Errorf("%q became %q, and then %q: %v", src, got, again, err)
			}
			comments := func(text string) int { return strings.Count(text, "#") }
			if comments(string(got)) < comments(src) && !strings.Contains(src, "\"") && !strings.Contains(src, "'") {
				t.Errorf("%q lost a comment in %q", src, got)
			}
		}
	})
}

func TestRequires(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"pulumi-x": true, "Pulumi_X": true, "pulumi.x [a] >= 1": true, " pulumi--x;marker": true, "pulumi_x@ file:///a": true,
		"pulumi-x2": false, "pulumi": false, "pulumi-x/y": false, "": false, "./pulumi-x": false, "# pulumi-x": false,
	} {
		if got := requires(text, "pulumi-x"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
