package translate_test

import (
	"fmt"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// fifty is a resource type with 50 attributes of every kind, a third of them
// null, and a value of it.
func fifty() (*mapping.Object, cty.Value) {
	block := &tfschema.Block{}
	vals := map[string]cty.Value{}
	nested := &tfschema.Object{Nesting: tfschema.NestingList, Attributes: []*tfschema.Attribute{
		{Name: "name", Type: cty.String, Optional: true}, {Name: "size_gb", Type: cty.Number, Optional: true},
	}}
	for i := range 50 {
		a := &tfschema.Attribute{Name: fmt.Sprintf("some_attribute_%02d", i), Optional: true}
		switch i % 6 {
		case 0, 1:
			a.Type, vals[a.Name] = cty.String, cty.StringVal("a string of some length")
		case 2:
			a.Type, vals[a.Name] = cty.Number, cty.NumberIntVal(int64(i))
		case 3:
			a.Type, vals[a.Name] = cty.Map(cty.String), cty.MapVal(map[string]cty.Value{"a": cty.StringVal("x"), "b": cty.StringVal("y")})
		case 4:
			a.Nested, a.Type = nested, nested.ImpliedType()
			object := cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("n"), "size_gb": cty.NumberIntVal(1)})
			vals[a.Name] = cty.ListVal([]cty.Value{object, object})
		case 5:
			a.Type, vals[a.Name] = cty.Bool, cty.True
		}
		if i%3 == 2 {
			vals[a.Name] = cty.NullVal(a.Type)
		}
		block.Attributes = append(block.Attributes, a)
	}
	return mapping.NewObject(block, "Thing"), cty.ObjectVal(vals)
}

func BenchmarkFromTerraform(b *testing.B) {
	o, v := fifty()
	for b.Loop() {
		translate.FromTerraform(o, v)
	}
}

func BenchmarkToConfig(b *testing.B) {
	o, v := fifty()
	inputs := translate.FromTerraform(o, v)
	for b.Loop() {
		if _, _, problems := translate.ToConfig(o, inputs); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkKeepSecrets(b *testing.B) {
	o, v := fifty()
	outputs := translate.FromTerraform(o, v)
	inputs := outputs.Set("someAttribute00", property.New("x").WithSecret(true))
	for b.Loop() {
		translate.KeepSecrets(o, outputs, inputs)
	}
}
