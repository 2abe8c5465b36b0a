package tfprovider

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// UpgradeResourceState implements [Provider].
func (c *client) UpgradeResourceState(ctx context.Context, r UpgradeStateRequest) (cty.Value, diag.List) {
	b := c.newBatch(ctx, "UpgradeResourceState", r.TypeName)
	req := &wire.UpgradeResourceStateRequest{
		TypeName: r.TypeName, Version: r.Version,
		RawState: &wire.RawState{Json: r.Raw.JSON, Flatmap: r.Raw.Flatmap},
	}
	resp := &wire.UpgradeResourceStateResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.UpgradeResourceState }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return cty.NilVal, b.diags
	}
	return b.decode(resp.GetUpgradedState()), b.diags
}

// UpgradeResourceIdentity implements [Provider].
func (c *client) UpgradeResourceIdentity(ctx context.Context, r UpgradeIdentityRequest) (cty.Value, diag.List) {
	b := c.newBatch(ctx, "UpgradeResourceIdentity", r.TypeName)
	req := &wire.UpgradeResourceIdentityRequest{TypeName: r.TypeName, Version: r.Version, RawIdentity: &wire.RawState{Json: r.JSON}}
	resp := &wire.UpgradeResourceIdentityResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.UpgradeResourceIdentity }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return cty.NilVal, b.diags
	}
	return b.decodeIdentity(resp.GetUpgradedIdentity()), b.diags
}

// ReadResource implements [Provider].
func (c *client) ReadResource(ctx context.Context, r ReadRequest) (ReadResponse, diag.List) {
	b := c.newBatch(ctx, "ReadResource", r.TypeName)
	req := &wire.ReadResourceRequest{
		TypeName:           r.TypeName,
		CurrentState:       b.encode("the state to read", r.State),
		Private:            r.Private,
		ProviderMeta:       b.encodeMeta(ctx, r.Meta),
		ClientCapabilities: capabilities(),
		CurrentIdentity:    b.encodeIdentity(r.Identity),
	}
	resp := &wire.ReadResourceResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.ReadResource }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return ReadResponse{}, b.diags
	}
	state := b.decodeAfter(resp.GetNewState(), req.GetCurrentState(), r.State)
	return ReadResponse{
		State:    state,
		Known:    known(resp.GetNewState()),
		AsSent:   sameForm(resp.GetNewState(), req.GetCurrentState()),
		Private:  resp.GetPrivate(),
		Identity: b.decodeIdentity(resp.GetNewIdentity()),
		Deferred: deferReason(resp.GetDeferred()),
	}, b.diags
}

// PlanResourceChange implements [Provider].
func (c *client) PlanResourceChange(ctx context.Context, r PlanRequest) (PlanResponse, diag.List) {
	b := c.newBatch(ctx, "PlanResourceChange", r.TypeName)
	prior := b.encode("the prior state", r.Prior)
	proposed := prior
	if !r.ProposesPrior {
		proposed = b.encode("the proposed new state", r.ProposedNew)
	}
	req := &wire.PlanResourceChangeRequest{
		TypeName:           r.TypeName,
		PriorState:         prior,
		ProposedNewState:   proposed,
		Config:             b.encode("the configuration", r.Config),
		PriorPrivate:       r.PriorPrivate,
		ProviderMeta:       b.encodeMeta(ctx, r.Meta),
		ClientCapabilities: capabilities(),
		PriorIdentity:      b.encodeIdentity(r.PriorIdentity),
	}
	if b.failed() {
		return PlanResponse{}, b.diags
	}
	q := c.recall.question(req)
	resp := c.recall.plan(q, req)
	if resp == nil {
		resp = &wire.PlanResourceChangeResponse{}
		b.call(ctx, func(m wire.Methods) string { return m.PlanResourceChange }, true, req, resp)
		b.said(resp.GetDiagnostics())
	}
	if b.failed() {
		return PlanResponse{}, b.diags
	}
	plan := b.planned(r, req, resp)
	if c.recall != nil && len(b.diags) == 0 && plan.changesNothing(r.Prior) {
		c.recall.notePlan(q, resp)
	}
	return plan, b.diags
}

func (b *batch) planned(r PlanRequest, req *wire.PlanResourceChangeRequest, resp *wire.PlanResourceChangeResponse) PlanResponse {
	replace, diags := b.c.attributePaths(b.rpc, resp.GetRequiresReplace())
	b.diags = append(b.diags, diags...)
	return PlanResponse{
		Planned:          b.decodeAfter(resp.GetPlannedState(), req.GetPriorState(), r.Prior),
		Known:            known(resp.GetPlannedState()),
		AsPrior:          KeptIn(resp.GetPlannedState().GetMsgpack(), req.GetPriorState().GetMsgpack()),
		AsWritten:        KeptIn(resp.GetPlannedState().GetMsgpack(), req.GetConfig().GetMsgpack()),
		Private:          resp.GetPlannedPrivate(),
		RequiresReplace:  replace,
		Identity:         b.decodeIdentity(resp.GetPlannedIdentity()),
		LegacyTypeSystem: resp.GetLegacyTypeSystem(),
		Deferred:         deferReason(resp.GetDeferred()),
		Forms:            PlanForms{prior: req.GetPriorState(), config: req.GetConfig(), planned: resp.GetPlannedState()},
	}
}

// changesNothing reports whether the plan leaves an object as it is.
func (p PlanResponse) changesNothing(prior cty.Value) bool {
	return prior != cty.NilVal && !prior.IsNull() && p.Deferred == "" && len(p.RequiresReplace) == 0 &&
		(p.AsPrior.Whole() || p.Planned.RawEquals(prior))
}

// ApplyResourceChange implements [Provider].
func (c *client) ApplyResourceChange(ctx context.Context, r ApplyRequest) (ApplyResponse, diag.List) {
	b := c.newBatch(ctx, "ApplyResourceChange", r.TypeName)
	req := &wire.ApplyResourceChangeRequest{
		TypeName:        r.TypeName,
		PriorState:      b.encodeUnless(r.Forms.prior, "the prior state", r.Prior),
		PlannedState:    b.encodeUnless(r.Forms.planned, "the planned state", r.Planned),
		Config:          b.encodeUnless(r.Forms.config, "the configuration", r.Config),
		PlannedPrivate:  r.PlannedPrivate,
		ProviderMeta:    b.encodeMeta(ctx, r.Meta),
		PlannedIdentity: b.encodeIdentity(r.PlannedIdentity),
	}
	resp := &wire.ApplyResourceChangeResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.ApplyResourceChange }, false, req, resp)
	if b.failed() { // there was no answer
		return ApplyResponse{}, b.diags
	}
	b.said(resp.GetDiagnostics())
	state := b.decodeAfter(resp.GetNewState(), req.GetPlannedState(), r.Planned)
	return ApplyResponse{
		State:            state,
		Known:            known(resp.GetNewState()),
		AsPlanned:        KeptIn(resp.GetNewState().GetMsgpack(), req.GetPlannedState().GetMsgpack()),
		Private:          resp.GetPrivate(),
		Identity:         b.decodeIdentity(resp.GetNewIdentity()),
		LegacyTypeSystem: resp.GetLegacyTypeSystem(),
	}, b.diags
}

// GenerateResourceConfig implements [Provider].
func (c *client) GenerateResourceConfig(ctx context.Context, typeName string, state cty.Value) (cty.Value, diag.List) {
	b := c.newBatch(ctx, "GenerateResourceConfig", typeName)
	req := &wire.GenerateResourceConfigRequest{TypeName: typeName, State: b.encode("the state", state)}
	resp := &wire.GenerateResourceConfigResponse{}
	b.call(ctx, func(m wire.Methods) string { return m.GenerateResourceConfig }, true, req, resp)
	b.said(resp.GetDiagnostics())
	if b.failed() {
		return cty.NilVal, b.diags
	}
	return b.decode(resp.GetConfig()), b.diags
}
