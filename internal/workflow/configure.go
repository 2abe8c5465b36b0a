// Package workflow joins features into what the command line offers: a
// provider is found, started and asked, and the outcome goes to disk. It
// prints nothing; cli does.
package workflow

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// configure validates and gives a provider its configuration; cty.NilVal
// stands for an empty one.
func configure(ctx context.Context, p tfprovider.Provider, config cty.Value) diag.List {
	catalog, diags := p.Schema(ctx)
	if diags.HasErrors() {
		return diags
	}
	if config == cty.NilVal {
		schema, err := catalog.Schema(tfschema.KindProvider, "")
		if err != nil {
			return append(diags, diag.FromError("WF0003", "Cannot read the provider's schema", err)...)
		}
		config = schema.Block.EmptyValue()
	}
	if diags = append(diags, p.ValidateProviderConfig(ctx, config)...); diags.HasErrors() {
		return diags
	}
	return append(diags, p.Configure(ctx, config)...)
}
