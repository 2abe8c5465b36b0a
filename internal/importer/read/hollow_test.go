package read

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestHollow(t *testing.T) {
	t.Parallel()
	block := &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "name", Type: cty.String, Required: true},
		{Name: "body", Type: cty.String, Required: true},
		{Name: "password", Type: cty.String, Required: true, Sensitive: true},
		{Name: "size", Type: cty.Number, Required: true},
		{Name: "note", Type: cty.String, Optional: true},
	}}
	whole := map[string]cty.Value{
		"id": cty.StringVal("i"), "name": cty.StringVal(""), "body": cty.StringVal(""),
		"password": cty.StringVal(""), "size": cty.NullVal(cty.Number), "note": cty.StringVal("n"),
	}
	for name, test := range map[string]struct {
		attr string
		v    cty.Value
		want bool
	}{
		"all empty":            {"name", cty.StringVal(""), true},
		"a name":               {"name", cty.StringVal("n"), false},
		"only one that is":     {"name", cty.NullVal(cty.String), false},
		"a number":             {"size", cty.Zero, false},
		"a secret is no proof": {"password", cty.StringVal("p"), true},
		"nor is an option":     {"note", cty.NullVal(cty.String), true},
	} {
		attrs := map[string]cty.Value{}
		for key, v := range whole {
			attrs[key] = v
		}
		attrs[test.attr] = test.v
		if got := hollow(block, cty.ObjectVal(attrs)); got != test.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
