package golang_test

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/golang"
)

// TestFormatted holds what is written to what gofmt would make of it.
func TestFormatted(t *testing.T) {
	t.Parallel()
	schemas, err := filepath.Glob("testdata/*.json")
	if err != nil || len(schemas) == 0 {
		t.Fatal("no schemas", err)
	}
	for _, schema := range schemas {
		data, err := os.ReadFile(schema)
		if err != nil {
			t.Fatal(err)
		}
		formatted(t, data)
	}
	large, err := pschema.Encode(schematest.Wide(schematest.Shape{Resources: 2, Properties: 12, Depth: 2}))
	if err != nil {
		t.Fatal(err)
	}
	formatted(t, large)
}

// FuzzFormatted describes the same things in any words.
func FuzzFormatted(f *testing.F) {
	f.Add("Says so.", "", "Use another.")
	f.Add("Heading\n\nA Title\n\n- one\n* two\n\n    code\n1. first", "\ttab", "\u00e9t\u00e9 ``quoted''")
	f.Add("", " \r\n x", "# Title\n[a]: http://b")
	f.Fuzz(func(t *testing.T, a, b, deprecated string) {
		schema, err := pschema.Encode(described(a, b, deprecated))
		if err != nil {
			t.Skip(err)
		}
		formatted(t, schema)
	})
}

// described is a schema with texts in every place that has one.
func described(a, b, deprecated string) pschema.PackageSpec {
	properties := map[string]pschema.PropertySpec{
		"x":      {TypeSpec: pschema.TypeSpec{Type: "string"}, Description: a},
		"longer": {TypeSpec: pschema.TypeSpec{Type: "integer"}},
		"y":      {TypeSpec: pschema.TypeSpec{Ref: "#/types/p:m:Kind"}, Description: b, DeprecationMessage: deprecated},
		"z":      {TypeSpec: pschema.TypeSpec{Ref: "#/types/p:m:T"}},
	}
	object := pschema.ObjectTypeSpec{Type: "object", Description: b, Properties: properties}
	return pschema.PackageSpec{
		Name: "p", Version: "1.0.0", Description: a,
		Resources: map[string]pschema.ResourceSpec{"p:m:R": {ObjectTypeSpec: object, InputProperties: properties, DeprecationMessage: deprecated}},
		Functions: map[string]pschema.FunctionSpec{"p:m:f": {Description: a, DeprecationMessage: deprecated, Inputs: &object}},
		Types: map[string]pschema.ComplexTypeSpec{
			"p:m:T": {ObjectTypeSpec: pschema.ObjectTypeSpec{Type: "object", Description: a}},
			"p:m:Kind": {
				ObjectTypeSpec: pschema.ObjectTypeSpec{Type: "string", Description: b},
				Enum:           []pschema.EnumValueSpec{{Name: "One", Value: "1", Description: a}, {Value: "2"}, {Value: "three", DeprecationMessage: deprecated}},
			},
		},
	}
}

// formatted compares all but comments: what gofmt makes of these it would not
// always leave so.
func formatted(t *testing.T, schema []byte) {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), schema, pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	files, err := golang.Generate(t.Context(), pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Path, ".go") {
			continue
		}
		want, err := format.Source(file.Data)
		if err != nil {
			t.Errorf("%s: %v\n%s", file.Path, err, file.Data)
		} else if diff := cmp.Diff(code(want), code(file.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file.Path, diff)
		}
	}
}

// code is a file without the text of its comments.
func code(source []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(source)) {
		indent, _, isComment := strings.Cut(line, "//")
		if isComment = isComment && strings.TrimSpace(indent) == ""; isComment {
			line = indent + "//\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
