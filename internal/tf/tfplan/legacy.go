package tfplan

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// NormalizeLegacy brings what a provider read to the form that configuration
// has: nested blocks are never null or unknown, since the legacy SDK uses
// null and empty alike for "no block". Terraform does this to the result of
// every ReadResource, whatever the SDK. Attributes are left alone. Where
// nothing needs to change v itself comes back.
//
// Source: OpenTofu 1.12.6, objchange.NormalizeObjectFromLegacySDK.
func NormalizeLegacy(block *tfschema.Block, v cty.Value) cty.Value {
	if absent(v) {
		return cty.NullVal(block.ImpliedType())
	}
	out, _ := normalizeBlock(block, v)
	return out
}

// normalizeBlock also reports whether it changed anything, so that the usual
// value is not copied.
func normalizeBlock(block *tfschema.Block, v cty.Value) (cty.Value, bool) {
	if v.IsNull() || !v.IsKnown() || len(block.Blocks) == 0 {
		return v, false
	}
	var vals map[string]cty.Value
	for _, nested := range block.Blocks {
		val, changed := normalizeNested(nested, v.GetAttr(nested.Name))
		if !changed {
			continue
		}
		if vals == nil {
			vals = v.AsValueMap()
		}
		vals[nested.Name] = val
	}
	if vals == nil {
		return v, false
	}
	return cty.ObjectVal(vals), true
}

func normalizeNested(nested *tfschema.NestedBlock, v cty.Value) (cty.Value, bool) {
	if nested.Block.ImpliedType().HasDynamicTypes() || nested.Nesting == tfschema.NestingMap {
		return v, false // beyond the legacy SDK
	}
	switch {
	case !v.IsKnown():
		return wrapBlocks(nested.Nesting, []cty.Value{unknownBlock(nested.Block)}), true
	case v.IsNull() && nested.Nesting != tfschema.NestingSingle:
		return nested.EmptyValue(), true
	case nested.Nesting == tfschema.NestingSingle || nested.Nesting == tfschema.NestingGroup:
		return normalizeBlock(nested.Block, v)
	}
	return normalizeElements(nested, v)
}

func normalizeElements(nested *tfschema.NestedBlock, v cty.Value) (cty.Value, bool) {
	if len(nested.Block.Blocks) == 0 || v.LengthInt() == 0 {
		return v, false
	}
	vals := make([]cty.Value, 0, v.LengthInt())
	anyChanged := false
	for _, elem := range elements(v) {
		val, changed := normalizeBlock(nested.Block, elem)
		vals = append(vals, val)
		anyChanged = anyChanged || changed
	}
	if !anyChanged {
		return v, false
	}
	return wrapBlocks(nested.Nesting, vals), true
}

// wrapBlocks puts blocks, one at least, in the collection of their nesting.
func wrapBlocks(nesting tfschema.Nesting, vals []cty.Value) cty.Value {
	switch nesting {
	case tfschema.NestingList:
		return cty.ListVal(vals)
	case tfschema.NestingSet:
		return cty.SetVal(vals)
	default:
		return vals[0]
	}
}

// unknownBlock stands for blocks of unknown number: one block whose
// attributes are all unknown, as a dynamic block over an unknown collection
// is shown.
func unknownBlock(block *tfschema.Block) cty.Value {
	vals := make(map[string]cty.Value, len(block.Attributes)+len(block.Blocks))
	for _, attr := range block.Attributes {
		vals[attr.Name] = cty.UnknownVal(attr.Type)
	}
	for _, nested := range block.Blocks {
		if nested.Nesting == tfschema.NestingMap {
			vals[nested.Name] = nested.EmptyValue()
			continue
		}
		vals[nested.Name] = wrapBlocks(nested.Nesting, []cty.Value{unknownBlock(nested.Block)})
	}
	return cty.ObjectVal(vals)
}
