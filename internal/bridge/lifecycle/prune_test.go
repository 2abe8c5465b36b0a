package lifecycle

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestPruneNestings prunes objects in every collection, dynamic ones, nulls
// and all.
func TestPruneNestings(t *testing.T) {
	t.Parallel()
	attrs := []*tfschema.Attribute{
		{Name: "any", Type: cty.DynamicPseudoType, Optional: true}, {Name: "made", Type: cty.String, Computed: true},
	}
	elem := func(v cty.Value, made string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"any": v, "made": cty.StringVal(made)})
	}
	text := cty.StringVal("x")
	pruned := func(v cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"any": v, "made": cty.NullVal(cty.String)})
	}
	null := cty.NullVal(elem(text, "").Type())
	for label, test := range map[string]struct {
		nesting tfschema.Nesting
		v, want cty.Value
	}{
		"single": {tfschema.NestingSingle, elem(text, "a"), pruned(text)},
		"null":   {tfschema.NestingSingle, null, null},
		"list":   {tfschema.NestingList, cty.ListVal([]cty.Value{elem(text, "a"), null}), cty.ListVal([]cty.Value{pruned(text), null})},
		"set":    {tfschema.NestingSet, cty.SetVal([]cty.Value{elem(text, "a")}), cty.SetVal([]cty.Value{pruned(text)})},
		"map":    {tfschema.NestingMap, cty.MapVal(map[string]cty.Value{"k": elem(text, "a")}), cty.MapVal(map[string]cty.Value{"k": pruned(text)})},
		"empty":  {tfschema.NestingMap, cty.MapValEmpty(null.Type()), cty.MapValEmpty(null.Type())},
		"one type less": {
			tfschema.NestingList, cty.ListVal([]cty.Value{elem(text, "a"), elem(cty.StringVal(""), "b")}),
			cty.ListVal([]cty.Value{elem(text, "a"), elem(cty.StringVal(""), "b")}),
		},
	} {
		block := &tfschema.Block{Attributes: []*tfschema.Attribute{
			{Name: "n", Type: cty.DynamicPseudoType, Optional: true, Nested: &tfschema.Object{Nesting: test.nesting, Attributes: attrs}},
		}}
		keep := keepSettable
		if label == "one type less" {
			keep = keepTelling
		}
		got := pruneBlock(block, cty.ObjectVal(map[string]cty.Value{"n": test.v}), cty.NilVal, keep)
		if !got.GetAttr("n").RawEquals(test.want) {
			t.Errorf("%s: got %#v, want %#v", label, got.GetAttr("n"), test.want)
		}
	}
}
