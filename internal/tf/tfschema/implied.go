package tfschema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// ImpliedType is the cty object type of values under b, as the provider
// protocol encodes them. A list or map of blocks whose type holds a dynamic
// attribute is a tuple or object to the protocol, so its type is dynamic
// here. Safe for concurrent use; computed once.
func (b *Block) ImpliedType() cty.Type {
	b.typeOnce.Do(func() { b.typ = b.impliedType() })
	return b.typ
}

func (b *Block) impliedType() cty.Type {
	attrs := make(map[string]cty.Type, len(b.Attributes)+len(b.Blocks))
	for _, a := range b.Attributes {
		attrs[a.Name] = a.Type
	}
	for _, n := range b.Blocks {
		attrs[n.Name] = n.impliedType()
	}
	return cty.Object(attrs)
}

// HasDynamicTypes reports whether b's implied type has a dynamic one in it.
// It makes no type.
func (b *Block) HasDynamicTypes() bool {
	return HasDynamicTypes(b.Attributes) ||
		slices.ContainsFunc(b.Blocks, func(n *NestedBlock) bool { return n.Block.HasDynamicTypes() })
}

// HasDynamicTypes reports whether a type of attributes has a dynamic one in it.
func HasDynamicTypes(attributes []*Attribute) bool {
	return slices.ContainsFunc(attributes, func(a *Attribute) bool { return a.Type.HasDynamicTypes() })
}

func (n *NestedBlock) impliedType() cty.Type {
	return n.Nesting.collection(n.Block.ImpliedType())
}

// ImpliedType is the cty type of the whole attribute value: the object
// type inside the collection that the nesting mode says.
func (o *Object) ImpliedType() cty.Type {
	attrs := make(map[string]cty.Type, len(o.Attributes))
	for _, a := range o.Attributes {
		attrs[a.Name] = a.Type
	}
	elem := cty.Object(attrs)
	switch o.Nesting { // dynamic types inside change nothing here, unlike in blocks
	case NestingList:
		return cty.List(elem)
	case NestingSet:
		return cty.Set(elem)
	case NestingMap:
		return cty.Map(elem)
	default:
		return elem
	}
}

func (n Nesting) collection(elem cty.Type) cty.Type {
	dynamic := elem.HasDynamicTypes()
	switch {
	case n == NestingSet:
		return cty.Set(elem)
	case (n == NestingList || n == NestingMap) && dynamic:
		return cty.DynamicPseudoType
	case n == NestingList:
		return cty.List(elem)
	case n == NestingMap:
		return cty.Map(elem)
	default:
		return elem
	}
}

// EmptyValue is the value of the block when nothing is written in it: null
// attributes, and what its nested blocks are when absent.
func (b *Block) EmptyValue() cty.Value {
	vals := make(map[string]cty.Value, len(b.Attributes)+len(b.Blocks))
	for _, a := range b.Attributes {
		vals[a.Name] = cty.NullVal(a.Type)
	}
	for _, n := range b.Blocks {
		vals[n.Name] = n.EmptyValue()
	}
	return cty.ObjectVal(vals)
}

// EmptyValue is what a block type's value is when no such block is written:
// a null object (Single), the empty block (Group), or an empty collection.
func (n *NestedBlock) EmptyValue() cty.Value {
	elem := n.Block.ImpliedType()
	switch n.Nesting {
	case NestingGroup:
		return n.Block.EmptyValue()
	case NestingList:
		if elem.HasDynamicTypes() {
			return cty.EmptyTupleVal
		}
		return cty.ListValEmpty(elem)
	case NestingSet:
		return cty.SetValEmpty(elem)
	case NestingMap:
		if elem.HasDynamicTypes() {
			return cty.EmptyObjectVal
		}
		return cty.MapValEmpty(elem)
	default:
		return cty.NullVal(elem)
	}
}
