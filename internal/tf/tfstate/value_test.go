package tfstate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func attribute(name string, ty cty.Type, edit ...func(*tfschema.Attribute)) *tfschema.Attribute {
	a := &tfschema.Attribute{Name: name, Type: ty, Optional: true}
	for _, e := range edit {
		e(a)
	}
	return a
}

func sensitive(a *tfschema.Attribute) { a.Sensitive = true }
func writeOnly(a *tfschema.Attribute) { a.WriteOnly = true }

func nested(nesting tfschema.Nesting, attrs ...*tfschema.Attribute) func(*tfschema.Attribute) {
	return func(a *tfschema.Attribute) {
		a.Nested = &tfschema.Object{Nesting: nesting, Attributes: attrs}
		a.Type = a.Nested.ImpliedType()
	}
}

func secret() *tfschema.Attribute { return attribute("p", cty.String, sensitive) }

// everywhere has a sensitive attribute in every place that can have one.
func everywhere() *tfschema.Schema {
	blockOf := func(name string, n tfschema.Nesting) *tfschema.NestedBlock {
		return &tfschema.NestedBlock{Name: name, Nesting: n, Block: &tfschema.Block{
			Attributes: []*tfschema.Attribute{secret()},
			Blocks: []*tfschema.NestedBlock{{Name: "z", Nesting: tfschema.NestingSingle, Block: &tfschema.Block{
				Attributes: []*tfschema.Attribute{secret()}}}},
		}}
	}
	return &tfschema.Schema{Version: 3, Block: &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			attribute("al", cty.NilType, nested(tfschema.NestingList, secret())),
			attribute("am", cty.NilType, nested(tfschema.NestingMap, secret())),
			attribute("as", cty.NilType, nested(tfschema.NestingSet, secret())),
			attribute("id", cty.String),
			attribute("p", cty.String, sensitive),
			attribute("w", cty.String, writeOnly),
			attribute("whole", cty.NilType, nested(tfschema.NestingSingle, secret()), sensitive),
		},
		Blocks: []*tfschema.NestedBlock{
			blockOf("bg", tfschema.NestingGroup), blockOf("bl", tfschema.NestingList),
			blockOf("bm", tfschema.NestingMap), blockOf("bs", tfschema.NestingSet),
		},
	}}
}

func everywhereValue() cty.Value {
	p := func(s string) cty.Value { return cty.ObjectVal(map[string]cty.Value{"p": cty.StringVal(s)}) }
	nullP := cty.NullVal(cty.Object(map[string]cty.Type{"p": cty.String}))
	block := func(s string, z cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"p": cty.StringVal(s), "z": z})
	}
	return cty.ObjectVal(map[string]cty.Value{
		"al": cty.ListVal([]cty.Value{p("1"), nullP}),
		"am": cty.MapVal(map[string]cty.Value{"k": p("2")}),
		"as": cty.SetVal([]cty.Value{p("3"), p("4")}),
		"id": cty.StringVal("i"), "p": cty.NullVal(cty.String), "w": cty.NullVal(cty.String),
		"whole": p("5"),
		"bg":    block("6", p("7")), "bl": cty.ListVal([]cty.Value{block("8", nullP)}),
		"bm": cty.MapVal(map[string]cty.Value{"k": block("9", p("10"))}),
		"bs": cty.SetVal([]cty.Value{block("11", p("12"))}),
	})
}

func pathStrings(paths []cty.Path) []string {
	var out []string
	for _, p := range paths {
		out = append(out, ctyx.PathString(p))
	}
	return out
}

func TestNewInstance(t *testing.T) {
	t.Parallel()
	schema, v := everywhere(), everywhereValue()
	i, err := NewInstance(v, schema, []byte("private"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"al[0].p", `am["k"].p`, "as", "p", "whole", "bg.p", "bg.z.p", "bl[0].p", `bm["k"].p`, `bm["k"].z.p`, "bs"}
	if diff := cmp.Diff(want, pathStrings(i.SensitiveAttributes)); diff != "" {
		t.Errorf("sensitive attributes (-want +got):\n%s", diff)
	}
	if i.SchemaVersion != 3 || string(i.Private) != "private" {
		t.Errorf("version %d, private %q", i.SchemaVersion, i.Private)
	}
	back, diags := InstanceValue(i, schema)
	if diags.HasErrors() || !back.RawEquals(v) {
		t.Errorf("%v\nwant %#v\ngot  %#v", diags.Err(), v, back)
	}
}

func TestNewInstanceMarks(t *testing.T) {
	t.Parallel()
	schema := &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		attribute("l", cty.List(cty.String)), attribute("p", cty.String, sensitive), attribute("s", cty.Set(cty.String))}}}
	v := cty.ObjectVal(map[string]cty.Value{
		"l": cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b").Mark("x")}),
		"p": cty.StringVal("p").Mark("x"),
		"s": cty.SetVal([]cty.Value{cty.StringVal("c").Mark("x")}),
	})
	i, err := NewInstance(v, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := pathStrings(i.SensitiveAttributes)
	slices.Sort(got)
	if diff := cmp.Diff([]string{"l[1]", "p", "s"}, got); diff != "" {
		t.Errorf("sensitive attributes (-want +got):\n%s", diff)
	}
	none, err := NewInstance(cty.ObjectVal(map[string]cty.Value{"a": cty.True}),
		&tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{attribute("a", cty.Bool)}}}, nil)
	if err != nil || none.SensitiveAttributes == nil || len(none.SensitiveAttributes) != 0 {
		t.Errorf("without secrets: %#v, %v", none.SensitiveAttributes, err)
	}
}

func TestNewInstanceRefuses(t *testing.T) {
	t.Parallel()
	schema := &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{attribute("a", cty.String), attribute("w", cty.String, writeOnly)}}}
	val := func(a, w cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": a, "w": w}) }
	null := cty.NullVal(cty.String)
	for want, v := range map[string]cty.Value{
		"no object":              cty.NullVal(schema.Block.ImpliedType()),
		"unknown values":         val(cty.UnknownVal(cty.String), null),
		"write-only attribute w": val(null, cty.StringVal("hush")),
		"attribute":              cty.ObjectVal(map[string]cty.Value{"other": null}),
	} {
		if _, err := NewInstance(v, schema, nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestInstanceValueProblems(t *testing.T) {
	t.Parallel()
	schema := &tfschema.Schema{Version: 1, Block: &tfschema.Block{Attributes: []*tfschema.Attribute{attribute("a", cty.Number), attribute("b", cty.List(cty.Bool))}}}
	tests := map[string]struct {
		in         Instance
		code, path string
	}{
		"absent members": {Instance{SchemaVersion: 1, Attributes: []byte(`{}`)}, "", ""},
		"nothing":        {Instance{SchemaVersion: 1}, "", ""},
		"flatmap":        {Instance{SchemaVersion: 1, Flatmap: map[string]string{"a": "1"}}, "", ""},
		"older":          {Instance{SchemaVersion: 0, Attributes: []byte(`{}`)}, CodeSchemaVersion, ""},
		"newer":          {Instance{SchemaVersion: 2, Attributes: []byte(`{}`)}, CodeSchemaVersion, ""},
		"wrong type":     {Instance{SchemaVersion: 1, Attributes: []byte(`{"b": [true, "x"]}`)}, CodeAttributes, "b[1]"},
		"more":           {Instance{SchemaVersion: 1, Attributes: []byte(`{"c": 1}`)}, CodeAttributes, ""},
		"not JSON":       {Instance{SchemaVersion: 1, Attributes: []byte(`{`)}, CodeAttributes, ""},
		"bad flatmap":    {Instance{SchemaVersion: 1, Flatmap: map[string]string{"b.#": "x"}}, CodeAttributes, "b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := InstanceValue(tt.in, schema)
			code, path := "", ""
			if len(diags) > 0 {
				code, path = diags[0].Code, ctyx.PathString(diags[0].Path)
			}
			if code != tt.code || path != tt.path {
				t.Errorf("%s on %q, want %s on %q: %v", code, path, tt.code, tt.path, diags.Err())
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	schema := &tfschema.Identity{Version: 2, Attributes: []*tfschema.IdentityAttribute{{Name: "arn", Type: cty.String}}}
	v := cty.ObjectVal(map[string]cty.Value{"arn": cty.StringVal("a")})
	var i Instance
	if err := i.SetIdentity(v, schema); err != nil {
		t.Fatal(err)
	}
	if got, diags := IdentityValue(i, schema); diags.HasErrors() || !got.RawEquals(v) {
		t.Errorf("%#v %v", got, diags.Err())
	}
	if _, diags := IdentityValue(i, &tfschema.Identity{Version: 3}); len(diags) != 1 || diags[0].Code != CodeSchemaVersion {
		t.Errorf("other version: %v", diags.Err())
	}
	if err := i.SetIdentity(cty.ObjectVal(map[string]cty.Value{"arn": cty.UnknownVal(cty.String)}), schema); err == nil {
		t.Error("an unknown identity was accepted")
	}
	if err := i.SetIdentity(cty.NilVal, schema); err != nil || i.Identity != nil {
		t.Errorf("absent identity: %v %v", i.Identity, err)
	}
	if got, diags := IdentityValue(i, schema); got != cty.NilVal || diags != nil {
		t.Errorf("none: %#v %v", got, diags)
	}
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	v := cty.ObjectVal(map[string]cty.Value{"l": cty.ListVal([]cty.Value{cty.NumberIntVal(1)}), "n": cty.NullVal(cty.DynamicPseudoType)})
	o, err := NewOutput(v.Mark("x"), true)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := o.Decode(); err != nil || !got.RawEquals(v) || !o.Sensitive {
		t.Errorf("%#v %v", got, err)
	}
	if _, err := NewOutput(cty.UnknownVal(cty.String), false); err == nil {
		t.Error("an unknown output was accepted")
	}
}
