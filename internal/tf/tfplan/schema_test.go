package tfplan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// The usual attributes, by what configuration may do with them.
func required(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Required: true}
}

func optional(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true}
}

func computed(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Computed: true}
}

func optionalComputed(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true, Computed: true}
}

func nestedAttr(attr *tfschema.Attribute, nesting tfschema.Nesting, attrs ...*tfschema.Attribute) *tfschema.Attribute {
	attr.Nested = &tfschema.Object{Nesting: nesting, Attributes: sortAttributes(attrs)}
	attr.Type = attr.Nested.ImpliedType()
	return attr
}

func sortAttributes(attrs []*tfschema.Attribute) []*tfschema.Attribute {
	slices.SortFunc(attrs, func(a, b *tfschema.Attribute) int { return strings.Compare(a.Name, b.Name) })
	return attrs
}

func block(attrs []*tfschema.Attribute, blocks ...*tfschema.NestedBlock) *tfschema.Block {
	slices.SortFunc(blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	return &tfschema.Block{Attributes: sortAttributes(attrs), Blocks: blocks}
}

func nestedBlock(name string, nesting tfschema.Nesting, attrs ...*tfschema.Attribute) *tfschema.NestedBlock {
	return &tfschema.NestedBlock{Name: name, Nesting: nesting, Block: block(attrs)}
}

func attrs(list ...*tfschema.Attribute) []*tfschema.Attribute { return list }

func str(s string) cty.Value { return cty.StringVal(s) }

var nullStr = cty.NullVal(cty.String)

// obj makes an object from name, value, name, value...
func obj(pairs ...any) cty.Value {
	vals := map[string]cty.Value{}
	for i := 0; i < len(pairs); i += 2 {
		vals[pairs[i].(string)] = pairs[i+1].(cty.Value)
	}
	return cty.ObjectVal(vals)
}

func list(vals ...cty.Value) cty.Value  { return cty.ListVal(vals) }
func set(vals ...cty.Value) cty.Value   { return cty.SetVal(vals) }
func tuple(vals ...cty.Value) cty.Value { return cty.TupleVal(vals) }

func mapOf(pairs ...any) cty.Value { return cty.MapVal(obj(pairs...).AsValueMap()) }

func wantValue(t *testing.T, want, got cty.Value) {
	t.Helper()
	if !want.RawEquals(got) {
		t.Errorf("wrong value\nwant %#v\ngot  %#v", want, got)
	}
}

// wantProblems compares diagnostics as "path: detail without the advice".
func wantProblems(t *testing.T, want []string, diags diag.List) {
	t.Helper()
	var got []string
	for _, d := range diags {
		detail, _, _ := strings.Cut(d.Detail, ".")
		got = append(got, ctyx.PathString(d.Path)+": "+detail)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrong diagnostics (-want +got):\n%s", diff)
	}
}
