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
	result := Result{Action: Delete, Planned: null, Private: req.PriorPrivate, Identity: req.Identity}
	result.Changes = []Change{{Before: req.Prior, After: null}}
	result.Apply = tfprovider.ApplyRequest{
		TypeName: req.TypeName, Prior: req.Prior, Planned: null, Config: null,
		PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.Identity, Meta: req.Meta,
	}
	if !catalog.Capabilities().PlanDestroy {
		return result, diags
	}
	resp, more := p.PlanResourceChange(ctx, tfprovider.PlanRequest{
		TypeName: req.TypeName, Prior: req.Prior, ProposedNew: null, Config: null,
		PriorPrivate: req.PriorPrivate, PriorIdentity: req.Identity, Meta: req.Meta,
	})
	if diags = append(diags, more...); more.HasErrors() {
		return Result{}, diags
	}
	if !absent(resp.Planned) {
		return Result{}, append(diags, destroyKept())
	}
	result.Private, result.Identity = resp.Private, resp.Identity
	result.Apply.PlannedPrivate, result.Apply.PlannedIdentity, result.Apply.Forms = resp.Private, resp.Identity, resp.Forms
	result.Legacy, result.Deferred = resp.LegacyTypeSystem, resp.Deferred
	return result, diags
}
