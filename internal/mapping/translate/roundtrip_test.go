package translate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// FuzzRoundTrip checks that a value of any schema survives Pulumi, the wire
// included. Dynamic values may come back as another type, once.
func FuzzRoundTrip(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, seed%2 == 0, seed%3 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, dynamic, planned bool) {
		m := randschema.New(seed, randschema.Options{Depth: 3, Dynamic: dynamic, WriteOnly: true})
		block := m.Block()
		o := mapping.NewObject(block, "Thing")
		want := m.State(block)
		if planned {
			want = m.Planned(block)
		}
		got := around(t, block, o, want)
		if dynamic {
			want, got = got, around(t, block, o, got)
		}
		if !got.RawEquals(want) {
			t.Errorf("got %#v\nwant %#v\nin %s", got, want, (&tfschema.Schema{Block: block}).Describe())
		}
	})
}

// around takes a value to Pulumi, over its wire, and back.
func around(t *testing.T, block *tfschema.Block, o *mapping.Object, v cty.Value) cty.Value {
	t.Helper()
	read := translate.FromTerraform(o, v)
	for _, p := range o.Properties {
		if one := translate.FromAttribute(p, v); !one.Equals(read.Get(p.Name)) {
			t.Errorf("%s is %v on its own, and %v in the object", p.Name, one, read.Get(p.Name))
		}
	}
	out := overWire(t, read)
	back, problems := translate.ToState(o, out)
	for _, p := range problems {
		t.Errorf("%v\nin %#v", p, v)
	}
	if errs := back.Type().TestConformance(block.ImpliedType()); len(errs) > 0 {
		t.Errorf("%#v is not of the schema's type: %v", back, errs)
	}
	return back
}

func overWire(t *testing.T, m property.Map) property.Map {
	t.Helper()
	opts := pvalue.Options{Secrets: true, Resources: true, Outputs: true}
	message, err := pvalue.Encode(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := pvalue.Decode(message, opts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, out, inside(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the wire changes values (-want +got):\n%s", diff)
	}
	return out
}
