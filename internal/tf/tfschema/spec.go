package tfschema

import (
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"
)

// DecoderSpec says in hcldec's terms how configuration of b is written. What
// it decodes has b's implied type. It must not be changed. Safe for concurrent
// use; computed once.
func (b *Block) DecoderSpec() hcldec.ObjectSpec {
	b.specOnce.Do(func() { b.spec = b.decoderSpec() })
	return b.spec
}

func (b *Block) decoderSpec() hcldec.ObjectSpec {
	spec := make(hcldec.ObjectSpec, len(b.Attributes)+len(b.Blocks))
	for _, a := range b.Attributes {
		spec[a.Name] = &hcldec.AttrSpec{Name: a.Name, Type: a.writtenType(), Required: a.Required}
	}
	for _, n := range b.Blocks {
		spec[n.Name] = n.decoderSpec()
	}
	return spec
}

// writtenType is the type that configuration converts to: that of the
// attribute, but what is optional in nested objects may be left out.
func (a *Attribute) writtenType() cty.Type {
	if a.Nested == nil || a.Type == cty.DynamicPseudoType {
		return a.Type
	}
	attrs := make(map[string]cty.Type, len(a.Nested.Attributes))
	var optional []string
	for _, inner := range a.Nested.Attributes {
		attrs[inner.Name] = inner.writtenType()
		if !inner.Required {
			optional = append(optional, inner.Name)
		}
	}
	object := cty.ObjectWithOptionalAttrs(attrs, optional)
	switch a.Nested.Nesting {
	case NestingList:
		return cty.List(object)
	case NestingSet:
		return cty.Set(object)
	case NestingMap:
		return cty.Map(object)
	default:
		return object
	}
}

func (n *NestedBlock) decoderSpec() hcldec.Spec {
	inner := n.Block.DecoderSpec()
	least, most := int(n.Min), int(n.Max)
	dynamic := n.Block.ImpliedType().HasDynamicTypes()
	switch {
	case n.Nesting == NestingGroup:
		return &hcldec.DefaultSpec{
			Primary: &hcldec.BlockSpec{TypeName: n.Name, Nested: inner, Required: least > 0},
			Default: &hcldec.LiteralSpec{Value: n.Block.EmptyValue()},
		}
	case n.Nesting == NestingList && dynamic:
		return &hcldec.BlockTupleSpec{TypeName: n.Name, Nested: inner, MinItems: least, MaxItems: most}
	case n.Nesting == NestingList:
		return &hcldec.BlockListSpec{TypeName: n.Name, Nested: inner, MinItems: least, MaxItems: most}
	case n.Nesting == NestingSet:
		return &hcldec.BlockSetSpec{TypeName: n.Name, Nested: inner, MinItems: least, MaxItems: most}
	case n.Nesting == NestingMap && dynamic:
		return &hcldec.BlockObjectSpec{TypeName: n.Name, LabelNames: []string{"key"}, Nested: inner}
	case n.Nesting == NestingMap:
		return &hcldec.BlockMapSpec{TypeName: n.Name, LabelNames: []string{"key"}, Nested: inner}
	default:
		return &hcldec.BlockSpec{TypeName: n.Name, Nested: inner, Required: least > 0}
	}
}
