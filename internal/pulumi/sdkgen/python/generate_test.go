package python_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/python"
)

// TestCompiles generates the SDK of every schema and has Python compile it.
func TestCompiles(t *testing.T) {
	t.Parallel()
	schemas, err := filepath.Glob("testdata/*.json")
	if err != nil || len(schemas) == 0 {
		t.Fatal("no schemas", err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("python3 is not on the PATH")
		}
		t.Skip("python3 is not on the PATH")
	}
	for _, schema := range schemas {
		t.Run(filepath.Base(schema), func(t *testing.T) {
			t.Parallel()
			dir := generate(t, schema)
			out, err := exec.CommandContext(t.Context(), "python3", "-W", "error", "-m", "compileall", "-q", dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

func generate(t *testing.T, schema string) string {
	t.Helper()
	data, err := os.ReadFile(schema)
	if err != nil {
		t.Fatal(err)
	}
	pkg, diags := pschema.Bind(context.Background(), data, pschema.Options{Filename: schema})
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
