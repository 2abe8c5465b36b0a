package tfverify

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// readData reads a data source. It is in the report only where that fails or
// has to wait for an apply.
func (i *instance) readData(ctx context.Context) (cty.Value, Verdict) {
	value := i.read(ctx)
	i.out.Reasons.ForAddress(i.address)
	if i.out.Verdict != NoOp {
		i.m.v.addResource(i.out)
	} else {
		i.m.v.add(i.out.Reasons)
	}
	return value, i.out.Verdict
}

func (i *instance) read(ctx context.Context) cty.Value {
	if v, stop := i.prepare(ctx, tfschema.KindDataSource); stop {
		return v
	}
	config, marked := tflang.SensitivePaths(i.config)
	if what := i.m.pending(ctx, i.res); what != "" || !config.IsWhollyKnown() {
		i.out.Verdict = Read
		i.out.Reasons = append(i.out.Reasons, deferredRead(what, i.res.Range))
		return cty.UnknownVal(i.schema.Block.ImpliedType())
	}
	meta, diags := i.meta(ctx)
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	resp, diags := i.ask(ctx, config, meta)
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	if resp.Deferred != "" {
		return i.give(Unevaluated, diag.List{deferredPlan(string(resp.Deferred))})
	}
	if resp.State == cty.NilVal || resp.State.IsNull() {
		return i.give(Failed, diag.List{noData(i.res.Range)})
	}
	for _, err := range resp.State.Type().TestConformance(i.schema.Block.ImpliedType()) {
		return i.give(Failed, diag.List{inconsistentRead(err)})
	}
	value := newSecrets(i.schema.Block, nil, marked, resp.State).mark(resp.State)
	f := i.frame()
	f.self = value
	for _, rule := range i.res.Lifecycle.Postconditions {
		if v, stop := i.failWhen(f.rule(ctx, rule, i.address)); stop {
			return v
		}
	}
	return value
}

func (i *instance) ask(ctx context.Context, config, meta cty.Value) (resp tfprovider.ReadResponse, diags diag.List) {
	stopped := i.m.v.call(ctx, func() {
		diags = i.provider.provider.ValidateDataSourceConfig(ctx, i.res.Addr.Type, config)
		if !diags.HasErrors() {
			var more diag.List
			resp, more = i.provider.provider.ReadDataSource(ctx, tfprovider.ReadDataRequest{TypeName: i.res.Addr.Type, Config: config, Meta: meta})
			diags = append(diags, more...)
		}
	})
	return resp, append(diags, stopped...)
}

// check evaluates a check block. Whatever it finds is a warning.
func (m *module) check(ctx context.Context, check *tfconfig.CheckBlock) {
	f := frame{m: m}
	if check.Data != nil {
		one := &instance{m: m, res: check.Data, address: m.name(check.Data.Addr.String())}
		one.out.Verdict = NoOp
		value := one.read(ctx)
		if one.out.Verdict == NoOp {
			// It is read again by every apply, so that a plan is never empty.
			at := check.Data.Range
			m.v.addResource(Resource{
				Address: one.address, Verdict: Read, Range: &at,
				Reasons: diag.List{readByCheck(check.Name, at).For(one.address)},
			})
		} else {
			for _, reason := range one.out.Reasons[:min(1, len(one.out.Reasons))] {
				m.v.add(diag.List{checkGap(check.Name, reason, check.Range)})
			}
			return
		}
		f.extra = map[tfaddr.Resource]cty.Value{check.Data.Addr: value}
	}
	for _, rule := range check.Asserts {
		for _, d := range f.rule(ctx, rule, m.name("check."+check.Name)) {
			m.v.add(diag.List{checkFailed(d)})
		}
	}
}
