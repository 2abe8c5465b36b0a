package tfverify

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// decode evaluates a body by a provider's schema. The value has the type that
// the schema implies, with marks.
func (f frame) decode(ctx context.Context, body hcl.Body, block *tfschema.Block, traversals []hcl.Traversal, bound []string, at hcl.Range) (v cty.Value, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			v, diags = cty.UnknownVal(block.ImpliedType()), append(diags, configPanic(at, r))
		}
	}()
	evalCtx, diags := f.context(ctx, traversals, bound)
	if diags.HasErrors() {
		return cty.UnknownVal(block.ImpliedType()), diags
	}
	written := nativeBlocks(body)
	// A body without blocks has no dynamic ones to expand.
	if _, native := body.(*hclsyntax.Body); !native || len(written) > 0 {
		body = dynblock.Expand(body, evalCtx)
	}
	v, hclDiags := hcldec.Decode(body, withAttributeBlocks(block, written).DecoderSpec(), evalCtx)
	return v, append(diags, tflang.FromHCL(hclDiags)...)
}

// nativeBlocks are the blocks written in native syntax in a body.
func nativeBlocks(body hcl.Body) []*hclsyntax.Block {
	switch b := body.(type) {
	case tflang.Layered:
		var out []*hclsyntax.Block
		for _, layer := range b.Layers() {
			out = append(out, nativeBlocks(layer)...)
		}
		return out
	case *hclsyntax.Body:
		return b.Blocks
	}
	return nil
}

// blocksOf are the bodies of the blocks of a type, those that dynamic blocks
// make included.
func blocksOf(blocks []*hclsyntax.Block, name string) (inner []*hclsyntax.Block, found bool) {
	for _, b := range blocks {
		switch {
		case b.Type == name:
			found = true
			inner = append(inner, b.Body.Blocks...)
		case b.Type == "dynamic" && len(b.Labels) == 1 && b.Labels[0] == name:
			found = true
			for _, content := range b.Body.Blocks {
				inner = append(inner, content.Body.Blocks...)
			}
		}
	}
	return inner, found
}

// withAttributeBlocks turns attributes that are lists or sets of objects into
// blocks where they are written as such: SDKv2 providers have attributes that
// keep the block syntax of old times.
func withAttributeBlocks(b *tfschema.Block, written []*hclsyntax.Block) *tfschema.Block {
	if len(written) == 0 {
		return b
	}
	out := &tfschema.Block{}
	for _, a := range b.Attributes {
		inner, found := blocksOf(written, a.Name)
		if nested := attributeBlock(a, inner); found && nested != nil {
			out.Blocks = append(out.Blocks, nested)
			continue
		}
		out.Attributes = append(out.Attributes, a)
	}
	for _, n := range b.Blocks {
		inner, _ := blocksOf(written, n.Name)
		clone := *n
		clone.Block = withAttributeBlocks(n.Block, inner)
		out.Blocks = append(out.Blocks, &clone)
	}
	slices.SortFunc(out.Blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// attributeBlock is an attribute seen as blocks, or nil where it cannot be.
func attributeBlock(a *tfschema.Attribute, inner []*hclsyntax.Block) *tfschema.NestedBlock {
	ty := a.Type
	if a.Nested != nil || !(ty.IsListType() || ty.IsSetType()) || !ty.ElementType().IsObjectType() {
		return nil
	}
	block := &tfschema.Block{}
	types := ty.ElementType().AttributeTypes()
	for _, name := range sortedKeys(types) {
		block.Attributes = append(block.Attributes, &tfschema.Attribute{Name: name, Type: types[name], Optional: true})
	}
	nesting := tfschema.NestingList
	if ty.IsSetType() {
		nesting = tfschema.NestingSet
	}
	return &tfschema.NestedBlock{Name: a.Name, Nesting: nesting, Block: withAttributeBlocks(block, inner)}
}
