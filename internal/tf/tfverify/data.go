package tfverify

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// readData reads a data source. It is in the report only where that fails or
// has to wait for an apply.
func (i *instance) readData(ctx context.Context) cty.Value {
	value := i.read(ctx)
	i.out.Reasons.ForAddress(i.address)
	if i.out.Verdict != NoOp {
		i.m.v.addResource(i.out)
	} else {
		i.m.v.add(i.out.Reasons)
	}
	return value
}

func (i *instance) read(ctx context.Context) cty.Value {
	if v, stop := i.ready(ctx); stop {
		return v
	}
	return i.fetch(ctx)
}

// ready works out what to ask for, and whether that can be asked now.
func (i *instance) ready(ctx context.Context) (cty.Value, bool) {
	if v, stop := i.prepare(ctx, tfschema.KindDataSource); stop {
		return v, true
	}
	if d := i.stateElsewhere(); d != nil {
		return i.give(Unevaluated, diag.List{d}), true
	}
	config, marked := tflang.SensitivePaths(i.config)
	if v, stop := i.failWhen(i.validateData(ctx, config)); stop {
		return v, true
	}
	if what := i.m.pending(ctx, i.res); what != "" || !config.IsWhollyKnown() {
		i.out.Verdict = Read
		i.out.Reasons = append(i.out.Reasons, deferredRead(what, i.res.Range))
		later := tfplan.ProposedNew(i.schema.Block, cty.UnknownVal(i.schema.Block.ImpliedType()), config)
		return newSecrets(i.schema.Block, nil, marked, later).mark(later), true
	}
	return cty.NilVal, false
}

func (i *instance) validateData(ctx context.Context, config cty.Value) (diags diag.List) {
	stopped := i.m.v.call(ctx, func() {
		diags = i.provider.provider.ValidateDataSourceConfig(ctx, i.res.Addr.Type, config)
	})
	return append(diags, stopped...)
}

// fetch asks the provider.
func (i *instance) fetch(ctx context.Context) cty.Value {
	config, marked := tflang.SensitivePaths(i.config)
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
		resp, diags = i.provider.provider.ReadDataSource(ctx, tfprovider.ReadDataRequest{TypeName: i.res.Addr.Type, Config: config, Meta: meta})
	})
	return resp, append(diags, stopped...)
}

// check evaluates a check block. It is a warning that a condition is false, or
// that its data source cannot be read; all else that is wrong is an error.
func (m *module) check(ctx context.Context, check *tfconfig.CheckBlock) {
	f := frame{m: m}
	if check.Data != nil {
		value, ok := m.checkData(ctx, check)
		if !ok {
			return
		}
		f.extra = map[tfaddr.Resource]cty.Value{check.Data.Addr: value}
	}
	for _, rule := range check.Asserts {
		for _, d := range f.rule(ctx, rule, m.name("check."+check.Name)) {
			if d.Code == codeNotMet {
				d = checkFailed(d)
			}
			m.v.add(diag.List{d})
		}
	}
}

// checkData reads the data source of a check; it is not ok where that fails.
// It is read again by every apply, so that a plan is never empty.
func (m *module) checkData(ctx context.Context, check *tfconfig.CheckBlock) (value cty.Value, ok bool) {
	at := check.Data.Range
	one := &instance{m: m, res: check.Data, address: m.name(check.Data.Addr.String())}
	one.out = Resource{Address: one.address, Verdict: NoOp, Range: &at}
	value, stop := one.ready(ctx)
	if stop {
		ok = one.out.Verdict == Read // after a change, and then asked
	} else {
		value = one.fetch(ctx)
		ok = one.out.Verdict == NoOp
		one.forCheck(check)
	}
	one.out.Reasons.ForAddress(one.address)
	m.v.addResource(one.out)
	return value, ok
}

// forCheck makes what the provider was asked for a check a read, whatever came
// of it.
func (i *instance) forCheck(check *tfconfig.CheckBlock) {
	if i.out.Verdict == NoOp || i.out.Verdict == Failed {
		i.out.Verdict = Read
	}
	if i.out.Verdict != Read {
		return
	}
	i.out.Reasons = own(i.out.Reasons)
	for _, d := range i.out.Reasons {
		d.Severity = diag.Warning
	}
	i.out.Reasons = append(i.out.Reasons, readByCheck(check.Name, check.Data.Range))
}
