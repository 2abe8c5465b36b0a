package tfverify

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// instance is one object that configuration describes.
type instance struct {
	m       *module
	res     *tfconfig.ResourceBlock
	each    repetition
	address string

	provider *configured
	schema   *tfschema.Schema
	config   cty.Value // with marks
	out      Resource
	// before and after are the object, refreshed and planned, where there is a
	// plan.
	before, after cty.Value
}

// workOut returns the object's value for those who refer to it, and what
// happens to it. A managed one is reported.
func (i *instance) workOut(ctx context.Context) (cty.Value, happens) {
	at := i.res.Range
	i.out = Resource{Address: i.address, Verdict: NoOp, Range: &at}
	if i.res.Addr.Mode == tfaddr.Data {
		value := i.readData(ctx)
		return value, happens{verdict: i.out.Verdict}
	}
	prior := i.m.v.state.take(i.address)
	value := i.plan(ctx, prior)
	if i.out.Verdict == NoOp && prior != nil && prior.was != "" {
		i.out.Verdict = Move
	}
	if o := i.m.v.state.at(i.address); o != nil {
		i.out.From = o.was
	}
	for _, d := range i.out.Reasons {
		if d.Subject == nil {
			d.Subject = &at
		}
	}
	i.out.Reasons.ForAddress(i.address)
	i.m.v.addResource(i.out)
	return value, happens{verdict: i.out.Verdict, before: i.before, after: i.after}
}

// give ends with a verdict that says why there is no value.
func (i *instance) give(verdict Verdict, reasons diag.List) cty.Value {
	i.out.Verdict, i.out.Reasons = verdict, append(i.out.Reasons, reasons...)
	for _, d := range reasons {
		if d.Severity == diag.Error {
			return gapValue(d)
		}
	}
	return gapValue(diag.Errorf("TV0042", "Resource not evaluated", "%s was not evaluated.", i.address))
}

// failWhen takes over diagnostics and reports whether to stop.
func (i *instance) failWhen(diags diag.List) (cty.Value, bool) {
	if diags.HasErrors() {
		return i.give(Failed, diags), true
	}
	i.out.Reasons = append(i.out.Reasons, diags...)
	return cty.NilVal, false
}

// prepare finds the provider and the schema and evaluates the body.
func (i *instance) prepare(ctx context.Context, kind tfschema.Kind) (cty.Value, bool) {
	i.m.v.prepare(i.res)
	i.provider = i.m.v.providers.forBlock(ctx, i.m, i.res)
	if len(i.provider.reasons) > 0 {
		verdict := Unevaluated
		if i.provider.failed {
			verdict = Failed
		}
		return i.give(verdict, own(i.provider.reasons)), true
	}
	schema, err := i.provider.schema.Schema(kind, i.res.Addr.Type)
	if err != nil {
		return i.failWhen(diag.List{unknownType(err, i.res.Range)})
	}
	i.schema = schema
	f := i.frame()
	for _, rule := range i.res.Lifecycle.Preconditions {
		if v, stop := i.failWhen(f.rule(ctx, rule, i.address)); stop {
			return v, true
		}
	}
	config, diags := f.decode(ctx, i.res.Config, schema.Block, i.m.v.graph.uses.of(i.res), i.res.Range)
	if v, stop := i.failWhen(diags); stop {
		return v, true
	}
	if reasons := gapsOf(config); len(reasons) > 0 {
		return i.give(Unevaluated, reasons), true
	}
	if v, stop := i.failWhen(ephemeralKept(schema.Block, config, i.res.Range)); stop {
		return v, true
	}
	i.config = config
	return cty.NilVal, false
}

// own copies what is said of several objects, for one to be named in it.
func own(shared diag.List) diag.List {
	var out diag.List
	for _, d := range shared {
		mine := *d
		out = append(out, &mine)
	}
	return out
}

func (i *instance) frame() frame { return frame{m: i.m, each: i.each} }

func (i *instance) plan(ctx context.Context, prior *object) cty.Value {
	if v, stop := i.prepare(ctx, tfschema.KindResource); stop {
		return v
	}
	config, marked := tflang.SensitivePaths(i.config)
	ignore, diags := i.ignored()
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	if v, stop := i.failWhen(i.validate(ctx, config)); stop {
		return v
	}
	known, diags := i.refresh(ctx, prior)
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	meta, diags := i.meta(ctx)
	if v, stop := i.failWhen(diags); stop {
		return v
	}
	req := tfplan.Request{
		TypeName: i.res.Addr.Type, Prior: known.value, Tainted: known.tainted, Config: config,
		PriorPrivate: known.private, Identity: known.identity, Meta: meta, Ignore: ignore,
	}
	result, diags := i.askPlan(ctx, req)
	var forced trigger
	if !diags.HasErrors() && (result.Action == tfplan.NoOp || result.Action == tfplan.Update) {
		if forced = i.triggered(ctx); forced.verdict == Replace {
			req.Tainted = true // as if it were
			result, diags = i.askPlan(ctx, req)
		}
	}
	return i.conclude(ctx, prior, known, marked, ignore, result, forced, diags)
}

func (i *instance) askPlan(ctx context.Context, req tfplan.Request) (result tfplan.Result, diags diag.List) {
	stopped := i.m.v.call(ctx, func() { result, diags = tfplan.Plan(ctx, i.provider.provider, req) })
	return result, append(diags, stopped...)
}

func (i *instance) validate(ctx context.Context, config cty.Value) diag.List {
	var diags diag.List
	stopped := i.m.v.call(ctx, func() {
		diags = i.provider.provider.ValidateResourceConfig(ctx, i.res.Addr.Type, config)
	})
	return append(diags, stopped...)
}

// meta evaluates the module's provider_meta for the provider, if any.
func (i *instance) meta(ctx context.Context) (cty.Value, diag.List) {
	body := i.m.config.ProviderMeta[resourceProvider(i.res).Name]
	if body == nil {
		return cty.NilVal, nil
	}
	schema, err := i.provider.schema.Schema(tfschema.KindProviderMeta, "")
	if err != nil {
		return cty.NilVal, diag.List{unknownType(err, i.res.Range)}
	}
	v, diags := frame{m: i.m}.decode(ctx, body, schema.Block, usedBy(tflang.BodyTraversals(body)), i.res.Range)
	if reasons := gapsOf(v); len(reasons) > 0 {
		return cty.NilVal, append(diags, reasons...)
	}
	v = ctyx.Unmark(v)
	return v, diags
}

// ignored turns ignore_changes into paths.
func (i *instance) ignored() (tfplan.Ignore, diag.List) {
	ignore := tfplan.Ignore{All: i.res.Lifecycle.IgnoreAll}
	var diags diag.List
	for _, t := range i.res.Lifecycle.IgnoreChanges {
		path, err := traversalPath(t)
		if err != nil {
			diags = append(diags, ignoredPath(err, t.SourceRange()))
			continue
		}
		ignore.Paths = append(ignore.Paths, path)
	}
	return ignore, diags
}

func traversalPath(t hcl.Traversal) (cty.Path, error) {
	var path cty.Path
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			path = append(path, cty.GetAttrStep{Name: s.Name})
		case hcl.TraverseAttr:
			path = append(path, cty.GetAttrStep{Name: s.Name})
		case hcl.TraverseIndex:
			path = append(path, cty.IndexStep{Key: s.Key})
		default:
			return nil, errNotAPath
		}
	}
	return path, nil
}
