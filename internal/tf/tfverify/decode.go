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
func (f frame) decode(ctx context.Context, body hcl.Body, block *tfschema.Block, uses used, at hcl.Range) (v cty.Value, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			v, diags = cty.UnknownVal(block.ImpliedType()), append(diags, configPanic(at, r))
		}
	}()
	asBlocks := attributeBlocks{}
	native, isNative := body.(*hclsyntax.Body)
	plain := isNative && len(native.Blocks) == 0
	if !plain {
		block = asBlocks.within(block, []hcl.Body{body}, "")
	}
	spec := block.DecoderSpec()
	if !isNative || len(uses.bound) > 0 {
		// Only the schema tells which names a dynamic block binds, and where.
		uses = used{traversals: dynblock.VariablesHCLDec(body, spec)}
	}
	evalCtx, diags := f.context(ctx, uses)
	if diags.HasErrors() {
		return cty.UnknownVal(block.ImpliedType()), diags
	}
	if !plain {
		body = dynblock.Expand(body, evalCtx)
	}
	v, hclDiags := hcldec.Decode(body, spec, evalCtx)
	return asBlocks.unset(v), append(diags, tflang.FromHCL(hclDiags)...)
}

// attributeBlocks are the attributes that are written as blocks, by name
// behind those of the blocks around it: SDKv2 providers have attributes that
// are lists or sets of objects and keep the block syntax of old times.
type attributeBlocks map[string]bool

// within turns such attributes of a block with these bodies into blocks,
// unless one of them has the attribute as such.
func (found attributeBlocks) within(b *tfschema.Block, bodies []hcl.Body, path string) *tfschema.Block {
	if len(bodies) == 0 {
		return b
	}
	attributes, blocks := written(b, bodies)
	out, same := &tfschema.Block{}, true
	for _, a := range b.Attributes {
		inner, isBlock := blocks[a.Name]
		if !isBlock || attributes[a.Name] || !mayBeBlocks(a) {
			out.Attributes = append(out.Attributes, a)
			continue
		}
		found[path+a.Name], same = true, false
		nested := asBlock(a)
		nested.Block = found.within(nested.Block, inner, path+a.Name+".")
		out.Blocks = append(out.Blocks, nested)
	}
	for _, n := range b.Blocks {
		clone := *n
		clone.Block = found.within(n.Block, blocks[n.Name], path+n.Name+".")
		same = same && clone.Block == n.Block
		out.Blocks = append(out.Blocks, &clone)
	}
	if same { // it has what decodes it
		return b
	}
	slices.SortFunc(out.Blocks, func(a, b *tfschema.NestedBlock) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// unset makes null of those of which no block was made: they are attributes
// that are not set.
func (found attributeBlocks) unset(v cty.Value) cty.Value {
	if len(found) == 0 {
		return v
	}
	out, err := cty.Transform(v, func(path cty.Path, v cty.Value) (cty.Value, error) {
		if found[attributeNames(path)] && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.LengthInt() == 0 {
			return cty.NullVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err) // the function gives none
	}
	return out
}

// attributeNames are those of a path, without the indexes between.
func attributeNames(path cty.Path) string {
	var names []string
	for _, step := range path {
		if attr, ok := step.(cty.GetAttrStep); ok {
			names = append(names, attr.Name)
		}
	}
	return strings.Join(names, ".")
}

// written finds the attributes of bodies that might be blocks, and the bodies
// of blocks by type. JSON answers yes to both.
func written(b *tfschema.Block, bodies []hcl.Body) (attributes map[string]bool, blocks map[string][]hcl.Body) {
	asAttributes, asBlocks := &hcl.BodySchema{}, &hcl.BodySchema{}
	for _, a := range b.Attributes {
		if mayBeBlocks(a) {
			asAttributes.Attributes = append(asAttributes.Attributes, hcl.AttributeSchema{Name: a.Name})
			asBlocks.Blocks = append(asBlocks.Blocks, hcl.BlockHeaderSchema{Type: a.Name})
		}
	}
	for _, n := range b.Blocks {
		header := hcl.BlockHeaderSchema{Type: n.Name}
		if n.Nesting == tfschema.NestingMap {
			header.LabelNames = []string{"key"}
		}
		asBlocks.Blocks = append(asBlocks.Blocks, header)
	}
	asBlocks.Blocks = append(asBlocks.Blocks, hcl.BlockHeaderSchema{Type: "dynamic", LabelNames: []string{"type"}})
	attributes, blocks = map[string]bool{}, map[string][]hcl.Body{}
	for _, body := range bodies { // what is wrong with them, decoding says
		content, _, _ := body.PartialContent(asAttributes)
		for name := range content.Attributes {
			attributes[name] = true
		}
		content, _, _ = body.PartialContent(asBlocks)
		for _, block := range content.Blocks {
			name, inner := bodiesMade(block)
			blocks[name] = append(blocks[name], inner...)
		}
	}
	return attributes, blocks
}

// bodiesMade are the bodies of what a block makes, and its type: its own body,
// or what a dynamic one has as its content.
func bodiesMade(block *hcl.Block) (name string, bodies []hcl.Body) {
	if block.Type != "dynamic" {
		return block.Type, []hcl.Body{block.Body}
	}
	content, _, _ := block.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "content"}}})
	for _, c := range content.Blocks {
		bodies = append(bodies, c.Body)
	}
	return block.Labels[0], bodies
}

// mayBeBlocks says that an attribute may be written as blocks.
func mayBeBlocks(a *tfschema.Attribute) bool {
	ty := a.Type
	return a.Nested == nil && (ty.IsListType() || ty.IsSetType()) && ty.ElementType().IsObjectType()
}

// asBlock is such an attribute seen as blocks.
func asBlock(a *tfschema.Attribute) *tfschema.NestedBlock {
	block := &tfschema.Block{}
	types := a.Type.ElementType().AttributeTypes()
	for _, name := range sortedKeys(types) {
		block.Attributes = append(block.Attributes, &tfschema.Attribute{Name: name, Type: types[name], Optional: true})
	}
	nesting := tfschema.NestingList
	if a.Type.IsSetType() {
		nesting = tfschema.NestingSet
	}
	return &tfschema.NestedBlock{Name: a.Name, Nesting: nesting, Block: block}
}
