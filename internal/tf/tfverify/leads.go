package tfverify

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// leadsTo is where an expression leads whose keys may be expressions, which key
// gives the values of. It is false where it leads nowhere, or a key has none.
func leadsTo(expr hcl.Expression, key func(hcl.Expression) (cty.Value, bool)) (hcl.Traversal, bool) {
	switch e := expr.(type) {
	case *hclsyntax.RelativeTraversalExpr:
		t, ok := leadsTo(e.Source, key)
		if !ok {
			return nil, false
		}
		return slices.Concat(t, e.Traversal), true
	case *hclsyntax.IndexExpr:
		t, ok := leadsTo(e.Collection, key)
		if !ok {
			return nil, false
		}
		value, ok := key(e.Key)
		return slices.Concat(t, hcl.Traversal{hcl.TraverseIndex{Key: value, SrcRange: e.Key.Range()}}), ok
	}
	t, diags := hcl.AbsTraversalForExpr(expr)
	return t, !diags.HasErrors()
}

// traversal evaluates the keys in an expression that leads somewhere.
func (f frame) traversal(ctx context.Context, expr hcl.Expression) (hcl.Traversal, bool) {
	return leadsTo(expr, func(expr hcl.Expression) (cty.Value, bool) {
		key, diags := f.eval(ctx, expr, cty.DynamicPseudoType)
		return key, !diags.HasErrors() && !key.ContainsMarked() && key.IsKnown() && !key.IsNull()
	})
}

// leadsAnyKey is where an expression leads whatever its keys are, and what those
// use.
func leadsAnyKey(expr hcl.Expression) (path hcl.Traversal, keys []hcl.Traversal) {
	path, _ = leadsTo(expr, func(key hcl.Expression) (cty.Value, bool) { // what is wrong with it, its evaluation says
		keys = append(keys, key.Variables()...)
		return cty.DynamicVal, true
	})
	return path, keys
}
