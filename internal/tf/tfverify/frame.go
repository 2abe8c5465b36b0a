package tfverify

import (
	"context"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// frame is where expressions are evaluated: a module instance, and one
// repetition of a block in it.
type frame struct {
	m    *module
	each repetition
	// self is the object that "self" names, or cty.NilVal.
	self cty.Value
	// extra answers for data sources that only a check block sees.
	extra map[tfaddr.Resource]cty.Value
	// unknown answers for all that is declared with unknown values.
	unknown bool
}

func (f frame) eval(ctx context.Context, expr hcl.Expression, want cty.Type) (cty.Value, diag.List) {
	evalCtx, diags := f.context(ctx, usedIn(expr))
	if diags.HasErrors() {
		return cty.UnknownVal(want), diags
	}
	v, more := tflang.Eval(expr, evalCtx, want)
	return v, append(diags, more...)
}

// context answers what is used. It waits for whatever that needs.
func (f frame) context(ctx context.Context, uses used) (*hcl.EvalContext, diag.List) {
	refs, diags := uses.references()
	var b tflang.Bindings
	outputs := wantedOutputs(refs)
	seen := map[string]bool{}
	for _, ref := range refs {
		id := ref.String()
		if seen[id] {
			continue
		}
		seen[id] = true
		v, d := f.lookup(ctx, ref, outputs[ref.Name])
		if d != nil {
			diags = append(diags, d)
			continue
		}
		b.Set(ref, v)
	}
	return b.Context(f.m.table), diags
}

// wantedOutputs are the outputs of each module that refs read; nil for all.
func wantedOutputs(refs []tflang.Reference) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	whole := map[string]bool{}
	for _, ref := range refs {
		if ref.Kind != tflang.KindModule {
			continue
		}
		name := outputName(ref)
		if name == "" {
			whole[ref.Name] = true
		}
		if out[ref.Name] == nil {
			out[ref.Name] = map[string]bool{}
		}
		out[ref.Name][name] = true
	}
	for name := range whole {
		out[name] = nil
	}
	return out
}

func (f frame) lookup(ctx context.Context, ref tflang.Reference, outputs map[string]bool) (cty.Value, *diag.Diagnostic) {
	if v, ok := f.extra[ref.Resource]; ok && ref.Kind == tflang.KindResource {
		return v, nil
	}
	if d := declared(f.m.tree, ref); d != nil {
		return cty.NilVal, d
	}
	if f.unknown {
		return f.placeholder(ref)
	}
	switch ref.Kind {
	case tflang.KindVariable:
		return f.m.variable(ctx, ref.Name), nil
	case tflang.KindLocal:
		return f.m.local(ctx, ref.Name), nil
	case tflang.KindModule:
		return f.m.callValue(ctx, ref.Name, outputs), nil
	case tflang.KindResource:
		return f.m.block(ctx, f.m.config.Resources[ref.Resource]).value, nil
	case tflang.KindEphemeral:
		return gapValue(ephemeralGap(f.m.name(ref.String()), f.m.config.Ephemerals[ref.Resource].Range)), nil
	case tflang.KindEach, tflang.KindCount:
		return f.m.repetitionRefs(ref, f.each)
	case tflang.KindSelf:
		if f.self == cty.NilVal {
			return cty.NilVal, undeclared("object", "self", ref.Range)
		}
		return f.self, nil
	}
	return f.world(ref)
}

// world answers path and terraform.
func (f frame) world(ref tflang.Reference) (cty.Value, *diag.Diagnostic) {
	v := f.m.v
	switch {
	case ref.Kind == tflang.KindPath && ref.Name == "module":
		return cty.StringVal(v.relative(f.m.config.Dir)), nil
	case ref.Kind == tflang.KindPath && ref.Name == "root":
		return cty.StringVal("."), nil
	case ref.Kind == tflang.KindPath && ref.Name == "cwd":
		abs, err := filepath.Abs(v.req.Dir)
		if err != nil {
			abs = v.req.Dir
		}
		return cty.StringVal(filepath.ToSlash(abs)), nil
	case ref.Kind == tflang.KindTerraform && ref.Name == "workspace":
		return cty.StringVal(v.req.Workspace), nil
	case ref.Kind == tflang.KindTerraform && ref.Name == "applying":
		return cty.False.Mark(tflang.Ephemeral), nil
	}
	return cty.NilVal, undeclared("value", ref.String(), ref.Range)
}

// rule evaluates a condition. What fails is an error on the address, with
// the rule's own message, which must be one also where it is not needed.
func (f frame) rule(ctx context.Context, rule *tfconfig.Rule, address string) diag.List {
	v, diags := f.eval(ctx, rule.Condition, cty.Bool)
	if diags.HasErrors() {
		return diags.ForAddress(address)
	}
	if reasons := gapsOf(v); len(reasons) > 0 {
		return append(diags, unevaluatedRule(reasons[0], rule.Condition.Range()).For(address))
	}
	text, more := f.message(ctx, rule)
	if diags = append(diags, more.ForAddress(address)...); more.HasErrors() {
		return diags
	}
	v, _ = v.Unmark()
	switch {
	case v.IsNull():
		return append(diags, nullCondition(rule.Condition.Range()).For(address))
	case !v.IsKnown() || v.True():
		return diags
	}
	return append(diags, conditionNotMet(text, rule.Range).For(address))
}

// message is what a rule says where it fails, as far as that can be shown.
func (f frame) message(ctx context.Context, rule *tfconfig.Rule) (string, diag.List) {
	v, diags := f.eval(ctx, rule.Message, cty.String)
	switch {
	case diags.HasErrors():
		return "", diags
	case v.ContainsMarked() || !v.IsKnown():
		return "The condition is not met.", diags
	case v.IsNull():
		return "", append(diags, nullMessage(rule.Message.Range()))
	}
	return v.AsString(), diags
}
