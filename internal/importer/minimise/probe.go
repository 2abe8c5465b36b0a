package minimise

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// probe asks the provider about configurations of one object, and counts
// what it asks.
type probe struct {
	provider tfprovider.Provider
	typeName string
	block    *tfschema.Block

	state    cty.Value
	private  []byte
	identity cty.Value
	ignore   tfplan.Ignore

	// legacy is set once a plan has said that the provider's SDK is.
	legacy bool
	calls  int
}

// validate returns the provider's objections to a configuration.
func (p *probe) validate(ctx context.Context, config cty.Value) diag.List {
	p.calls++
	return p.provider.ValidateResourceConfig(ctx, p.typeName, config).Errors()
}

// update plans from the object's state.
func (p *probe) update(ctx context.Context, config cty.Value) (tfplan.Result, diag.List) {
	return p.plan(ctx, tfplan.Request{
		TypeName: p.typeName, Prior: p.state, Config: config,
		PriorPrivate: p.private, Identity: p.identity, Ignore: p.ignore,
	})
}

// create plans from nothing.
func (p *probe) create(ctx context.Context, config cty.Value) (tfplan.Result, diag.List) {
	return p.plan(ctx, tfplan.Request{TypeName: p.typeName, Config: config})
}

func (p *probe) plan(ctx context.Context, req tfplan.Request) (tfplan.Result, diag.List) {
	p.calls++
	result, diags := tfplan.Plan(ctx, p.provider, req)
	if result.Legacy {
		p.legacy = true
	}
	if errs := diags.Errors(); errs != nil {
		return result, errs
	}
	if result.Deferred != "" {
		return result, diag.List{planDeferred(result.Deferred)}
	}
	return result, nil
}

// read reads the object again, as if its state were v.
func (p *probe) read(ctx context.Context, v cty.Value) (tfprovider.ReadResponse, diag.List) {
	p.calls++
	resp, diags := p.provider.ReadResource(ctx, tfprovider.ReadRequest{
		TypeName: p.typeName, State: v, Private: p.private, Identity: p.identity,
	})
	if resp.State != cty.NilVal {
		resp.State = tfplan.NormalizeLegacy(p.block, resp.State)
	}
	return resp, diags.Errors()
}

// generate asks the provider for a starting configuration for a state.
func (p *probe) generate(ctx context.Context, state cty.Value) (cty.Value, bool) {
	p.calls++
	config, diags := p.provider.GenerateResourceConfig(ctx, p.typeName, state)
	if diags.HasErrors() || config.IsNull() || !config.IsWhollyKnown() {
		return cty.NilVal, false
	}
	return tfplan.NormalizeLegacy(p.block, config), true
}
