package tfverify

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// conclude turns a plan into a verdict and into the value that others see.
func (i *instance) conclude(ctx context.Context, prior *object, known priorObject, marked []cty.Path, ignore tfplan.Ignore, result tfplan.Result, forced trigger, diags diag.List) cty.Value {
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	if result.Deferred != "" {
		return i.give(Unevaluated, diag.List{deferredPlan(string(result.Deferred))})
	}
	secrets := newSecrets(i.schema.Block, prior, marked, known.value, result.Planned)
	i.out.Verdict = verdictOf(result.Action)
	if i.out.Verdict == Create {
		i.created(prior)
	}
	i.out.Changes = secrets.changes(result.Changes)
	for _, path := range result.RequiresReplace {
		i.out.RequiresReplace = append(i.out.RequiresReplace, ctyx.PathString(path))
	}
	if i.out.Verdict == NoOp {
		i.remarked(secrets, ignore, result.Planned)
	}
	if forced.verdict != "" {
		i.out.Verdict, i.out.Reasons = forced.verdict, append(i.out.Reasons, forced.reason)
	}
	i.before, i.after = known.value, result.Planned
	value := secrets.mark(result.Planned)
	f := i.frame()
	f.self = value
	for _, rule := range i.res.Lifecycle.Postconditions {
		if v, stop := i.failWhen(f.rule(ctx, rule, i.address)); stop {
			return v
		}
	}
	return value
}

func verdictOf(action tfplan.Action) Verdict {
	switch action {
	case tfplan.NoOp:
		return NoOp
	case tfplan.Create:
		return Create
	case tfplan.Update:
		return Update
	case tfplan.Replace:
		return Replace
	case tfplan.Delete:
		return Delete
	}
	return Failed
}

// created tells an import from a creation.
func (i *instance) created(prior *object) {
	if _, imported := i.m.v.imports[i.address]; imported && prior == nil {
		i.out.Verdict = Import
	}
}

// remarked makes an update of an object whose attributes would only become
// sensitive, or stop being so: the state keeps that.
func (i *instance) remarked(s *secrets, ignore tfplan.Ignore, planned cty.Value) {
	if ignore.All {
		return
	}
	for _, path := range s.remarked(planned, ignore.Paths) {
		i.out.Verdict = Update
		shown := renderValue(cty.NilVal, true)
		i.out.Changes = append(i.out.Changes, Change{Path: ctyx.PathString(path), Before: shown, After: shown, Sensitivity: true})
	}
}
