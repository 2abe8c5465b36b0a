package secret_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestValues holds that the secrets of an object are found wherever they are,
// and nothing else.
func TestValues(t *testing.T) {
	t.Parallel()
	got := secret.Values(account(), accountConfig())
	slices.Sort(got)
	want := []string{
		"s3cret-1", "s3cret-2", "s3cret-l1", "s3cret-l2", "s3cret-main", "s3cret-named", "s3cret-set", "s3cret-t1", "s3cret-t2",
		`{"k":"s3cret-document"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := secret.Values(account(), account().EmptyValue()); len(got) > 0 {
		t.Errorf("an empty object has %q", got)
	}
	for _, none := range []cty.Value{cty.NilVal, cty.NullVal(account().EmptyValue().Type()), cty.DynamicVal, cty.StringVal("x")} {
		if got := secret.Values(account(), none); len(got) > 0 {
			t.Errorf("%#v has %q", none, got)
		}
	}
}

// TestValuesOfBlocks goes through all nestings of blocks, with computed,
// write-only and marked values.
func TestValuesOfBlocks(t *testing.T) {
	t.Parallel()
	block := &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "plain", Type: cty.String, Computed: true},
		{Name: "pin", Type: cty.Number, WriteOnly: true, Optional: true},
		{Name: "token", Type: cty.Map(cty.String), Computed: true, Sensitive: true},
	}}
	object := func(token string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{
			"plain": cty.StringVal("open"), "pin": cty.NumberIntVal(123456),
			"token": cty.MapVal(map[string]cty.Value{"k": cty.StringVal(token), "none": cty.StringVal("")}).Mark("m"),
		})
	}
	outer := &tfschema.Block{}
	state := map[string]cty.Value{}
	for name, c := range map[string]struct {
		nesting tfschema.Nesting
		wrap    func(cty.Value) cty.Value
	}{
		"g": {tfschema.NestingGroup, func(v cty.Value) cty.Value { return v }},
		"l": {tfschema.NestingList, func(v cty.Value) cty.Value { return cty.TupleVal([]cty.Value{v}) }},
		"m": {tfschema.NestingMap, func(v cty.Value) cty.Value { return cty.MapVal(map[string]cty.Value{"x": v}) }},
		"s": {tfschema.NestingSet, func(v cty.Value) cty.Value { return cty.SetVal([]cty.Value{v}) }},
		"v": {tfschema.NestingSingle, func(v cty.Value) cty.Value { return v }},
	} {
		outer.Blocks = append(outer.Blocks, &tfschema.NestedBlock{Name: name, Nesting: c.nesting, Block: block})
		state[name] = c.wrap(object("token-" + name))
	}
	got := secret.Values(outer, cty.ObjectVal(state))
	slices.Sort(got)
	if diff := cmp.Diff("token-g token-l token-m token-s token-v", strings.Join(slices.Compact(got)[1:], " ")); diff != "" || got[0] != "123456" {
		t.Error(got, diff)
	}
}
