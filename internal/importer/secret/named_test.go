package secret_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestNamed holds which strings of a provider's configuration are taken for
// secrets by their names, in blocks as well.
func TestNamed(t *testing.T) {
	t.Parallel()
	block := func(nested ...*tfschema.NestedBlock) *tfschema.Block {
		return &tfschema.Block{Blocks: nested, Attributes: []*tfschema.Attribute{
			{Name: "api_key", Type: cty.String},
			{Name: "api_token", Type: cty.String},
			{Name: "clientSecret", Type: cty.String},
			{Name: "key", Type: cty.String},
			{Name: "password", Type: cty.String},
			{Name: "password_file", Type: cty.String},
			{Name: "project_key", Type: cty.String},
			{Name: "token", Type: cty.Bool},
			{Name: "token_url", Type: cty.String},
			{Name: "url", Type: cty.String, Sensitive: true},
		}}
	}
	before := block(&tfschema.NestedBlock{Name: "auth", Block: block()})
	got := secret.Named(before)
	want := []string{"api_key", "api_token", "clientSecret", "password", "url"}
	for _, b := range []*tfschema.Block{got, got.Blocks[0].Block} {
		if diff := cmp.Diff(want, sensitive(b)); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff([]string{"url"}, sensitive(before)); diff != "" {
		t.Errorf("the schema was changed: %s", diff)
	}
}

func sensitive(block *tfschema.Block) []string {
	var out []string
	for _, a := range block.Attributes {
		if a.Sensitive {
			out = append(out, a.Name)
		}
	}
	return out
}
