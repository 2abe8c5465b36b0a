package golang_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/golang"
)

// TestCompiles generates the SDK of every schema and has the go command build
// and vet it against the published Pulumi SDK.
func TestCompiles(t *testing.T) {
	t.Parallel()
	schemas, err := filepath.Glob("testdata/*.json")
	if err != nil || len(schemas) == 0 {
		t.Fatal("no schemas", err)
	}
	for _, schema := range schemas {
		t.Run(filepath.Base(schema), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(schema)
			if err != nil {
				t.Fatal(err)
			}
			compile(t, generate(t, data))
		})
	}
}

// TestImportCycle refuses modules that refer to each other, unless they are in
// one Go package.
func TestImportCycle(t *testing.T) {
	t.Parallel()
	const schema = `{
		"name": "p", "language": {"go": {"moduleToPackage": {%s}}},
		"resources": {
			"p:one:A": {"inputProperties": {"b": {"$ref": "#/resources/p:two:B"}}},
			"p:two:B": {"inputProperties": {"c": {"$ref": "#/types/p:three:C"}}}
		},
		"types": {"p:three:C": {"type": "object", "properties": {"a": {"$ref": "#/resources/p:one:A"}}}}
	}`
	for mapping, want := range map[string]string{
		"":                             "the modules one, two, three, one refer to each other",
		`"one": "two", "three": "two"`: "",
	} {
		pkg, diags := schematest.Bind(t.Context(), fmt.Appendf(nil, schema, mapping), pschema.Options{})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		files, err := golang.Generate(t.Context(), pkg)
		for i, file := range files {
			if i > 0 && files[i-1].Path == file.Path {
				t.Errorf("%s: %s is there twice", mapping, file.Path)
			}
		}
		if got := fmt.Sprint(err); !strings.Contains(got, want) || want == "" && err != nil {
			t.Errorf("%s: %s", mapping, got)
		}
	}
}

// generate writes an SDK into a directory of the test, and returns that.
func generate(t *testing.T, schema []byte) string {
	t.Helper()
	files, err := golang.Generate(t.Context(), bound(t, schema))
	if err != nil {
		t.Fatal(err)
	}
	return write(t, files)
}

func bound(t *testing.T, schema []byte) *pschema.Package {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), schema, pschema.Options{Filename: "schema.json"})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return pkg
}

func write(t *testing.T, files []sdkgen.File) string {
	t.Helper()
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

// compile builds a generated module with the versions that tools/gosdk pins.
func compile(t *testing.T, dir string) {
	t.Helper()
	pin(t, dir)
	command(t, dir, "build", "./...")
	command(t, dir, "vet", "./...")
}

// command runs the go command in a directory. Without -trimpath what it builds
// would be kept by the directory, which no other test has again.
func command(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// pin gives a module the requirements of tools/gosdk.
func pin(t *testing.T, dir string) {
	t.Helper()
	const root = "../../../../tools/gosdk"
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module, _, _ := strings.Cut(string(theirs), "\n")
	_, requirements, _ := strings.Cut(string(ours), "\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module+"\n"+requirements), 0o600); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
}
