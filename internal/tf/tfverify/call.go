package tfverify

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// calledModule is a module call worked out: its instances, in the order of
// its keys, or why there are none.
type calledModule struct {
	expansion expansion
	instances []*module
	gap       *diag.Diagnostic
}

func (m *module) called(ctx context.Context, name string) *calledModule {
	return m.calls.get(name, func() *calledModule {
		call, child := m.config.Calls[name], m.tree.Children[name]
		address := m.name("module." + name)
		if child.Module == nil {
			m.v.addGap(child.Missing)
			m.v.unexpand(address, diag.List{child.Missing})
			return &calledModule{gap: child.Missing}
		}
		m.checkInputs(child.Module.Variables, name)
		exp, reasons := frame{m: m}.expand(ctx, call.Count, call.ForEach, call.Enabled)
		if len(reasons) > 0 {
			m.v.unexpand(address, reasons)
			m.v.addGap(unexpandedModule(address, reasons[0], call.Range))
			return &calledModule{gap: reasons[0]}
		}
		out := &calledModule{expansion: exp}
		for _, each := range exp.each {
			out.instances = append(out.instances, newModule(ctx, m.v, child, m, address+each.suffix(), each))
		}
		return out
	})
}

// checkInputs reports arguments of a call that the module has no variable
// for.
func (m *module) checkInputs(declared map[string]*tfconfig.Variable, name string) {
	call := m.config.Calls[name]
	attrs, hclDiags := call.Config.JustAttributes()
	diags := diag.FromHCL(codeValues, hclDiags)
	for _, arg := range sortedKeys(attrs) {
		if declared[arg] == nil {
			diags = append(diags, undeclaredInput(name, arg, attrs[arg].NameRange))
		}
	}
	m.v.add(diags)
}

// callValue is what a reference to a module reads: the outputs that want
// names, or all of them where it is nil.
func (m *module) callValue(ctx context.Context, name string, want map[string]bool) cty.Value {
	called := m.called(ctx, name)
	if called.gap != nil {
		return gapValue(called.gap)
	}
	var values []cty.Value
	for _, instance := range called.instances {
		attrs := map[string]cty.Value{}
		for output := range instance.config.Outputs {
			if want == nil || want[output] {
				attrs[output] = instance.output(ctx, output)
			}
		}
		values = append(values, cty.ObjectVal(attrs))
	}
	return called.expansion.join(values)
}

// repetition is what count and for_each are in one instance.
type repetition struct {
	key, value cty.Value // cty.NilVal where there is none
}

// suffix is the key as an address has it.
func (r repetition) suffix() string {
	if r.key == cty.NilVal {
		return ""
	}
	return ctyx.PathString(cty.Path{cty.IndexStep{Key: r.key}})
}

type expansionMode uint8

const (
	single expansionMode = iota
	counted
	keyed
	disabled
)

// expansion is the instances of a block.
type expansion struct {
	mode expansionMode
	each []repetition
}

// join makes the value of the whole block from those of its instances.
func (e expansion) join(values []cty.Value) cty.Value {
	switch e.mode {
	case counted:
		return cty.TupleVal(values)
	case keyed:
		attrs := make(map[string]cty.Value, len(values))
		for i, v := range values {
			attrs[e.each[i].key.AsString()] = v
		}
		return cty.ObjectVal(attrs)
	case disabled:
		return cty.NullVal(cty.DynamicPseudoType)
	default:
		return values[0]
	}
}

func (m *module) repetitionRefs(ref tflang.Reference, each repetition) (cty.Value, *diag.Diagnostic) {
	counted := each.key != cty.NilVal && each.value == cty.NilVal
	switch {
	case ref.Kind == tflang.KindCount && ref.Name == "index" && counted:
		return each.key, nil
	case ref.Kind == tflang.KindEach && ref.Name == "key" && each.value != cty.NilVal:
		return each.key, nil
	case ref.Kind == tflang.KindEach && ref.Name == "value" && each.value != cty.NilVal:
		return each.value, nil
	}
	return cty.NilVal, repetitionOutside(ref.String(), ref.Range)
}
