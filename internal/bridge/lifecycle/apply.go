package lifecycle

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// apply carries a plan out, which may be rendered ahead. Beside an error it
// returns what the provider left behind, which is null where that is nothing,
// and must be kept else.
func (s subject) apply(ctx context.Context, did operation, plan tfprovider.ApplyRequest, planned func() rendering) (object, error) {
	resp, diags := s.terraform.ApplyResourceChange(ctx, plan)
	after := object{value: resp.State, private: resp.Private, identity: resp.Identity}
	switch {
	case after.value == cty.NilVal:
		after.value = s.nothing().value
	case resp.AsPlanned.Whole():
		after.rendered = planned
	}
	if cutShort(ctx, diags) && (after.value.IsNull() || after.value.RawEquals(plan.Prior)) {
		return s.nothing(), &UnknownOutcomeError{Err: s.heed(ctx, diags)}
	}
	if after.identity == cty.NilVal {
		after.identity = plan.PlannedIdentity
	}
	after, more := s.judge(did, plan.Planned, after, resp, diags.HasErrors())
	return after, s.heed(ctx, append(diags, more...))
}

// cutShort reports whether a call ended without the provider's answer after
// it may have begun its work, or the provider itself was cut short in it.
func cutShort(ctx context.Context, diags diag.List) bool {
	if diags.HasErrors() && ctx.Err() != nil {
		return true
	}
	for _, d := range diags.Errors() {
		switch d.Code {
		case tfprovider.CodeProvider, tfprovider.CodeUnsupported, tfprovider.CodeNotStarted:
		default:
			return true
		}
	}
	return false
}

// judge holds what an apply answered against what was asked for, and makes
// it fit to be stored.
func (s subject) judge(did operation, planned cty.Value, after object, resp tfprovider.ApplyResponse, failed bool) (object, diag.List) {
	var diags diag.List
	switch {
	case planned.IsNull():
		if !after.value.IsNull() && !failed {
			diags = append(diags, notGone())
		}
	case after.value.IsNull():
		if !failed {
			diags = append(diags, noObject(did))
		}
	case !failed:
		diags = s.compare(planned, after.value, resp)
	}
	if !resp.Known && !ctyx.WhollyKnown(after.value) {
		after = after.with(cty.UnknownAsNull(after.value))
		if !failed {
			diags = append(diags, unknownState())
		}
	}
	return after, diags
}

// compare reports where a result is not the planned one. That fails nothing:
// what the provider answered is what there is. In a dynamic value the sort of
// collection may be our own doing; see [align].
func (s subject) compare(planned, actual cty.Value, resp tfprovider.ApplyResponse) diag.List {
	var diags diag.List
	for _, d := range tfplan.CheckApplied(s.Schema.Block, planned, actual, resp.LegacyTypeSystem, resp.AsPlanned) {
		switch {
		case d.Code == tfplan.CodeWrongType:
			diags = append(diags, d)
		case !alike(valueAt(planned, d.Path), valueAt(actual, d.Path)):
			diags = append(diags, inconsistent(d))
		}
	}
	return diags
}

// valueAt is what a path leads to, or null where it leads nowhere.
func valueAt(v cty.Value, path cty.Path) cty.Value {
	at, err := path.Apply(v)
	if err != nil {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return at
}
