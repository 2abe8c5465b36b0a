package python_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/python"
)

// schemas are those of testdata, and a large one whose types are divided among
// several files.
func schemas(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no schemas", err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		if all[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	shape := schematest.Shape{Resources: 1000, Modules: 1, Properties: 6, Depth: 1}
	if all["large"], err = pschema.Encode(schematest.Wide(shape)); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCompiles generates the SDK of every schema and has Python compile it.
func TestCompiles(t *testing.T) {
	t.Parallel()
	for name, schema := range schemas(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := generate(t, schema)
			run(t, dir, "-W", "error", "-m", "compileall", "-q", dir)
		})
	}
}

// TestImports imports all that the SDKs have, which nothing does before it is
// used.
func TestImports(t *testing.T) {
	t.Parallel()
	for name, schema := range schemas(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := generate(t, schema)
			packages, err := filepath.Glob(filepath.Join(dir, "pulumi_*"))
			if err != nil || len(packages) != 1 {
				t.Fatal("packages:", packages, err)
			}
			run(t, dir, "testdata/import.py", filepath.Base(packages[0]))
		})
	}
}

// TestWords has a program use names that are not what they seem.
func TestWords(t *testing.T) {
	t.Parallel()
	run(t, generate(t, schemas(t)["words.json"]), "testdata/words.py")
}

// TestExtension registers a package that adds to another.
func TestExtension(t *testing.T) {
	t.Parallel()
	dir := generate(t, []byte(`{
		"name": "crds", "version": "1.0.0", "resources": {"crds:index:Widget": {}},
		"extensionParameterization": {"baseProvider": {"name": "kubernetes", "version": "4.20.0"}, "parameter": "eA=="}
	}`))
	for file, text := range map[string]string{
		"pulumi_crds/_utilities.py": "base_provider_name='kubernetes',\n        base_provider_version='4.20.0',",
		"pulumi_crds/widget.py":     "package_ref=_utilities.get_package()",
		"pyproject.toml":            `"pulumi>=3.251.0,<4.0.0"`,
	} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(data), text) {
			t.Errorf("%s has no %q: %v\n%s", file, text, err, data)
		}
	}
	run(t, dir, "testdata/import.py", "pulumi_crds")
}

// run runs Python with an SDK and with what stands in for the runtime there.
func run(t *testing.T, sdk string, args ...string) {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("python3 is not on the PATH")
		}
		t.Skip("python3 is not on the PATH")
	}
	runtime, err := filepath.Abs("testdata/runtime")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+sdk+string(os.PathListSeparator)+runtime, "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func generate(t *testing.T, schema []byte) string {
	t.Helper()
	pkg, diags := schematest.Bind(context.Background(), schema, pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	files, err := python.Generate(t.Context(), pkg)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range files {
		name := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
