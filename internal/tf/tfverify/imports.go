package tfverify

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// importTargets works out what the import blocks name, by address. Clients
// refuse a block that names no object also where nothing is left to import.
func (m *module) importTargets(ctx context.Context) map[string]*tfconfig.ImportBlock {
	out := map[string]*tfconfig.ImportBlock{}
	for _, block := range m.config.Imports {
		exp, reasons := frame{m: m}.expand(ctx, nil, block.ForEach, nil)
		if len(reasons) > 0 {
			m.v.addGap(unevaluatedImport(block.Range))
			continue
		}
		for _, each := range exp.each {
			f := frame{m: m, each: each}
			address, ok := f.target(ctx, block.To)
			if !ok {
				m.v.addGap(unevaluatedImport(block.Range))
				break
			}
			if first := out[address]; first != nil {
				m.v.add(diag.List{duplicateImport(address, first.Range, block.Range)})
			}
			out[address] = block
			m.v.add(f.importID(ctx, block))
		}
	}
	return out
}

// target evaluates an address whose last key may be an expression.
func (f frame) target(ctx context.Context, expr hcl.Expression) (string, bool) {
	if t, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
		e, ok := parseEndpoint(t)
		return e.String(), ok
	}
	collection, key := indexParts(expr)
	if collection == nil {
		return "", false
	}
	t, diags := hcl.AbsTraversalForExpr(collection)
	if diags.HasErrors() {
		return "", false
	}
	v, list := f.eval(ctx, key, cty.DynamicPseudoType)
	if list.HasErrors() || v.ContainsMarked() || !v.IsKnown() || v.IsNull() {
		return "", false
	}
	e, ok := parseEndpoint(t)
	e.key = v
	return e.String(), ok && e.resource != nil
}

// importID says what is wrong with the id or identity of an import block.
func (f frame) importID(ctx context.Context, block *tfconfig.ImportBlock) diag.List {
	expr, want := block.ID, cty.String
	if expr == nil {
		expr, want = block.Identity, cty.DynamicPseudoType
	}
	v, diags := f.eval(ctx, expr, want)
	if diags.HasErrors() {
		return diags
	}
	if len(gapsOf(v)) > 0 {
		return append(diags, unevaluatedImport(expr.Range()))
	}
	if why := unsuitableID(v); why != "" {
		diags = append(diags, invalidImportID(why, expr.Range()))
	}
	return diags
}

func unsuitableID(v cty.Value) string {
	switch {
	case tflang.Has(v, tflang.Sensitive), tflang.Has(v, tflang.Ephemeral):
		return "sensitive or ephemeral, and would show"
	case v.IsNull():
		return "null"
	case !v.IsWhollyKnown():
		return "known only after apply"
	}
	return ""
}

// checkImports reports import blocks in modules that are called.
func checkImports(tree *tfconfig.Tree) diag.List {
	var diags diag.List
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil || t.Call == nil {
			return
		}
		for _, block := range t.Module.Imports {
			diags = append(diags, importInModule(block.Range))
		}
	})
	return diags
}
