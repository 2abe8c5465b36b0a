package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// CheckWriteOnly reports every write-only attribute that has a value in v: a
// plan or state must not keep what is only ever sent.
func CheckWriteOnly(block *tfschema.Block, v cty.Value) diag.List {
	if !block.HasWriteOnly() { // as nearly always: v need not be looked through
		return nil
	}
	var diags diag.List
	blockWriteOnly(block, v, nil, func(path cty.Path) { diags = append(diags, writeOnlyKept(path)) })
	return diags
}

// blockWriteOnly visits the write-only attributes of v that are not null.
func blockWriteOnly(block *tfschema.Block, v cty.Value, path cty.Path, visit func(cty.Path)) {
	if absent(v) || !v.IsKnown() {
		return
	}
	attributesWriteOnly(block.Attributes, v, path, visit)
	for _, nested := range block.Blocks {
		eachNested(nested.Nesting, v.GetAttr(nested.Name), path, nested.Name, func(elem cty.Value, path cty.Path) {
			blockWriteOnly(nested.Block, elem, path, visit)
		})
	}
}

func attributesWriteOnly(attrs []*tfschema.Attribute, v cty.Value, path cty.Path, visit func(cty.Path)) {
	if absent(v) || !v.IsKnown() {
		return
	}
	for _, attr := range attrs {
		if !attr.WriteOnly && attr.Nested == nil {
			continue
		}
		val := v.GetAttr(attr.Name)
		switch {
		case val.IsNull():
		case attr.WriteOnly:
			visit(extend(path, attrStep(attr.Name)))
		default:
			eachNested(attr.Nested.Nesting, val, path, attr.Name, func(elem cty.Value, path cty.Path) {
				attributesWriteOnly(attr.Nested.Attributes, elem, path, visit)
			})
		}
	}
}

// eachNested calls f for each object of a nested block or attribute.
func eachNested(nesting tfschema.Nesting, v cty.Value, parent cty.Path, name string, f func(cty.Value, cty.Path)) {
	if absent(v) || !v.IsKnown() {
		return
	}
	path := extend(parent, attrStep(name))
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		f(v, path)
		return
	}
	for step, elem := range elements(v) {
		f(elem, extend(path, step))
	}
}
