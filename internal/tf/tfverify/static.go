package tfverify

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// static looks through all that configuration says, also where no value
// depends on it: clients refuse a reference to nothing wherever it is.
type static struct {
	v     *verifier
	ctx   context.Context
	diags diag.List
}

// checkStatic reports what evaluation had no reason to look at. It comes last,
// so that it knows that, and what is reported already.
func (v *verifier) checkStatic(ctx context.Context) diag.List {
	s := &static{v: v, ctx: ctx}
	v.tree.Walk(func(t *tfconfig.Tree) {
		if t.Module != nil {
			s.module(t)
		}
	})
	return newTo(v.errorRanges(), s.diags)
}

func (s *static) add(diags ...*diag.Diagnostic) {
	for _, d := range diags {
		if d.Severity == diag.Error {
			s.diags = append(s.diags, d)
		}
	}
}

// place is a scope, and what evaluates in it what nothing else did.
type place struct {
	scope
	frame frame
	// live says that evaluation does what is there: the module has instances,
	// and so does the block.
	live bool
}

func (s *static) module(t *tfconfig.Tree) {
	instances := s.v.instancesOf(t)
	m := &module{v: s.v, tree: t, config: t.Module, table: s.v.table}
	if len(instances) > 0 {
		m.table = instances[0].table
	} else if names := functionNames(t.Module); len(names) > 0 {
		m.table = s.v.providers.withFunctions(s.ctx, m, names)
	}
	at := place{scope: scope{tree: t}, frame: frame{m: m, unknown: true}, live: len(instances) > 0}
	for name, v := range t.Module.Variables {
		if isReserved(name) {
			s.add(reservedName(name, v.Range))
		}
		s.rules(at, v.Validations)
		for _, rule := range v.Validations {
			if !mentions(rule.Condition, name) {
				s.add(strayValidation(name, rule.Condition.Range()))
			}
		}
	}
	for _, local := range t.Module.Locals {
		s.exprs(at, local.Value)
	}
	for _, out := range t.Module.Outputs {
		s.exprs(at, out.Value)
		s.dependsOn(at, out.DependsOn)
		s.rules(at, out.Preconditions)
	}
	for name, call := range t.Module.Calls {
		s.call(at, call, t.Children[name])
	}
	for _, res := range t.Module.Resources {
		s.block(at, res)
	}
	for _, check := range t.Module.Checks {
		inCheck := at
		if check.Data != nil {
			inCheck.extra = check.Data
			s.block(at, check.Data)
		}
		s.rules(inCheck, check.Asserts)
	}
}

// isReserved reports whether a name is that of an argument of module blocks,
// which no variable can have.
func isReserved(name string) bool {
	switch name {
	case "source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals":
		return true
	}
	return false
}

// refs reports what is wrong with references.
func (s *static) refs(at place, uses used) []tflang.Reference {
	refs, diags := uses.references()
	s.add(diags...)
	for _, ref := range refs {
		if d := at.fault(ref); d != nil {
			s.add(d)
			continue
		}
		if res, rest := at.scope.block(ref); res != nil && len(rest) > 0 {
			s.attribute(at, ref, res, rest)
		}
	}
	return refs
}

// attribute holds what a reference reads of a resource against the schema.
func (s *static) attribute(at place, ref tflang.Reference, res *tfconfig.ResourceBlock, rest hcl.Traversal) {
	if ref.Kind != tflang.KindSelf {
		var d *diag.Diagnostic
		if rest, d = keyFault(ref, res, rest); d != nil {
			s.add(d)
			return
		}
	}
	if len(rest) == 0 {
		return
	}
	if schema := s.schema(at.tree, res); schema != nil {
		s.add(pathFaults(schema.Block, rest)...)
	}
}

// exprs looks through expressions, and evaluates those that nothing else did.
func (s *static) exprs(at place, exprs ...hcl.Expression) {
	for _, expr := range exprs {
		if expr == nil {
			continue
		}
		s.refs(at, usedIn(expr))
		if !at.live {
			s.eval(at, expr, cty.DynamicPseudoType)
		}
	}
}

func (s *static) eval(at place, expr hcl.Expression, want cty.Type) cty.Value {
	v, diags := at.frame.eval(s.ctx, expr, want)
	s.add(diags...)
	return v
}

// rules looks through conditions and their messages.
func (s *static) rules(at place, rules []*tfconfig.Rule) {
	for _, rule := range rules {
		s.exprs(at, rule.Condition)
		if len(rule.Condition.Variables()) == 0 {
			s.add(constantCondition(rule.Condition.Range()))
		}
		s.refs(at, usedIn(rule.Message))
		_, diags := at.frame.message(s.ctx, rule)
		s.add(diags...)
	}
}

// mentions reports whether an expression refers to a variable.
func mentions(expr hcl.Expression, variable string) bool {
	refs, _ := tflang.References(expr.Variables(), nil)
	return slices.ContainsFunc(refs, func(ref tflang.Reference) bool {
		return ref.Kind == tflang.KindVariable && ref.Name == variable
	})
}

// dependsOn looks through what must be whole things.
func (s *static) dependsOn(at place, on []hcl.Traversal) {
	for _, ref := range s.refs(at, used{traversals: on}) {
		rest := ref.Rest
		if ref.Key() != cty.NilVal {
			rest = rest[1:]
		}
		if ref.Kind == tflang.KindResource && len(rest) > 0 {
			s.add(partOfObject(ref.String(), ref.Range))
		}
	}
}

// call looks through a module call. Its arguments are evaluated for each
// instance.
func (s *static) call(at place, call *tfconfig.ModuleCall, child *tfconfig.Tree) {
	s.exprs(at, call.Count, call.ForEach, call.Enabled)
	s.dependsOn(at, call.DependsOn)
	inner := at
	inner.count, inner.each = call.Count != nil, call.ForEach != nil
	s.refs(inner, usedBy(call.Traversals()))
	if child == nil || child.Module == nil || len(s.v.instancesOf(child)) > 0 {
		return
	}
	if !at.live {
		at.frame.m.checkInputs(child.Module.Variables, call.Name)
	}
	attrs, _ := call.Config.JustAttributes() // checked with the call
	for name, v := range child.Module.Variables {
		switch attr := attrs[name]; {
		case attr == nil && v.Default == cty.NilVal:
			s.add(requiredVariable(name, v.Range))
		case attr != nil:
			value := s.eval(inner, attr.Expr, cty.DynamicPseudoType)
			if !v.Ephemeral && tflang.Has(value, tflang.Ephemeral) {
				s.add(ephemeralInput(name, attr.Expr.Range()))
			}
		}
	}
}

// errorRanges are where errors have been reported, by file.
func (v *verifier) errorRanges() map[string][]hcl.Range {
	out := map[string][]hcl.Range{}
	note := func(list diag.List) {
		for _, d := range list {
			if d.Severity == diag.Error && d.Subject != nil {
				out[d.Subject.Filename] = append(out[d.Subject.Filename], *d.Subject)
			}
		}
	}
	note(v.diags)
	note(v.gaps)
	for _, r := range v.resources {
		note(r.Reasons)
	}
	for _, o := range v.outputs {
		note(o.Reasons)
	}
	return out
}

// newTo leaves out what says again what is known of a place, or of a part of
// it.
func newTo(known map[string][]hcl.Range, diags diag.List) diag.List {
	var out diag.List
	seen := map[string]bool{}
	for _, d := range diags {
		id := fmt.Sprint(d.Code, d.Subject)
		if seen[id] || d.Subject != nil && overlaps(known[d.Subject.Filename], *d.Subject) {
			continue
		}
		seen[id] = true
		out = append(out, d)
	}
	return out
}

func overlaps(known []hcl.Range, at hcl.Range) bool {
	for _, k := range known {
		if k.Overlaps(at) {
			return true
		}
	}
	return false
}
