package tfverify

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// module is one instance of a module. Its cells may be asked for by anyone.
type module struct {
	v      *verifier
	tree   *tfconfig.Tree
	config *tfconfig.Module
	parent *module
	addr   string // `module.a["k"].module.b`, or ""
	each   repetition
	table  map[string]function.Function

	variables cells[string, cty.Value]
	locals    cells[string, cty.Value]
	outputs   cells[string, cty.Value]
	calls     cells[string, *calledModule]
	blocks    cells[tfaddr.Resource, *blockResult]
}

func newModule(ctx context.Context, v *verifier, tree *tfconfig.Tree, parent *module, addr string, each repetition) *module {
	m := &module{v: v, tree: tree, config: tree.Module, parent: parent, addr: addr, each: each, table: v.table}
	if names := functionNames(m.config); len(names) > 0 {
		m.table = v.providers.withFunctions(ctx, m, names)
	}
	v.addModule(m)
	return m
}

// name is the address of a thing in m.
func (m *module) name(local string) string {
	if m.addr == "" {
		return local
	}
	return m.addr + "." + local
}

// run verifies all that m has, and what it calls.
func (m *module) run(ctx context.Context) {
	for _, name := range sortedKeys(m.config.Variables) {
		m.v.spawn(func() { m.validate(ctx, m.config.Variables[name]) })
	}
	m.v.spawn(func() { // also those that nobody uses
		for _, name := range sortedKeys(m.config.Locals) {
			m.local(ctx, name)
		}
	})
	m.runBlocks(ctx)
	for _, addr := range sortedAddrs(m.config.Ephemerals) {
		m.v.addGap(ephemeralGap(m.name("ephemeral."+addr.String()), m.config.Ephemerals[addr].Range))
	}
	for _, name := range sortedKeys(m.config.Calls) {
		m.v.spawn(func() {
			for _, child := range m.called(ctx, name).instances {
				child.run(ctx)
			}
		})
	}
	for _, name := range sortedKeys(m.config.Checks) {
		m.v.spawn(func() { m.check(ctx, m.config.Checks[name]) })
	}
	if m.addr != "" { // those of the root are reported one by one
		for _, name := range sortedKeys(m.config.Outputs) {
			m.v.spawn(func() { m.output(ctx, name) })
		}
	}
}

// runBlocks works out the resources of m. Many wait for calls, and some for one
// another, so there are more at a time than calls; but not one for each block,
// since each that is new has to make room for itself.
func (m *module) runBlocks(ctx context.Context) {
	const forEachCall = 8
	addrs := sortedAddrs(m.config.Resources)
	var next atomic.Int64
	for range min(forEachCall*m.v.req.Parallel, len(addrs)) {
		m.v.spawn(func() {
			for i := next.Add(1) - 1; i < int64(len(addrs)); i = next.Add(1) - 1 {
				m.block(ctx, m.config.Resources[addrs[i]])
			}
		})
	}
}

// variable is the value of an input variable inside m.
func (m *module) variable(ctx context.Context, name string) cty.Value {
	return m.variables.get(name, func() cty.Value {
		v := m.config.Variables[name]
		given, diags := m.given(ctx, v)
		if !diags.HasErrors() {
			var more diag.List
			given, more = conform(v, given)
			diags = append(diags, more...)
		}
		m.v.add(diags)
		if diags.HasErrors() {
			return gapValue(firstError(diags))
		}
		if v.Ephemeral {
			given = given.Mark(tflang.Ephemeral)
		}
		if v.Sensitive {
			given = given.Mark(tflang.Sensitive)
		}
		return given
	})
}

// given is what the caller or the user set, or cty.NilVal.
func (m *module) given(ctx context.Context, v *tfconfig.Variable) (cty.Value, diag.List) {
	if m.parent == nil {
		value, ok := m.v.inputs[v.Name]
		if !ok {
			return cty.NilVal, nil
		}
		return value, nil
	}
	attrs, _ := m.tree.Call.Config.JustAttributes() // checked with the call
	attr := attrs[v.Name]
	if attr == nil {
		return cty.NilVal, nil
	}
	value, diags := frame{m: m.parent, each: m.each}.eval(ctx, attr.Expr, cty.DynamicPseudoType)
	if !v.Ephemeral && tflang.Has(value, tflang.Ephemeral) {
		diags = append(diags, ephemeralInput(v.Name, attr.Expr.Range()))
	}
	return value, diags
}

// conform makes a given value one of the variable's type.
func conform(v *tfconfig.Variable, given cty.Value) (cty.Value, diag.List) {
	if given == cty.NilVal || (!v.Nullable && given.IsNull()) {
		if v.Default == cty.NilVal {
			return cty.NilVal, diag.List{requiredVariable(v.Name, v.Range)}
		}
		return v.Default, nil
	}
	if v.Optional != nil && !given.IsNull() {
		given = applyDefaults(v, given)
	}
	out, err := convert.Convert(given, v.Type)
	if err != nil {
		return cty.NilVal, diag.List{unsuitableInput(v.Name, err, v.Range)}
	}
	return out, nil
}

// applyDefaults guards against values of a shape that the library does not
// expect; such a value then fails the conversion with a reason.
func applyDefaults(v *tfconfig.Variable, given cty.Value) (out cty.Value) {
	defer func() {
		if recover() != nil {
			out = given
		}
	}()
	return v.Optional.Apply(given)
}

func (m *module) local(ctx context.Context, name string) cty.Value {
	return m.locals.get(name, func() cty.Value {
		return m.evalOrGap(ctx, m.config.Locals[name].Value)
	})
}

func (m *module) evalOrGap(ctx context.Context, expr hcl.Expression) cty.Value {
	v, diags := frame{m: m}.eval(ctx, expr, cty.DynamicPseudoType)
	m.v.add(diags)
	if diags.HasErrors() {
		return gapValue(firstError(diags))
	}
	return v
}

func (m *module) output(ctx context.Context, name string) cty.Value {
	return m.outputs.get(name, func() cty.Value {
		out := m.config.Outputs[name]
		for _, rule := range out.Preconditions {
			if diags := (frame{m: m}).rule(ctx, rule, m.name("output."+name)); diags.HasErrors() {
				m.v.add(diags)
				return gapValue(firstError(diags))
			}
		}
		v := m.evalOrGap(ctx, out.Value)
		switch {
		case out.Ephemeral:
			v = v.Mark(tflang.Ephemeral)
		case m.parent != nil && tflang.Has(v, tflang.Ephemeral): // that of the root has a verdict
			kept := ephemeralOutput(name, out.Range)
			m.v.add(diag.List{kept})
			return gapValue(kept)
		}
		if out.Sensitive {
			v = v.Mark(tflang.Sensitive)
		}
		return v
	})
}

// validate holds a variable against its rules.
func (m *module) validate(ctx context.Context, v *tfconfig.Variable) {
	value := m.variable(ctx, v.Name)
	if len(gapsOf(value)) > 0 {
		return
	}
	for _, rule := range v.Validations {
		m.v.add(frame{m: m}.rule(ctx, rule, m.name("var."+v.Name)))
	}
}
