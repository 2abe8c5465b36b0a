package importer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestProviderTokens holds that a token of the provider's configuration is
// moved, although the provider does not say that it is sensitive.
func TestProviderTokens(t *testing.T) {
	t.Parallel()
	literal := func(s string) tfconfig.Expr { return tfconfig.Literal{Value: cty.StringVal(s)} }
	config := ProviderConfig{
		LocalName: "x",
		Schema: &tfschema.Block{Attributes: []*tfschema.Attribute{
			{Name: "api_token", Type: cty.String, Optional: true},
			{Name: "api_url", Type: cty.String, Optional: true},
		}},
		Body: &tfconfig.Body{Attributes: []tfconfig.Attribute{
			{Name: "api_token", Expr: literal("s3cret")}, {Name: "api_url", Expr: literal("http://localhost")},
		}},
	}
	body, variables, diags := config.extract(secret.NewExtractor())
	if diags.HasErrors() || len(variables) != 1 || !variables[0].Sensitive || variables[0].Value.AsString() != "s3cret" {
		t.Fatalf("variables %+v, %v", variables, diags)
	}
	if _, literal := body.Attributes[0].Expr.(tfconfig.Literal); literal {
		t.Error("the token is still in the block")
	}
	if diff := cmp.Diff(config.Body.Attributes[1].Name, body.Attributes[1].Name); diff != "" {
		t.Error(diff)
	}
}
