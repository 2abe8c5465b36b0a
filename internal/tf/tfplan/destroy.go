package tfplan

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Destroy plans that an object go away. Config and Ignore of the request do
// not count. An object that is not there is a NoOp, and a provider that does
// not plan destroys (capability plan_destroy) is not asked.
func Destroy(ctx context.Context, p tfprovider.Provider, req Request) (Result, diag.List) {
	catalog, block, diags := resourceBlock(ctx, p, req.TypeName)
	if diags.HasErrors() {
		return Result{}, diags
	}
	null := cty.NullVal(block.ImpliedType())
	if absent(req.Prior) {
		return Result{Action: NoOp, Planned: null}, diags
	}
	req.Config, req.Ignore = null, Ignore{}
	resp := tfprovider.PlanResponse{Private: req.PriorPrivate, Identity: req.Identity}
	if catalog.Capabilities().PlanDestroy {
		var more diag.List
		resp, more = p.PlanResourceChange(ctx, tfprovider.PlanRequest{
			TypeName: req.TypeName, Prior: req.Prior, ProposedNew: null, Config: null,
			PriorPrivate: req.PriorPrivate, PriorIdentity: req.Identity, Meta: req.Meta,
		})
		if diags = append(diags, more...); more.HasErrors() {
			return Result{}, diags
		}
	}
	if !absent(resp.Planned) {
		return Result{}, append(diags, destroyKept())
	}
	resp.Planned = null
	return Result{
		Action: Delete, Planned: null, Private: resp.Private, Identity: resp.Identity,
		Legacy: resp.LegacyTypeSystem, Deferred: resp.Deferred,
		Changes: []Change{{Before: req.Prior, After: null}}, Apply: applying(req, resp),
	}, diags
}
