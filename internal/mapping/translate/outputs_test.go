package translate_test

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestFromTerraformValues(t *testing.T) {
	t.Parallel()
	object := cty.Object(map[string]cty.Type{"b_c": cty.String, "d": cty.Number})
	for name, test := range map[string]struct {
		v    cty.Value // of the attribute "a"
		want property.Value
	}{
		"string":         {cty.StringVal("x"), str("x")},
		"marked":         {cty.StringVal("x").Mark("m"), str("x")},
		"marked inside":  {cty.ListVal([]cty.Value{cty.StringVal("x").Mark("m")}), list(str("x"))},
		"null":           {cty.NullVal(cty.String), property.Value{}},
		"unknown":        {cty.UnknownVal(cty.Set(cty.String)), computed()},
		"unknown inside": {cty.ListVal([]cty.Value{cty.UnknownVal(cty.String), cty.NullVal(cty.String)}), list(computed(), property.Value{})},
		"number":         {cty.NumberIntVal(5), property.New(5.0)},
		"decimal":        {cty.MustParseNumberVal("0.1"), property.New(0.1)},
		"float":          {cty.NumberFloatVal(0.1), property.New(0.1)},
		"longer decimal": {cty.MustParseNumberVal("0.12345678901234567890"), str("0.1234567890123456789")},
		"last integer":   {cty.MustParseNumberVal("9007199254740992"), property.New(9007199254740992.0)},
		"beyond":         {cty.MustParseNumberVal("-9007199254740993"), str("-9007199254740993")},
		"even beyond":    {cty.MustParseNumberVal("18014398509481984"), str("18014398509481984")},
		"infinity":       {cty.PositiveInfinity, str("+Inf")},
		"gigabytes":      {cty.NumberVal(new(big.Float).SetMantExp(big.NewFloat(0.5), 1<<30)), str("0x.8p+1073741824")},
		"set":            {cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")}), list(str("a"), str("b"))},
		"map":            {cty.MapVal(map[string]cty.Value{"a_b": cty.StringVal("x"), "n": cty.NullVal(cty.String)}), dict(map[string]property.Value{"a_b": str("x"), "n": {}})},
		"object":         {cty.ObjectVal(map[string]cty.Value{"b_c": cty.StringVal("x"), "d": cty.NullVal(cty.Number)}), dict(map[string]property.Value{"bC": str("x")})},
		"objects":        {cty.ListVal([]cty.Value{cty.NullVal(object), cty.UnknownVal(object)}), list(property.Value{}, computed())},
		"empty list":     {cty.ListValEmpty(cty.String), list()},
		"tuple":          {cty.TupleVal([]cty.Value{cty.True, cty.StringVal("x")}), list(property.New(true), str("x"))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := one(test.v.Type())
			want := property.Map{}
			if !test.want.IsNull() {
				want = want.Set(o.Properties[0].Name, test.want)
			}
			got := translate.FromTerraform(o, cty.ObjectVal(map[string]cty.Value{"a": test.v}))
			if diff := cmp.Diff(want, got, inside(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFromTerraformDynamic reads dynamic values by their own type.
func TestFromTerraformDynamic(t *testing.T) {
	t.Parallel()
	v := cty.ObjectVal(map[string]cty.Value{
		"aB": cty.SetVal([]cty.Value{cty.Zero}), "m": cty.MapVal(map[string]cty.Value{"k": cty.True}),
		"n": cty.NullVal(cty.String), "u": cty.DynamicVal,
	})
	want := property.NewMap(map[string]property.Value{"a": dict(map[string]property.Value{
		"aB": list(property.New(0.0)), "m": dict(map[string]property.Value{"k": property.New(true)}), "n": {}, "u": computed(),
	})})
	got := translate.FromTerraform(one(cty.DynamicPseudoType), cty.ObjectVal(map[string]cty.Value{"a": v}))
	if diff := cmp.Diff(want, got, inside()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// secretive has sensitive and write-only attributes at every place.
func secretive() *mapping.Object {
	nested := &tfschema.Object{Nesting: tfschema.NestingSet, Attributes: []*tfschema.Attribute{
		{Name: "key", Type: cty.String, Optional: true, Sensitive: true}, optional("name", cty.String),
	}}
	return mapping.NewObject(&tfschema.Block{
		Attributes: []*tfschema.Attribute{
			optional("any", cty.DynamicPseudoType), optional("list", cty.List(cty.String)), optional("map", cty.Map(cty.String)),
			{Name: "nested", Type: nested.ImpliedType(), Nested: nested, Optional: true},
			{Name: "password", Type: cty.String, Optional: true, Computed: true, Sensitive: true},
			{Name: "passwords", Type: cty.List(cty.String), Optional: true, Sensitive: true},
			{Name: "token", Type: cty.String, Optional: true, WriteOnly: true},
		},
		Blocks: []*tfschema.NestedBlock{{Name: "block", Nesting: tfschema.NestingList, Max: 1, Block: &tfschema.Block{
			Attributes: []*tfschema.Attribute{optional("open", cty.String), {Name: "token", Type: cty.String, Optional: true, WriteOnly: true}},
		}}},
	}, "Thing")
}

// TestSecretOutputs marks what is sensitive at its own place, known or not,
// and lets no write-only value out.
func TestSecretOutputs(t *testing.T) {
	t.Parallel()
	o := secretive()
	elem := cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal("k"), "name": cty.StringVal("n")})
	v := cty.ObjectVal(map[string]cty.Value{
		"any": cty.NullVal(cty.DynamicPseudoType), "list": cty.NullVal(cty.List(cty.String)), "map": cty.NullVal(cty.Map(cty.String)),
		"nested": cty.SetVal([]cty.Value{elem}), "password": cty.UnknownVal(cty.String), "passwords": cty.ListVal([]cty.Value{cty.StringVal("p")}),
		"token": cty.StringVal("t"), "block": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"open": cty.StringVal("o"), "token": cty.StringVal("t")})}),
	})
	want := property.NewMap(map[string]property.Value{
		"nesteds":   list(dict(map[string]property.Value{"key": str("k").WithSecret(true), "name": str("n")})),
		"password":  computed().WithSecret(true),
		"passwords": list(str("p")).WithSecret(true),
		"block":     dict(map[string]property.Value{"open": str("o")}),
	})
	if diff := cmp.Diff(want, translate.FromTerraform(o, v), inside()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkSecrets(t *testing.T) {
	t.Parallel()
	nested := func(key property.Value) property.Value {
		return list(dict(map[string]property.Value{"key": key, "name": str("n")}), computed())
	}
	block := func(token property.Value) property.Value {
		return dict(map[string]property.Value{"open": str("o"), "token": token})
	}
	inputs := property.NewMap(map[string]property.Value{
		"nesteds": nested(str("k")), "password": {}, "token": computed(), "block": block(str("t")), "stranger": str("s"), "any": str("a").WithSecret(true),
	})
	want := property.NewMap(map[string]property.Value{
		"nesteds": nested(str("k").WithSecret(true)), "password": {}, "token": computed().WithSecret(true), "block": block(str("t").WithSecret(true)),
		"stranger": str("s"), "any": str("a").WithSecret(true),
	})
	if diff := cmp.Diff(want, translate.MarkSecrets(secretive(), inputs), inside()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeepSecrets(t *testing.T) {
	t.Parallel()
	secret := func(s string) property.Value { return str(s).WithSecret(true) }
	for name, test := range map[string]struct{ output, input, want property.Value }{
		"any":           {str("x"), secret("y"), secret("x")},
		"any inside":    {dict(map[string]property.Value{"k": str("x"), "o": str("x")}), dict(map[string]property.Value{"k": secret("y")}), dict(map[string]property.Value{"k": secret("x"), "o": str("x")})},
		"any array":     {list(str("x"), str("y")), list(secret("y"), str("x")), list(str("x"), str("y")).WithSecret(true)},
		"list":          {list(str("x"), str("y")), list(str("x"), secret("y")), list(str("x"), secret("y"))},
		"longer list":   {list(str("x"), str("y")), list(secret("y")), list(str("x"), str("y")).WithSecret(true)},
		"map":           {dict(map[string]property.Value{"a": str("x"), "b": str("y")}), dict(map[string]property.Value{"b": secret("z"), "c": secret("z")}), dict(map[string]property.Value{"a": str("x"), "b": secret("y")})},
		"map in whole":  {dict(map[string]property.Value{"a": str("x")}), dict(nil).WithSecret(true), dict(map[string]property.Value{"a": str("x")}).WithSecret(true)},
		"nesteds":       {list(dict(map[string]property.Value{"name": str("n")})), list(dict(map[string]property.Value{"name": secret("n")})), list(dict(map[string]property.Value{"name": str("n")})).WithSecret(true)},
		"block":         {dict(map[string]property.Value{"open": str("x")}), dict(map[string]property.Value{"open": secret("y")}), dict(map[string]property.Value{"open": secret("x")})},
		"password":      {computed(), secret("y"), computed().WithSecret(true)},
		"other shape":   {str("x"), list(secret("y")), secret("x")},
		"no secret":     {list(str("x")), list(str("x")), list(str("x"))},
		"nothing there": {property.Value{}, secret("x"), property.Value{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := map[string]string{"longer list": "lists", "list": "lists", "map": "map", "map in whole": "map", "nesteds": "nesteds", "block": "block", "password": "password"}[name]
			if at == "" {
				at = "any"
			}
			o := secretive()
			if o.Property(at) == nil {
				t.Fatalf("no property %s", at)
			}
			wrap := func(v property.Value) property.Map { return property.NewMap(map[string]property.Value{at: v}) }
			got := translate.KeepSecrets(o, wrap(test.output), property.Map{}, wrap(test.input))
			if diff := cmp.Diff(wrap(test.want), got, inside()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
