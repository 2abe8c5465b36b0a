package tfverify

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// ephemeralKept reports the ephemeral values in a configuration: only
// write-only attributes may have such.
func ephemeralKept(block *tfschema.Block, config cty.Value, at hcl.Range) diag.List {
	if !ctyx.Marked(config) {
		return nil
	}
	var diags diag.List
	_, found := config.UnmarkDeepWithPaths()
	for _, pvm := range found {
		if _, ok := pvm.Marks[tflang.Ephemeral]; ok && !writeOnlyAt(block, pvm.Path) {
			diags = append(diags, ephemeralArgument(ctyx.PathString(pvm.Path), at))
		}
	}
	return diags
}

// writeOnlyAt reports whether what is at a path, or around it, is a
// write-only attribute.
func writeOnlyAt(block *tfschema.Block, path cty.Path) bool {
	for n, step := range path {
		name, ok := step.(cty.GetAttrStep)
		if !ok {
			continue // into a list, set or map of blocks
		}
		if a := block.Attribute(name.Name); a != nil {
			return writeOnlyWithin(a, path[n+1:])
		}
		nested := block.NestedBlock(name.Name)
		if nested == nil {
			return false
		}
		block = nested.Block
	}
	return false
}

func writeOnlyWithin(a *tfschema.Attribute, path cty.Path) bool {
	for _, step := range path {
		name, ok := step.(cty.GetAttrStep)
		if a.WriteOnly || a.Nested == nil {
			break
		}
		if !ok {
			continue
		}
		if a = a.Nested.Attribute(name.Name); a == nil {
			return false
		}
	}
	return a.WriteOnly
}
