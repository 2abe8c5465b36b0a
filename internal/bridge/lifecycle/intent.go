package lifecycle

import (
	"context"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// intent is what a create or an update is to reach.
type intent struct {
	did     operation
	prior   object
	config  cty.Value
	known   bool // all of config
	ignore  tfplan.Ignore
	timeout time.Duration
	preview bool
}

// createIntent is to make what inputs describe.
func (s subject) createIntent(inputs property.Map) (intent, error) {
	config, known, err := s.configuration(inputs)
	return intent{did: creating, prior: s.nothing(), config: config, known: known}, err
}

// updateIntent is to bring what is stored to what inputs describe.
func (s subject) updateIntent(ctx context.Context, stored, inputs property.Map, ignoreChanges []string) (intent, error) {
	ignore, inputs, err := ignoring(s.Object, ignoreChanges, stored, inputs)
	if err != nil {
		return intent{}, err
	}
	in := intent{did: updating, ignore: ignore}
	made := meanwhile(func() (err error) {
		in.config, in.known, err = s.configuration(inputs)
		return err
	})
	in.prior, err = s.prior(ctx, stored)
	if unmade := made(); unmade != nil {
		return intent{}, unmade
	}
	in.config = align(s.Object.Terraform, in.config, in.prior.value)
	return in, err
}

// configuration makes Terraform's configuration of inputs that were checked,
// and says whether all of it is known.
func (s subject) configuration(inputs property.Map) (config cty.Value, known bool, err error) {
	config, known, problems := translate.ToConfig(s.Object, inputs)
	return config, known, problemsErr(problems)
}

// problemsErr is nil where there are no problems.
func problemsErr(problems []translate.Problem) error {
	var diags diag.List
	for _, p := range problems {
		diags = append(diags, p.Diagnostic())
	}
	return diags.Err()
}

// reach plans, and applies the plan unless this is a preview, whose result is
// the planned object with what is not known yet. Beside an error it returns
// what there is all the same, which is null where that is nothing.
func (s subject) reach(ctx context.Context, in intent) (object, error) {
	if !in.preview && !in.known {
		return s.nothing(), unknownInputs(in.did)
	}
	ctx, cancel := within(ctx, s.Schema.Block, in.did, in.timeout)
	defer cancel()
	config, told := withTimeout(s.Schema.Block, in.config, in.did, in.timeout)
	plan, err := s.plan(ctx, in.prior, config, in.ignore)
	if err != nil {
		return s.nothing(), err
	}
	after := object{value: plan.Planned, private: plan.Private, identity: plan.Identity}
	switch {
	case plan.Action == tfplan.Replace:
		return s.nothing(), replaceInUpdate(s.Object, plan.RequiresReplace)
	case in.preview:
	case plan.Deferred != "":
		return s.nothing(), deferred(in.did, plan.Deferred)
	case plan.Action == tfplan.NoOp:
		after, err = s.again(ctx, in.prior)
	case plan.Known && !told: // else it is stored otherwise
		after, err = s.apply(ctx, in.did, plan.Apply, s.ahead(plan.Planned))
	default:
		after, err = s.apply(ctx, in.did, plan.Apply, nil)
	}
	if err != nil && after.value.RawEquals(in.prior.value) {
		return s.nothing(), err // it is all as before
	}
	if told {
		after = after.with(withoutTimeouts(after.value, in.config))
	}
	return after, err
}

// again reads what a plan leaves as it is. Engines ask for such an update
// where the operation before failed on its way, and the state of then may lack
// what the provider knows of the resource since.
func (s subject) again(ctx context.Context, prior object) (object, error) {
	now, err := s.reread(ctx, prior)
	if err == nil && now.value.IsNull() {
		err = vanished(s.Token)
	}
	return now, err
}
