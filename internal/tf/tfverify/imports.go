package tfverify

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// importTarget is one object that an import block names.
type importTarget struct {
	block    *tfconfig.ImportBlock
	to       endpoint
	identity cty.Value // cty.NilVal where an id names it
}

// importTargets works out what the import blocks name, by address. Clients
// refuse a block that names no object also where nothing is left to import.
func (m *module) importTargets(ctx context.Context) map[string]importTarget {
	out := map[string]importTarget{}
	for _, block := range m.config.Imports {
		exp, reasons := frame{m: m}.expandImport(ctx, block.ForEach)
		if len(reasons) > 0 {
			m.v.addGap(unevaluatedImport(block.Range))
			continue
		}
		for _, each := range exp.each {
			f := frame{m: m, each: each}
			to, ok := f.target(ctx, block.To)
			if !ok {
				m.v.addGap(unevaluatedImport(block.Range))
				break
			}
			address := to.String()
			if first, twice := out[address]; twice {
				m.v.add(diag.List{duplicateImport(address, first.block.Range, block.Range)})
			}
			identity, diags := f.importID(ctx, block, to)
			out[address] = importTarget{block, to, identity}
			m.v.add(diags)
		}
	}
	return out
}

// expandImport works out the repetitions of an import block, which may be those
// of a tuple, too.
func (f frame) expandImport(ctx context.Context, forEach hcl.Expression) (expansion, diag.List) {
	if forEach == nil {
		return f.expand(ctx, nil, nil, nil)
	}
	v, reasons := f.known(ctx, forEach, cty.DynamicPseudoType, "for_each")
	if len(reasons) > 0 {
		return expansion{}, reasons
	}
	if !v.Type().IsTupleType() {
		return expandForEach(v, forEach.Range())
	}
	out := expansion{mode: keyed}
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		out.each = append(out.each, repetition{key: key, value: value})
	}
	return out, nil
}

// target evaluates the address of an instance, whose keys may be expressions.
func (f frame) target(ctx context.Context, expr hcl.Expression) (endpoint, bool) {
	t, ok := f.traversal(ctx, expr)
	if !ok {
		return endpoint{}, false
	}
	e, ok := parseEndpoint(t)
	return e, ok && e.resource != nil
}

// importID is the identity of an import block, if any, and what is wrong with
// that or with its id.
func (f frame) importID(ctx context.Context, block *tfconfig.ImportBlock, to endpoint) (identity cty.Value, diags diag.List) {
	expr, want := block.ID, cty.String
	if expr == nil {
		expr, want = block.Identity, cty.DynamicPseudoType
	}
	v, diags := f.eval(ctx, expr, want)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	if len(gapsOf(v)) > 0 {
		return cty.NilVal, append(diags, unevaluatedImport(expr.Range()))
	}
	why := unsuitableID(v)
	if len(to.modules) == 0 && refersTo(expr, *to.resource) {
		why = "taken from that object itself"
	}
	if why != "" {
		return cty.NilVal, append(diags, invalidImportID(why, expr.Range()))
	}
	if block.Identity != nil {
		identity = v
	}
	return identity, diags
}

// refersTo reports whether an expression refers to a resource.
func refersTo(expr hcl.Expression, res tfaddr.Resource) bool {
	refs, _ := tflang.References(expr.Variables(), nil)
	return slices.ContainsFunc(refs, func(ref tflang.Reference) bool {
		return ref.Kind == tflang.KindResource && ref.Resource == res
	})
}

func unsuitableID(v cty.Value) string {
	switch {
	case tflang.Has(v, tflang.Sensitive), tflang.Has(v, tflang.Ephemeral):
		return "sensitive or ephemeral, and would show"
	case v.IsNull():
		return "null"
	case !v.IsWhollyKnown():
		return "known only after apply"
	case v.Type() == cty.String && v.AsString() == "":
		return "empty"
	}
	return ""
}

// checkImports reports import blocks in modules that are called, and those of
// the root that do not go with what they name.
func (v *verifier) checkImports(ctx context.Context) diag.List {
	var diags diag.List
	v.tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil || t.Call == nil {
			return
		}
		for _, block := range t.Module.Imports {
			diags = append(diags, importInModule(block.Range))
		}
	})
	for _, address := range sortedKeys(v.imports) {
		diags = append(diags, v.checkImport(ctx, v.imports[address])...)
	}
	return diags
}

// checkImport holds an import block against the resource block that it names.
// Where there is none, there is a gap.
func (v *verifier) checkImport(ctx context.Context, target importTarget) diag.List {
	if target.block.Provider == nil && target.identity == cty.NilVal {
		return nil
	}
	t := v.tree
	for _, step := range target.to.modules {
		if t = t.Children[step.name]; t == nil || t.Module == nil {
			return nil
		}
	}
	res := t.Module.Resources[*target.to.resource]
	if res == nil {
		return nil
	}
	var diags diag.List
	if given := target.block.Provider; given != nil && (t.Call != nil || res.Provider == nil || given.String() != res.Provider.String()) {
		diags = append(diags, importProvider(given.Range))
	}
	if target.identity != cty.NilVal {
		diags = append(diags, v.checkIdentity(ctx, t, res, target)...)
	}
	return diags
}

// checkIdentity holds an identity against its schema.
func (v *verifier) checkIdentity(ctx context.Context, t *tfconfig.Tree, res *tfconfig.ResourceBlock, target importTarget) diag.List {
	required, at := t.Module.Required[resourceProvider(res).Name], target.block.Identity.Range()
	if required == nil {
		return nil // said of the block
	}
	c := v.providers.describe(ctx, required.Provider)
	if c.schema == nil {
		return nil
	}
	schema, err := c.schema.Identity(res.Addr.Type)
	if err != nil || schema == nil {
		return diag.List{noIdentity(res.Addr.Type, at)}
	}
	if _, err := convert.Convert(target.identity, identityType(schema)); err != nil {
		return diag.List{unsuitableIdentity(err, at)}
	}
	return nil
}

// identityType is that of an identity as import blocks give it.
func identityType(schema *tfschema.Identity) cty.Type {
	types := map[string]cty.Type{}
	var optional []string
	for _, a := range schema.Attributes {
		types[a.Name] = a.Type
		if !a.RequiredForImport {
			optional = append(optional, a.Name)
		}
	}
	return cty.ObjectWithOptionalAttrs(types, optional)
}
