package ctyx_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// TestEqualIsEquals holds what needs no keys to cty's own.
func TestEqualIsEquals(t *testing.T) {
	t.Parallel()
	obj := func(a, b cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": a, "b": b}) }
	some := []cty.Value{
		cty.StringVal("x"), cty.StringVal("y"), cty.NumberIntVal(1), cty.MustParseNumberVal("1.0"), cty.True, cty.False,
		cty.NullVal(cty.String), cty.NullVal(cty.DynamicPseudoType), cty.UnknownVal(cty.String), cty.DynamicVal,
		cty.UnknownVal(cty.String).RefineNotNull(),
		cty.ListValEmpty(cty.String), cty.ListVal([]cty.Value{cty.StringVal("x")}), cty.ListVal([]cty.Value{cty.UnknownVal(cty.String)}),
		cty.SetVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")}), cty.SetVal([]cty.Value{cty.StringVal("y"), cty.StringVal("x")}),
		cty.SetVal([]cty.Value{cty.UnknownVal(cty.String)}), cty.SetValEmpty(cty.String),
		cty.MapVal(map[string]cty.Value{"k": cty.True}), cty.MapVal(map[string]cty.Value{"l": cty.True}), cty.MapValEmpty(cty.Bool),
		cty.TupleVal([]cty.Value{cty.True, cty.Zero}), cty.EmptyTupleVal, cty.EmptyObjectVal,
	}
	for _, v := range some[:len(some):len(some)] {
		some = append(some, obj(v, cty.True), obj(cty.NullVal(cty.DynamicPseudoType), v), cty.TupleVal([]cty.Value{v, v}))
	}
	for _, a := range some {
		if want, got := a.IsWhollyKnown(), ctyx.WhollyKnown(a); got != want {
			t.Errorf("%#v is wholly known: %v", a, got)
		}
		for _, b := range some {
			eq := a.Equals(b)
			if want, got := eq.IsKnown() && eq.True(), ctyx.Equal(a, b); got != want {
				t.Errorf("%#v and %#v: %v", a, b, got)
			}
		}
	}
}
