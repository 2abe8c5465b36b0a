package translate_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func optional(name string, ty cty.Type) *tfschema.Attribute {
	return &tfschema.Attribute{Name: name, Type: ty, Optional: true}
}

// one is an object with one optional attribute "a" of a type.
func one(ty cty.Type) *mapping.Object {
	return mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{optional("a", ty)}}, "Thing")
}

func str(s string) property.Value { return property.New(s) }

func list(elements ...property.Value) property.Value {
	return property.New(property.NewArray(elements))
}

func dict(members map[string]property.Value) property.Value {
	return property.New(property.NewMap(members))
}

func computed() property.Value { return property.New(property.Computed) }

// config writes v as the attribute "a" of a type.
func config(ty cty.Type, v property.Value) (cty.Value, []translate.Problem) {
	o := one(ty)
	out, _, problems := translate.ToConfig(o, property.NewMap(map[string]property.Value{o.Properties[0].Name: v}))
	return out.GetAttr("a"), problems
}

func reference(id property.Value) property.Value {
	return property.New(property.ResourceReference{URN: "urn:pulumi:s::p::t::n", ID: id})
}

func TestToConfigValues(t *testing.T) {
	t.Parallel()
	object := cty.Object(map[string]cty.Type{"b_c": cty.String, "d": cty.Number})
	pair := cty.Tuple([]cty.Type{cty.String, cty.Number})
	for name, test := range map[string]struct {
		ty   cty.Type
		v    property.Value
		want cty.Value
	}{
		"string":                    {cty.String, str("x"), cty.StringVal("x")},
		"bool for a string":         {cty.String, property.New(true), cty.StringVal("true")},
		"number for a string":       {cty.String, property.New(1.5e6), cty.StringVal("1500000")},
		"secret":                    {cty.String, str("x").WithSecret(true).WithDependencies([]urn.URN{"u"}), cty.StringVal("x")},
		"null":                      {cty.String, property.Value{}, cty.NullVal(cty.String)},
		"unknown":                   {cty.List(cty.String), computed(), cty.UnknownVal(cty.List(cty.String))},
		"resource":                  {cty.String, reference(str("i")), cty.StringVal("i")},
		"unknown resource":          {cty.String, reference(computed()), cty.UnknownVal(cty.String)},
		"component":                 {cty.String, reference(property.Value{}), cty.StringVal("urn:pulumi:s::p::t::n")},
		"bool":                      {cty.Bool, property.New(false), cty.False},
		"string for a bool":         {cty.Bool, str("true"), cty.True},
		"string for false":          {cty.Bool, str("false"), cty.False},
		"number":                    {cty.Number, property.New(5.0), cty.NumberIntVal(5)},
		"decimal":                   {cty.Number, property.New(0.1), cty.MustParseNumberVal("0.1")},
		"large integer":             {cty.Number, property.New(math.Pow(2, 60)), cty.MustParseNumberVal("1152921504606846976")},
		"tiny":                      {cty.Number, property.New(5e-324), cty.MustParseNumberVal("5e-324")},
		"string for a number":       {cty.Number, str("12345678901234567890"), cty.MustParseNumberVal("12345678901234567890")},
		"exponent for a number":     {cty.Number, str("1e3"), cty.NumberIntVal(1000)},
		"empty for a number":        {cty.Number, str(""), cty.NullVal(cty.Number)},
		"list":                      {cty.List(cty.String), list(str("a"), property.Value{}, computed()), cty.ListVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.String), cty.UnknownVal(cty.String)})},
		"empty list":                {cty.List(cty.Number), list(), cty.ListValEmpty(cty.Number)},
		"set":                       {cty.Set(cty.String), list(str("b"), str("a"), str("b")), cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})},
		"empty set":                 {cty.Set(cty.Number), list(), cty.SetValEmpty(cty.Number)},
		"map":                       {cty.Map(cty.String), dict(map[string]property.Value{"aB": str("x"), "__defaults": {}}), cty.MapVal(map[string]cty.Value{"aB": cty.StringVal("x"), "__defaults": cty.NullVal(cty.String)})},
		"empty map":                 {cty.Map(object), dict(nil), cty.MapValEmpty(object)},
		"object":                    {object, dict(map[string]property.Value{"bC": str("x"), "__defaults": list()}), cty.ObjectVal(map[string]cty.Value{"b_c": cty.StringVal("x"), "d": cty.NullVal(cty.Number)})},
		"objects that leave out":    {cty.List(object), list(dict(nil)), cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"b_c": cty.NullVal(cty.String), "d": cty.NullVal(cty.Number)})})},
		"unknown inside":            {object, dict(map[string]property.Value{"d": computed()}), cty.ObjectVal(map[string]cty.Value{"b_c": cty.NullVal(cty.String), "d": cty.UnknownVal(cty.Number)})},
		"tuple":                     {pair, list(str("x"), property.New(1.0)), cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.NumberIntVal(1)})},
		"tuple of the other bridge": {pair, dict(map[string]property.Value{"t0": str("x"), "t1": property.New(1.0)}), cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.NumberIntVal(1)})},
		"dynamic null":              {cty.DynamicPseudoType, property.Value{}, cty.NullVal(cty.DynamicPseudoType)},
		"dynamic unknown":           {cty.DynamicPseudoType, computed(), cty.DynamicVal},
		"dynamic list":              {cty.DynamicPseudoType, list(str("a"), str("b")), cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})},
		"dynamic tuple":             {cty.DynamicPseudoType, list(str("a"), property.New(true)), cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.True})},
		"dynamic empty":             {cty.DynamicPseudoType, list(), cty.ListValEmpty(cty.DynamicPseudoType)},
		"dynamic object":            {cty.DynamicPseudoType, dict(map[string]property.Value{"aB": property.New(0.5)}), cty.ObjectVal(map[string]cty.Value{"aB": cty.NumberFloatVal(0.5)})},
		"dynamic with nulls":        {cty.DynamicPseudoType, list(property.Value{}, property.Value{}), cty.TupleVal([]cty.Value{cty.NullVal(cty.DynamicPseudoType), cty.NullVal(cty.DynamicPseudoType)})},
		"file":                      {cty.String, property.New(&asset.Asset{Path: "p"}), cty.StringVal("p")},
		"archive":                   {cty.String, property.New(&archive.Archive{Path: "d"}), cty.StringVal("d")},
		"optional in a type":        {cty.ObjectWithOptionalAttrs(map[string]cty.Type{"x": cty.String}, []string{"x"}), computed(), cty.UnknownVal(cty.Object(map[string]cty.Type{"x": cty.String}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := config(test.ty, test.v)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if !got.RawEquals(test.want) {
				t.Errorf("got %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestToConfigProblems(t *testing.T) {
	t.Parallel()
	objects := cty.Map(cty.List(cty.Object(map[string]cty.Type{"n": cty.Number})))
	for want, test := range map[string]struct {
		ty cty.Type
		v  property.Value
	}{
		"a: Expected a string, got an array":                            {cty.String, list()},
		"a: Expected a bool, got a number":                              {cty.Bool, property.New(1.0)},
		"a: Expected a bool, got a string":                              {cty.Bool, str("yes")},
		"a: Expected a number, got a string that is none":               {cty.Number, str("0x10")},
		"a: Expected a number, got a bool":                              {cty.Number, property.New(true)},
		"a: Expected a number, got none that is finite":                 {cty.Number, property.New(math.NaN())},
		"a: The number is too large or too small":                       {cty.Number, str("1e999999999")},
		"a: The string is not UTF-8, as Terraform needs it":             {cty.String, str("\xff")},
		"a: Expected a text, or a file to take the path of":             {cty.String, property.New(&asset.Asset{Text: "t"})},
		"as: Expected an array, got an object":                          {cty.List(cty.String), dict(nil)},
		"a: Expected a map, got a string":                               {cty.Map(cty.String), str("x")},
		"a: Expected an object, got a bool":                             {cty.EmptyObject, property.New(true)},
		"a: Expected an array of 1 elements, got 2":                     {cty.Tuple([]cty.Type{cty.String}), list(str("a"), str("b"))},
		`a["k.x"][1].n: Expected a number, got a string that is none`:   {objects, dict(map[string]property.Value{"k.x": list(property.Value{}, dict(map[string]property.Value{"n": str("x")}))})},
		`a["k.x"][0].nn: There is no such property (Did you mean "n"?)`: {objects, dict(map[string]property.Value{"k.x": list(dict(map[string]property.Value{"nn": str("x")}))})},
		"as: All elements must be of one type":                          {cty.List(cty.Object(map[string]cty.Type{"d": cty.DynamicPseudoType})), list(dict(map[string]property.Value{"d": str("x")}), dict(map[string]property.Value{"d": property.New(true)}))},
		"a.unheardOfAndFarAway: There is no such property":              {cty.EmptyObject, dict(map[string]property.Value{"unheardOfAndFarAway": str("x")})},
	} {
		_, problems := config(test.ty, test.v)
		if len(problems) != 1 || problems[0].Error() != want {
			t.Errorf("got %v, want %s", problems, want)
		}
	}
}

func TestDiagnostic(t *testing.T) {
	t.Parallel()
	_, problems := config(cty.Map(cty.Number), dict(map[string]property.Value{"k.x": str("secret")}))
	const want = `a["k.x"]: Property does not fit: Expected a number, got a string that is none.`
	if len(problems) != 1 || problems[0].Diagnostic().Error() != want {
		t.Errorf("got %v, want %s", problems, want)
	}
}

// TestFilePaths leaves texts in the place of files, and nothing else changed.
func TestFilePaths(t *testing.T) {
	t.Parallel()
	text := property.New(&asset.Asset{Text: "t"})
	made := func(file, dir property.Value) property.Map {
		return property.NewMap(map[string]property.Value{
			"list": list(file, str("x")).WithSecret(true), "map": dict(map[string]property.Value{"a": dir, "b": computed()}),
			"secret": file.WithSecret(true), "text": text, "null": {},
		})
	}
	got, problems := translate.FilePaths(t.Context(), made(property.New(&asset.Asset{Path: "p"}), property.New(&archive.Archive{Path: "d"})), nil)
	if len(problems) > 0 {
		t.Error(problems)
	}
	if diff := cmp.Diff(made(str("p"), str("d")), got, inside()); diff != "" {
		t.Error(diff)
	}
}

// TestFiles puts assets and archives that are none into files.
func TestFiles(t *testing.T) {
	t.Parallel()
	files := func(_ context.Context, v property.Value) (string, error) {
		if v.IsArchive() {
			return "", errors.New("no room")
		}
		return "/tmp/" + v.AsAsset().Text, nil
	}
	archived := property.New(&archive.Archive{URI: "u"})
	got, problems := translate.FilePaths(t.Context(), property.NewMap(map[string]property.Value{
		"a": property.New(&asset.Asset{Text: "t"}).WithSecret(true), "b": archived, "c.d": list(str("x"), archived),
	}), files)
	want := property.NewMap(map[string]property.Value{"a": str("/tmp/t").WithSecret(true), "b": archived, "c.d": list(str("x"), archived)})
	if diff := cmp.Diff(want, got, inside()); diff != "" {
		t.Error(diff)
	}
	const reason = ": The asset is no file, and cannot be made one: no room"
	if len(problems) != 2 || problems[0].Error() != `["c.d"][1]`+reason || problems[1].Error() != "b"+reason {
		t.Errorf("got %v", problems)
	}
}

// blocks has every nesting of blocks, and what a program may not set.
func blocks() *tfschema.Block {
	inner := &tfschema.Block{Attributes: []*tfschema.Attribute{optional("x", cty.String), {Name: "y", Type: cty.String, Computed: true}}}
	dynamic := &tfschema.Block{Attributes: []*tfschema.Attribute{optional("d", cty.DynamicPseudoType)}}
	block := func(name string, n tfschema.Nesting, most int64, b *tfschema.Block) *tfschema.NestedBlock {
		return &tfschema.NestedBlock{Name: name, Nesting: n, Max: most, Block: b}
	}
	return &tfschema.Block{
		Attributes: []*tfschema.Attribute{{Name: "only_out", Type: cty.String, Computed: true}},
		Blocks: []*tfschema.NestedBlock{
			block("flat", tfschema.NestingList, 1, inner), block("flat_set", tfschema.NestingSet, 1, inner),
			block("group", tfschema.NestingGroup, 0, inner), block("list", tfschema.NestingList, 0, inner),
			block("map", tfschema.NestingMap, 0, inner), block("mixed", tfschema.NestingList, 0, dynamic),
			block("mixed_map", tfschema.NestingMap, 0, dynamic), block("set", tfschema.NestingSet, 0, inner),
			block("single", tfschema.NestingSingle, 0, inner),
		},
	}
}

func TestToConfigBlocks(t *testing.T) {
	t.Parallel()
	elem := cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.String})
	with := func(x cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"x": x, "y": cty.NullVal(cty.String)})
	}
	given, absent, open := with(cty.StringVal("v")), with(cty.NullVal(cty.String)), with(cty.UnknownVal(cty.String))
	d := func(v cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"d": v}) }
	x := dict(map[string]property.Value{"x": str("v")})
	for name, test := range map[string]struct {
		inputs map[string]property.Value
		want   map[string]cty.Value // what is not empty
	}{
		"nothing": {},
		"one of each": {
			map[string]property.Value{
				"flat": x, "flatSet": x, "group": x, "lists": list(x), "map": dict(map[string]property.Value{"kEy": x}), "sets": list(x, x), "single": x,
				"mixeds":   list(dict(map[string]property.Value{"d": str("s")}), dict(map[string]property.Value{"d": property.New(true)})),
				"mixedMap": dict(map[string]property.Value{"k": dict(nil)}),
			},
			map[string]cty.Value{
				"flat": cty.ListVal([]cty.Value{given}), "flat_set": cty.SetVal([]cty.Value{given}), "group": given, "list": cty.ListVal([]cty.Value{given}),
				"map": cty.MapVal(map[string]cty.Value{"kEy": given}), "set": cty.SetVal([]cty.Value{given}), "single": given,
				"mixed": cty.TupleVal([]cty.Value{d(cty.StringVal("s")), d(cty.True)}), "mixed_map": cty.ObjectVal(map[string]cty.Value{"k": d(cty.NullVal(cty.DynamicPseudoType))}),
			},
		},
		"unknown": {
			map[string]property.Value{"flat": computed(), "group": computed(), "lists": computed(), "mixeds": computed(), "single": computed()},
			map[string]cty.Value{
				"flat": cty.UnknownVal(cty.List(elem)), "group": cty.UnknownVal(elem), "list": cty.UnknownVal(cty.List(elem)),
				"mixed": cty.DynamicVal, "single": cty.UnknownVal(elem),
			},
		},
		"unknown among others": {
			map[string]property.Value{"lists": list(computed(), x), "map": dict(map[string]property.Value{"k": computed()}), "sets": list(computed())},
			map[string]cty.Value{"list": cty.ListVal([]cty.Value{open, given}), "map": cty.MapVal(map[string]cty.Value{"k": open}), "set": cty.SetVal([]cty.Value{open})},
		},
		"null among others": {
			map[string]property.Value{"lists": list(property.Value{}, x), "map": dict(map[string]property.Value{"k": {}}), "onlyOut": {}},
			map[string]cty.Value{"list": cty.ListVal([]cty.Value{given})},
		},
		"flat in arrays": {
			map[string]property.Value{"flat": list(x), "flatSet": list()},
			map[string]cty.Value{"flat": cty.ListVal([]cty.Value{given})},
		},
		"empty blocks": {
			map[string]property.Value{"flat": dict(nil), "single": dict(nil)},
			map[string]cty.Value{"flat": cty.ListVal([]cty.Value{absent}), "single": absent},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			block := blocks()
			want := block.EmptyValue().AsValueMap()
			for name, v := range test.want {
				want[name] = v
			}
			got, known, problems := translate.ToConfig(mapping.NewObject(block, "Thing"), property.NewMap(test.inputs))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if !got.RawEquals(cty.ObjectVal(want)) {
				t.Errorf("got  %#v\nwant %#v", got, cty.ObjectVal(want))
			}
			if known != got.IsWhollyKnown() {
				t.Errorf("known is %t of %#v", known, got)
			}
		})
	}
}

func TestToConfigBlockProblems(t *testing.T) {
	t.Parallel()
	x := dict(map[string]property.Value{"x": str("v")})
	_, _, problems := translate.ToConfig(mapping.NewObject(blocks(), "Thing"), property.NewMap(map[string]property.Value{
		"onlyOut": str("x"), "flat": list(x, x), "flatSet": dict(map[string]property.Value{"x": list()}), "lists": x, "group": str("x"), "single": dict(map[string]property.Value{"y": str("x")}),
		"stranger": str("x"), "__internal": str("x"), "nothing": {},
	}))
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
		if p.Stray != (p.Error() == "stranger: There is no such property") {
			t.Errorf("%v: stray is %v", p, p.Stray)
		}
	}
	want := []string{
		"flat: There can be only one of this",
		"flatSet.x: Expected a string, got an array",
		"group: Expected an object, got a string",
		"lists: Expected an array, got an object",
		"onlyOut: The provider computes this property, so that it cannot be set",
		"single.y: The provider computes this property, so that it cannot be set",
		"stranger: There is no such property",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzToConfig checks that a value of the schema's type comes of any inputs, and
// that it is told whether all of it is known.
func FuzzToConfig(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := randschema.New(seed, randschema.Options{Depth: 3, Dynamic: true, WriteOnly: true})
		block := m.Block()
		o := mapping.NewObject(block, "Thing")
		inputs := m.Scramble(translate.FromTerraform(o, m.Planned(block)))
		for _, write := range []func() (cty.Value, []translate.Problem){
			func() (cty.Value, []translate.Problem) {
				v, known, problems := translate.ToConfig(o, inputs)
				if whole := v.IsWhollyKnown(); known != whole && (known || problems == nil) {
					t.Errorf("known is %t of %#v", known, v)
				}
				return v, problems
			},
			func() (cty.Value, []translate.Problem) { return translate.ToState(o, inputs) },
		} {
			v, problems := write()
			if errs := v.Type().TestConformance(block.ImpliedType()); len(errs) > 0 {
				t.Errorf("%#v is not of the schema's type: %v", v, errs)
			}
			for _, p := range problems {
				_ = p.Diagnostic().Error()
			}
		}
	})
}

// TestSizes refuses numbers that would take more memory than there is.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{"1e999999999", "1e-999999999", "1p999999999", "1E99999999999999999999", strings.Repeat("9", 5000), "0." + strings.Repeat("0", 5000) + "1"} {
		_, problems := config(cty.Number, str(digits))
		if len(problems) != 1 || problems[0].Reason != "The number is too large or too small" {
			t.Errorf("%.20s: %v", digits, problems)
		}
	}
	for _, digits := range []string{"1e400", "-1e-400", strings.Repeat("9", 4000)} {
		if _, problems := config(cty.Number, str(digits)); len(problems) > 0 {
			t.Errorf("%.20s: %v", digits, problems)
		}
	}
}
