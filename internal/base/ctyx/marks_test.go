package ctyx

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// TestUnmark holds Unmark to what cty itself takes off, wherever the mark is.
func TestUnmark(t *testing.T) {
	t.Parallel()
	secret := cty.StringVal("s").Mark("m")
	for name, v := range map[string]cty.Value{
		"nothing":            cty.NilVal,
		"bare":               cty.StringVal("s"),
		"itself":             secret,
		"null":               cty.NullVal(cty.String).Mark("m"),
		"unknown":            cty.UnknownVal(cty.Map(cty.String)).Mark("m"),
		"attribute":          cty.ObjectVal(map[string]cty.Value{"a": cty.True, "b": secret}),
		"empty object":       cty.EmptyObjectVal.Mark("m"),
		"list":               cty.ListVal([]cty.Value{cty.StringVal("a"), secret}),
		"map":                cty.MapVal(map[string]cty.Value{"k": secret}),
		"tuple":              cty.TupleVal([]cty.Value{cty.True, secret}),
		"set":                cty.SetVal([]cty.Value{secret}),
		"set inside a list":  cty.ListVal([]cty.Value{cty.SetVal([]cty.Value{secret})}),
		"deep":               cty.ObjectVal(map[string]cty.Value{"l": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": secret})})}),
		"deep and bare":      cty.ObjectVal(map[string]cty.Value{"l": cty.ListVal([]cty.Value{cty.EmptyObjectVal}), "n": cty.NullVal(cty.DynamicPseudoType)}),
		"unknown in a tuple": cty.TupleVal([]cty.Value{cty.DynamicVal, cty.UnknownVal(cty.Bool).Mark("m")}),
	} {
		if v == cty.NilVal {
			if Unmark(v) != cty.NilVal {
				t.Errorf("%s became something", name)
			}
			continue
		}
		want, _ := v.UnmarkDeep()
		got := Unmark(v)
		if got.ContainsMarked() || !got.RawEquals(want) {
			t.Errorf("%s: got %#v, want %#v", name, got, want)
		}
	}
}
