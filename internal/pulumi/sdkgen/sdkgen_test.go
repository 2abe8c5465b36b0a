package sdkgen_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

func TestDocs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"nothing":      {"", ""},
		"plain":        {"Says so.\n\n\nTwice.\n", "Says so.\n\n\nTwice."},
		"languages":    {"Before.\n\n```typescript\nts\n```\n```python\npy\n```\n\n```sh\nrun\n```\n\nAfter.", "Before.\n\n```typescript\nts\n```\n\n```sh\nrun\n```\n\nAfter."},
		"longer fence": {"````typescript\n```python\n```\n````\n```go\n```", "````typescript\n```python\n```\n````"},
		"open fence":   {"```go\nnever closed", ""},
		"chooser":      {"A.\n<!--Start PulumiCodeChooser -->\n```go\nx\n```\n<!--End PulumiCodeChooser -->\nB.", "A.\nB."},
		"examples": {"{{% examples %}}\n## Examples\n{{% example %}}\n### One\n```go\nx\n```\n{{% /example %}}\n{{% example %}}\n### Two\n```typescript\ny\n```\n{{% /example %}}\n{{% /examples %}}\nEnd.",
			"## Examples\n### Two\n```typescript\ny\n```\nEnd."},
		"open example": {"A.\n{{% example %}}\n### One\n", "A."},
		"references": {"See {{% ref #/resources/p:m%2Fx:R %}}, {{% ref #/resources/p:m:R/inputProperties/in %}}, " +
			"{{% ref #/functions/p:m:f/outputs/properties/out %}} and {{% ref nowhere %}}.",
			"See resources p:m/x:R \"\" false, resources p:m:R \"in\" true, functions p:m:f \"out\" false and nowhere."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sdkgen.Docs(test.in, "typescript", func(ref sdkgen.DocRef) string {
				return fmt.Sprintf("%s %s %q %v", ref.Section, ref.Token, ref.Property, ref.Input)
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("docs (-want +got):\n%s", diff)
			}
		})
	}
}

// types is a schema whose types are used in every role.
const types = `{
  "name": "p", "version": "1.0.0",
  "config": {"variables": {"c": {"$ref": "#/types/p:m:Config"}}},
  "resources": {"p:m:R": {
    "inputProperties": {"a": {"type": "array", "items": {"$ref": "#/types/p:m:In"}}},
    "properties": {
      "flag": {"type": "string", "replaceOnChanges": true},
      "loop": {"$ref": "#/types/p:m:Loop"},
      "m": {"type": "object", "additionalProperties": {"type": "array", "items": {"$ref": "#/types/p:m:Out"}}}},
    "stateInputs": {"properties": {"s": {"$ref": "#/types/p:m:State"}}},
    "methods": {"go": "p:m:R/go"}
  }},
  "functions": {
    "p:m:R/go": {"inputs": {"properties": {"__self__": {"$ref": "#/resources/p:m:R"}, "x": {"$ref": "#/types/p:m:Method"}}}, "outputs": {"$ref": "#/types/p:m:Out"}},
    "p:m:f": {"inputs": {"properties": {"x": {"oneOf": [{"type": "string"}, {"$ref": "#/types/p:m:Both"}]}}}, "outputs": {"properties": {"o": {"$ref": "#/types/p:m:Result"}}}},
    "p:m:quiet": {"inputs": {"properties": {"x": {"$ref": "#/types/p:m:Quiet"}}}}
  },
  "types": {
    "p:m:Config": {"type": "object"}, "p:m:In": {"type": "object", "properties": {"deep": {"$ref": "#/types/p:m:Deep"}}},
    "p:m:Deep": {"type": "object", "properties": {"x": {"type": "string", "default": "d"}}},
    "p:m:Loop": {"type": "object", "properties": {"again": {"$ref": "#/types/p:m:Loop"}, "hit": {"type": "array", "items": {"type": "string"}, "replaceOnChanges": true}}},
    "p:m:Out": {"type": "object", "properties": {"a": {"type": "string", "replaceOnChanges": true}, "b": {"type": "string"}}},
    "p:m:State": {"type": "object"}, "p:m:Method": {"type": "object"}, "p:m:Both": {"type": "object", "properties": {"in": {"$ref": "#/types/p:m:In"}}},
    "p:m:Result": {"type": "object"}, "p:m:Quiet": {"type": "object"}, "p:m:Unused": {"type": "object"}
  }
}`

func bind(t *testing.T, schema string) *pschema.Package {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), []byte(schema), pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return pkg
}

func TestUsage(t *testing.T) {
	t.Parallel()
	usage := sdkgen.UsageOf(bind(t, types))
	names := func(marked map[*pschema.Object]bool) string {
		var names []string
		for object := range marked {
			names = append(names, strings.TrimPrefix(object.Token, "p:m:"))
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	want := map[string]string{
		"input": "Both Deep In Method State", "call": "Both Deep In", "plain": "Both Deep In Quiet",
		"output": "Config Loop Out Result",
	}
	got := map[string]string{
		"input": names(usage.Input), "call": names(usage.Call), "plain": names(usage.Plain), "output": names(usage.Output),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	pkg := bind(t, types)
	defaults := sdkgen.NewDefaults(pkg)
	for token, want := range map[string]bool{
		"p:m:Deep": true, "p:m:In": true, "p:m:Both": true, "p:m:Loop": false, "p:m:Out": false,
	} {
		object, _ := pkg.Type(token)
		if got := defaults.In(object) != nil; got != want {
			t.Errorf("%s: got %v", token, got)
		}
		if defaults.In(&pschema.Array{Elem: pschema.Use{Type: object}}) != nil {
			t.Errorf("%s: a list of it has defaults", token)
		}
	}
}

func TestReplacePaths(t *testing.T) {
	t.Parallel()
	resource, _ := bind(t, types).Resource("p:m:R")
	want := []string{"flag", "loop.hit[*]", "m.*[*].a"}
	if diff := cmp.Diff(want, sdkgen.NewReplacements().Paths(resource.Outputs)); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

func TestRenameQuoted(t *testing.T) {
	t.Parallel()
	names := sdkgen.PropertyNames(bind(t, types))
	if got := strings.Join(slices.Sorted(maps.Keys(names)), " "); got != "__self__ a again b c deep flag hit in loop m o s x" {
		t.Errorf("the names are %s", got)
	}
	for text, want := range map[string]string{
		"":                         "",
		"`deep`, `other` and deep": "`DEEP`, `other` and deep",
		"`a` `` `b`":               "`A` `` `B`",
		"```\n`a`\n```\n`b`":       "```\n`a`\n```\n`B`",
		"`a` and ```open `b`":      "`A` and ```open `b`",
		"`a` and `open":            "`A` and `open",
		"```` `a` ````":            "```` `a` ````",
	} {
		if got := sdkgen.RenameQuoted(text, names, strings.ToUpper); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestValueName(t *testing.T) {
	t.Parallel()
	taken := sdkgen.Taken{}
	var got []string
	for _, value := range []pschema.EnumValue{{Name: "n", Value: "v"}, {Value: "v"}, {Value: "v"}, {Value: ""}, {Value: "*"}, {Value: 7.0}, {Value: 70.0}, {Value: true}} {
		name, spelled := sdkgen.ValueName(value)
		got = append(got, fmt.Sprint(taken.Free(name), " ", spelled))
	}
	want := []string{"n false", "v false", "v_2 false", "Empty true", "Asterisk true", "Seven true", "70 false", "true false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPlugin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, want string }{
		"itself": {`{"name": "p", "version": "v1.2", "pluginDownloadURL": "https://x"}`,
			`{"resource": true, "name": "p", "version": "1.2.0", "server": "https://x"}`},
		"parameterized": {`{"name": "p", "version": "2.0.0", "parameterization": {"baseProvider": {"name": "b", "version": "1.0.0"}, "parameter": "eA=="}}`,
			`{"resource": true, "name": "b", "version": "1.0.0", "parameterization": {"name": "p", "version": "2.0.0", "value": "eA=="}}`},
		"extension": {`{"name": "p", "extensionParameterization": {"baseProvider": {"name": "b", "version": "1.0.0"}, "parameter": "eA=="}}`,
			`{"resource": true, "name": "b", "version": "1.0.0", "extensionParameterization": {"name": "p", "version": "0.0.0", "value": "eA=="}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := sdkgen.PluginOf(bind(t, test.schema)).JSON()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.NewReplacer("{ ", "{", " }", "}").Replace(strings.Join(strings.Fields(string(data)), " "))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
		})
	}
}
