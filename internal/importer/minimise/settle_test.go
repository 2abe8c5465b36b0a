package minimise

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

func object(vals map[string]cty.Value) cty.Value { return cty.ObjectVal(vals) }

func TestSettled(t *testing.T) {
	t.Parallel()
	text, null, unknown := cty.StringVal, cty.NullVal(cty.String), cty.UnknownVal(cty.String)
	pair := func(name, flag cty.Value) cty.Value { return object(map[string]cty.Value{"flag": flag, "name": name}) }
	tests := map[string]struct {
		prior, planned cty.Value
		want           cty.Value // NilVal where it must not settle
		paths          []string
	}{
		"nothing":             {prior: pair(text("a"), text("x")), planned: pair(text("a"), text("x"))},
		"null to known":       {pair(text("a"), null), pair(text("a"), text("no")), pair(text("a"), text("no")), []string{"flag"}},
		"null to unknown":     {prior: pair(text("a"), null), planned: pair(text("a"), unknown)},
		"with a side effect":  {pair(text("a"), null), pair(unknown, text("no")), pair(text("a"), text("no")), []string{"flag"}},
		"a value changes":     {prior: pair(text("a"), null), planned: pair(text("b"), text("no"))},
		"a value goes":        {prior: pair(text("a"), text("x")), planned: pair(text("a"), null)},
		"in a list":           {cty.ListVal([]cty.Value{pair(text("a"), null)}), cty.ListVal([]cty.Value{pair(text("a"), text("no"))}), cty.ListVal([]cty.Value{pair(text("a"), text("no"))}), []string{"[0].flag"}},
		"a list grows":        {prior: cty.ListVal([]cty.Value{pair(text("a"), null)}), planned: cty.ListVal([]cty.Value{pair(text("a"), text("no")), pair(text("b"), null)})},
		"in a map":            {cty.MapVal(map[string]cty.Value{"k": pair(text("a"), null)}), cty.MapVal(map[string]cty.Value{"k": pair(text("a"), text("no"))}), cty.MapVal(map[string]cty.Value{"k": pair(text("a"), text("no"))}), []string{`["k"].flag`}},
		"a key changes":       {prior: cty.MapVal(map[string]cty.Value{"k": pair(text("a"), null)}), planned: cty.MapVal(map[string]cty.Value{"l": pair(text("a"), text("no"))})},
		"in a set":            {cty.SetVal([]cty.Value{pair(text("a"), null), pair(text("b"), text("x"))}), cty.SetVal([]cty.Value{pair(text("a"), text("no")), pair(text("b"), text("x"))}), cty.SetVal([]cty.Value{pair(text("a"), text("no")), pair(text("b"), text("x"))}), []string{"[*].flag"}},
		"a set member is new": {prior: cty.SetVal([]cty.Value{pair(text("a"), null)}), planned: cty.SetVal([]cty.Value{pair(text("c"), text("no"))})},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, paths, ok := settled(tt.prior, tt.planned)
			if ok != (tt.want != cty.NilVal) {
				t.Fatalf("settles: %t", ok)
			}
			if !ok {
				return
			}
			if !got.RawEquals(tt.want) {
				t.Errorf("got %#v, want %#v", got, tt.want)
			}
			var names []string
			for _, p := range paths {
				names = append(names, ctyx.PathString(p))
			}
			if diff := cmp.Diff(tt.paths, names); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	empty := cty.StringVal("")
	tests := map[string]struct {
		planned, state cty.Value
		plain, legacy  bool
	}{
		"equal":              {cty.True, cty.True, true, true},
		"unknown":            {cty.UnknownVal(cty.Bool), cty.True, false, false},
		"null and zero":      {cty.NullVal(cty.String), empty, false, true},
		"null and false":     {cty.NullVal(cty.Bool), cty.False, false, true},
		"null and none":      {cty.NullVal(cty.List(cty.String)), cty.ListValEmpty(cty.String), false, true},
		"null and a value":   {cty.NullVal(cty.String), cty.StringVal("x"), false, false},
		"zero inside":        {object(map[string]cty.Value{"a": cty.NullVal(cty.Number)}), object(map[string]cty.Value{"a": cty.Zero}), false, true},
		"zero in a list":     {cty.ListVal([]cty.Value{cty.NullVal(cty.String)}), cty.ListVal([]cty.Value{empty}), false, true},
		"lists differ":       {cty.ListVal([]cty.Value{empty}), cty.ListVal([]cty.Value{empty, empty}), false, false},
		"objects are no nil": {cty.NullVal(cty.EmptyObject), cty.EmptyObjectVal, false, false},
	}
	for name, tt := range tests {
		if got := same(tt.planned, tt.state, false); got != tt.plain {
			t.Errorf("%s: %t", name, got)
		}
		if got := same(tt.planned, tt.state, true); got != tt.legacy {
			t.Errorf("%s to the legacy SDK: %t", name, got)
		}
	}
}
