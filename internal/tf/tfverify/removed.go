package tfverify

import (
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// checkRemoved reports removed blocks for what is configured still, or for what
// cannot be removed, and what is wrong with their provisioners.
func checkRemoved(tree *tfconfig.Tree) diag.List {
	var diags diag.List
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, block := range t.Module.Removed {
			diags = append(diags, removedProvisioners(block)...)
			e, ok := parseEndpoint(block.From)
			switch {
			case !ok:
				diags = append(diags, removedAddress(block.Range))
			case declares(t, e):
				diags = append(diags, removedStillExists(node(t, e.static()), block.Range))
			}
		}
	})
	return diags
}

// removedProvisioners: they run on destroy, when only the object is left.
func removedProvisioners(block *tfconfig.RemovedBlock) diag.List {
	var diags diag.List
	e, ok := parseEndpoint(block.From)
	for _, p := range block.Provisioners {
		if !p.OnDestroy || ok && e.resource == nil {
			diags = append(diags, removedOnCreate(p.Range))
			continue
		}
		refs, faults := tflang.References(provisionerTraversals(&tfconfig.ResourceBlock{}, p))
		diags = append(diags, faults...)
		for _, ref := range refs {
			if !staysOnDestroy(ref) {
				diags = append(diags, goneOnDestroy(ref.String(), ref.Range))
			}
		}
	}
	return diags
}

// declares reports whether the configuration below t has a block for e.
func declares(t *tfconfig.Tree, e endpoint) bool {
	for _, step := range e.modules {
		if t = t.Children[step.name]; t == nil || t.Module == nil {
			return t != nil && e.resource == nil
		}
	}
	return e.resource == nil || t.Module.Resources[*e.resource] != nil
}
