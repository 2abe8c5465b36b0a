package sdkts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	sdkts "github.com/formation-iac/formation/internal/pulumi/sdkgen/typescript"
)

var update = flag.Bool("update", false, "rewrite golden files")

// cases are the schemas of testdata, by name.
func cases(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	found := map[string]*txtar.Archive{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(path), ".txtar")] = archive
	}
	return found
}

// part of an archive, or nil.
func part(archive *txtar.Archive, name string) []byte {
	for _, file := range archive.Files {
		if file.Name == name {
			return file.Data
		}
	}
	return nil
}

// schemas loads packages from the cases.
type schemas map[string]*txtar.Archive

func (s schemas) Load(ctx context.Context, dependency pschema.DependencySpec) (*pschema.Package, error) {
	archive, ok := s[dependency.Name]
	if !ok {
		return nil, fmt.Errorf("no case %s", dependency.Name)
	}
	pkg, diags := pschema.Open(ctx, part(archive, "schema.json"), pschema.Options{Loader: s})
	return pkg, diags.Err()
}

func generate(t *testing.T, all schemas, name string, opts sdkts.Options) []sdkgen.File {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), part(all[name], "schema.json"), pschema.Options{Filename: name, Loader: all})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	files, err := sdkts.Generate(t.Context(), pkg, opts)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestGolden compares whole SDKs, but for what is the same in all of them.
func TestGolden(t *testing.T) {
	t.Parallel()
	all := cases(t)
	for name := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got txtar.Archive
			for _, file := range generate(t, all, name, sdkts.Options{}) {
				switch file.Path {
				case ".gitignore", ".gitattributes", "tsconfig.json":
				case "utilities.ts":
					_, end, _ := strings.Cut(string(file.Data), "single ? Object")
					got.Files = append(got.Files, txtar.File{Name: file.Path, Data: []byte("…" + end)})
				default:
					got.Files = append(got.Files, txtar.File{Name: file.Path, Data: file.Data})
				}
			}
			compareGolden(t, filepath.Join("testdata", "golden", name+".txtar"), txtar.Format(&got))
		})
	}
}

// compareGolden fails where it changed anything, so that an update cannot
// bless itself.
func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	diff := cmp.Diff(string(want), string(got))
	if diff == "" {
		return
	}
	t.Errorf("%s (-want +got):\n%s", path, diff)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManifest looks at the package.json of SDKs that are linked into a
// program.
func TestManifest(t *testing.T) {
	t.Parallel()
	all := cases(t)
	var got struct {
		Main         string
		Scripts      map[string]string
		Dependencies map[string]string
	}
	for _, file := range generate(t, all, "neighbour", sdkts.Options{
		Local: true, Dependencies: map[string]string{"zoo": "file:../zoo"},
	}) {
		if file.Path == "package.json" {
			if err := json.Unmarshal(file.Data, &got); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := map[string]string{
		"@example/zoo": "file:../zoo", "@pulumi/pulumi": "^3.142.0", "@types/node": "^20", "typescript": ">=5.5.0 <7",
	}
	if diff := cmp.Diff(want, got.Dependencies); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
	if got.Main != "bin/index.js" || got.Scripts["postinstall"] != "node ./scripts/postinstall.js" {
		t.Errorf("main is %q, scripts are %v", got.Main, got.Scripts)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, want string }{
		"info":         {`"language": {"nodejs": {"dependencies": 3}}`, "ST0001"},
		"types module": {`"resources": {"p:types:R": {}}`, "ST0002"},
		"one file":     {`"allowedPackageNames": ["q"], "resources": {"p:m:R": {}, "q:m:R": {}}`, "ST0003"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, diags := schematest.Bind(t.Context(), []byte(`{"name": "p", `+test.schema+`}`), pschema.Options{})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			_, err := sdkts.Generate(t.Context(), pkg, sdkts.Options{})
			var found *diag.Diagnostic
			if !errors.As(err, &found) || found.Code != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestSameBytes generates a large SDK twice.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	pkg, diags := schematest.BindSpec(t.Context(), many(), pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	first, err := sdkts.Generate(t.Context(), pkg, sdkts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := sdkts.Generate(t.Context(), pkg, sdkts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b sdkgen.File) bool { return a.Path == b.Path && bytes.Equal(a.Data, b.Data) }
	if !slices.EqualFunc(first, second, same) {
		t.Error("the files differ")
	}
}

// many has more types than go into one file.
func many() pschema.PackageSpec {
	return schematest.Wide(schematest.Shape{Resources: 1000, Modules: 1, Properties: 3, Depth: 1})
}

// FuzzGenerate generates an SDK of whatever is a schema. Where the schema has
// no mistakes, every file is below the directory, and one of its own.
func FuzzGenerate(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(part(archive, "schema.json"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pkg, diags := schematest.Bind(t.Context(), data, pschema.Options{})
		if pkg == nil {
			return
		}
		files, err := sdkts.Generate(t.Context(), pkg, sdkts.Options{Local: true})
		var found *diag.Diagnostic
		if err != nil && !errors.As(err, &found) {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, file := range files {
			if !diags.HasErrors() && (seen[file.Path] || !filepath.IsLocal(file.Path)) {
				t.Errorf("a file %q", file.Path)
			}
			seen[file.Path] = true
		}
	})
}
