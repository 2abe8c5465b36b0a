package translate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// winding has every kind of step.
func winding() *mapping.Object {
	inner := &tfschema.Block{Attributes: []*tfschema.Attribute{optional("size_gb", cty.Number)}}
	object := cty.Object(map[string]cty.Type{"in_side": cty.String})
	return mapping.NewObject(&tfschema.Block{
		Attributes: []*tfschema.Attribute{
			optional("any", cty.DynamicPseudoType), optional("names", cty.Set(cty.String)), optional("objects", cty.Set(object)),
			optional("pair", cty.Tuple([]cty.Type{cty.String, object})), optional("tags", cty.Map(object)),
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "disk", Nesting: tfschema.NestingList, Block: inner}, {Name: "only", Nesting: tfschema.NestingList, Max: 1, Block: inner},
			{Name: "only_set", Nesting: tfschema.NestingSet, Max: 1, Block: inner}, {Name: "port", Nesting: tfschema.NestingSet, Block: inner},
		},
	}, "Thing")
}

// surroundings are what paths into sets are looked up in.
func surroundings() property.Map {
	return property.NewMap(map[string]property.Value{
		"names":   list(str("b"), str("a")),
		"objects": list(dict(map[string]property.Value{"inSide": str("x")}), dict(map[string]property.Value{"inSide": str("y")})),
		"ports":   list(dict(map[string]property.Value{"sizeGb": property.New(1.0)}), dict(map[string]property.Value{"sizeGb": str("2")})),
		"disks":   list(dict(map[string]property.Value{"sizeGb": property.New(1.0)}), dict(nil)),
		"only":    dict(map[string]property.Value{"sizeGb": property.New(1.0)}),
		"tags":    dict(map[string]property.Value{"k.x": dict(map[string]property.Value{"inSide": str("x")}), "b": dict(nil)}),
		"any":     dict(map[string]property.Value{"a_b": list(str("x"), str("y"))}),
	})
}

func TestPropertyPath(t *testing.T) {
	t.Parallel()
	at := cty.GetAttrPath
	object := func(x string) cty.Value { return cty.ObjectVal(map[string]cty.Value{"in_side": cty.StringVal(x)}) }
	port := func(n int64) cty.Value { return cty.ObjectVal(map[string]cty.Value{"size_gb": cty.NumberIntVal(n)}) }
	for _, test := range []struct {
		path cty.Path
		want string
	}{
		{nil, ""},
		{at("disk"), "disks"},
		{at("disk").IndexInt(1).GetAttr("size_gb"), "disks[1].sizeGb"},
		{at("only").IndexInt(0).GetAttr("size_gb"), "only.sizeGb"},
		{at("only").GetAttr("size_gb"), "only.sizeGb"},
		{at("only_set").Index(port(1)).GetAttr("size_gb"), "onlySet.sizeGb"},
		{at("names").IndexString("a"), "names[1]"},
		{at("names").IndexString("z"), "names"},
		{at("objects").Index(object("y")).GetAttr("in_side"), "objects[1].inSide"},
		{at("objects").Index(object("z")).GetAttr("in_side"), "objects"},
		{at("objects").Index(cty.DynamicVal), "objects"},
		{at("port").Index(port(2)).GetAttr("size_gb"), "ports[1].sizeGb"},
		{at("tags").IndexString("k.x").GetAttr("in_side"), `tags["k.x"].inSide`},
		{at("tags").GetAttr("k"), "tags.k"},
		{at("tags").IndexInt(0), "tags"},
		{at("disk").GetAttr("x"), "disks"},
		{at("disk").IndexInt(0).GetAttr("size_gb").GetAttr("x"), "disks[0].sizeGb"},
		{at("pair").IndexInt(1).GetAttr("in_side"), "pair[1].inSide"},
		{at("any").GetAttr("a_b").IndexInt(2).IndexString("c_d"), "any.a_b[2].c_d"},
		{at("nowhere"), ""},
		{at("disk").IndexInt(0).GetAttr("nowhere"), "disks[0]"},
		{at("disk").Index(cty.NumberFloatVal(0.5)), "disks"},
		{at("disk").Index(cty.NumberIntVal(-1)), "disks"},
		{cty.IndexIntPath(0), ""},
	} {
		o := winding()
		if got := pvalue.PathText(translate.PropertyPath(o, test.path, surroundings())); got != test.want {
			t.Errorf("%s is %q, want %q", ctyx.PathString(test.path), got, test.want)
		}
	}
}

func TestTerraformPaths(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"disks":               {"disk"},
		"disks[1].sizeGb":     {"disk[1].size_gb"},
		"disks[*].sizeGb":     {"disk[0].size_gb", "disk[1].size_gb"},
		"disks[*].*":          {"disk[0].size_gb", "disk[1].size_gb"},
		"only.sizeGb":         {"only[0].size_gb"},
		"only":                {"only"},
		"onlySet.sizeGb":      nil,
		"ports[0].sizeGb":     nil,
		"names[*]":            nil,
		`tags["k.x"].inSide`:  {`tags["k.x"].in_side`},
		`tags["k.x"]`:         {`tags["k.x"]`},
		"tags.new":            {`tags["new"]`},
		"tags[*]":             {`tags["b"]`, `tags["k.x"]`},
		"any.a_b[*]":          {"any.a_b[0]", "any.a_b[1]"},
		"pair[1].inSide":      {"pair[1].in_side"},
		"nowhere":             nil,
		"disks.sizeGb":        nil,
		"tags[0]":             nil,
		"*":                   {"any", "disk", "names", "objects", "only", "only_set", "pair", "port", "tags"},
		"disks[0].sizeGb.x.y": nil,
	} {
		pattern, err := pvalue.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, path := range translate.TerraformPaths(winding(), pattern, surroundings(), property.Map{}) {
			got = append(got, ctyx.PathString(path))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzPaths checks that the path to a value leads to its property, and back.
func FuzzPaths(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := randschema.New(seed, randschema.Options{Depth: 3})
		block := m.Block()
		o := mapping.NewObject(block, "Thing")
		v := m.State(block)
		outputs := translate.FromTerraform(o, v)
		err := cty.Walk(v, func(path cty.Path, inner cty.Value) (bool, error) {
			if inner.IsNull() || inner.Type() != cty.String {
				return true, nil
			}
			there := translate.PropertyPath(o, path, outputs)
			got, err := there.Get(property.New(outputs))
			if err != nil || !got.IsString() || got.AsString() != inner.AsString() {
				t.Errorf("%s became %s, where is %v: %v", ctyx.PathString(path), pvalue.PathText(there), got, err)
			}
			for _, back := range translate.TerraformPaths(o, there.AsGlob(), outputs) {
				if again, err := back.Apply(v); err != nil || !again.RawEquals(inner) {
					t.Errorf("%s became %s: %v", pvalue.PathText(there), ctyx.PathString(back), err)
				}
			}
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
