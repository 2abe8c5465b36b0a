package rawstate_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// fifty is a resource type with 50 attributes, a third of them null, and a
// state of it.
func fifty() (*mapping.Object, cty.Value) {
	block := &tfschema.Block{}
	vals := map[string]cty.Value{}
	for i := range 50 {
		a := &tfschema.Attribute{Name: fmt.Sprintf("some_attribute_%02d", i), Optional: true, Type: cty.String}
		vals[a.Name] = cty.StringVal("a string of some length")
		switch i % 5 {
		case 2:
			a.Type, vals[a.Name] = cty.Number, cty.NumberIntVal(int64(i))
		case 3:
			a.Type, vals[a.Name] = cty.Map(cty.String), cty.MapVal(map[string]cty.Value{"a": cty.StringVal("x"), "b": cty.StringVal("y")})
		}
		if i%3 == 2 {
			vals[a.Name] = cty.NullVal(a.Type)
		}
		block.Attributes = append(block.Attributes, a)
	}
	return mapping.NewObject(block, "Thing"), cty.ObjectVal(vals)
}

func BenchmarkAttach(b *testing.B) {
	o, state := fifty()
	outputs := translate.FromTerraform(o, state)
	for b.Loop() {
		rawstate.Attach(outputs, rawstate.Delta(o, outputs, state), rawstate.Meta{SchemaVersion: 1})
	}
}

func BenchmarkRecover(b *testing.B) {
	o, state := fifty()
	stored := attach(o, state, rawstate.Meta{SchemaVersion: 1})
	for b.Loop() {
		if _, _, diags := rawstate.Recover(o, stored); diags.HasErrors() {
			b.Fatal(diags.Err())
		}
	}
}
