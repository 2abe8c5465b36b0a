// Package tfschema is a Terraform provider's schema in protocol-neutral
// form. It knows nothing of the wire: a [Decoder] brings one type at a time.
//
// The taxonomy: a [Schema] is a version and a [Block]; a Block has
// [Attribute]s and [NestedBlock]s; an Attribute may have a nested [Object]
// instead of an opaque type.
package tfschema

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"
)

// Nesting is how many of a nested object there are, and how they are kept.
type Nesting uint8

// The nesting modes. Group is for blocks only: a single one, never null.
const (
	NestingSingle Nesting = iota + 1
	NestingGroup
	NestingList
	NestingSet
	NestingMap
)

// Schema describes a resource type, data source, or provider configuration.
type Schema struct {
	Version int64
	Block   *Block
}

// Block is the body of a block. Attributes and Blocks are sorted by name and
// must not change after the first use of any method.
type Block struct {
	Attributes []*Attribute
	Blocks     []*NestedBlock

	Description string
	Markdown    bool // what Description is written in
	Deprecated  bool
	// DeprecationMessage says what to use instead; it may be "".
	DeprecationMessage string

	typeOnce sync.Once
	typ      cty.Type
	specOnce sync.Once
	spec     hcldec.ObjectSpec
}

// Attribute is one argument or exported value. Type is always set, also
// where Nested describes its objects.
type Attribute struct {
	Name   string
	Type   cty.Type
	Nested *Object

	Required, Optional, Computed bool
	Sensitive, WriteOnly         bool

	Description string
	Markdown    bool // what Description is written in
	Deprecated  bool
	// DeprecationMessage says what to use instead; it may be "".
	DeprecationMessage string
}

// Object describes the objects of a nested attribute. Attributes are sorted
// by name.
type Object struct {
	Nesting    Nesting
	Attributes []*Attribute
}

// NestedBlock is a block inside a block. Min and Max bound how many there
// are; Max 0 is no bound.
type NestedBlock struct {
	Name     string
	Nesting  Nesting
	Min, Max int64
	Block    *Block
}

// Identity describes a resource identity: an object of flat attributes.
type Identity struct {
	Version    int64
	Attributes []*IdentityAttribute
}

// IdentityAttribute is one part of an identity.
type IdentityAttribute struct {
	Name              string
	Type              cty.Type
	RequiredForImport bool
	OptionalForImport bool
	Description       string
}

// Function is the signature of a provider-defined function.
type Function struct {
	Name        string
	Parameters  []*Parameter
	Variadic    *Parameter
	Return      cty.Type
	Summary     string
	Description string
	Deprecated  string
}

// Parameter is one parameter of a [Function].
type Parameter struct {
	Name         string
	Type         cty.Type
	AllowNull    bool
	AllowUnknown bool
	Description  string
}

// Configurable reports whether configuration may set a.
func (a *Attribute) Configurable() bool { return a.Required || a.Optional }

// HasWriteOnly reports whether anything in b is write-only.
func (b *Block) HasWriteOnly() bool {
	return hasWriteOnly(b.Attributes) ||
		slices.ContainsFunc(b.Blocks, func(n *NestedBlock) bool { return n.Block.HasWriteOnly() })
}

func hasWriteOnly(attributes []*Attribute) bool {
	return slices.ContainsFunc(attributes, func(a *Attribute) bool {
		return a.WriteOnly || a.Nested != nil && hasWriteOnly(a.Nested.Attributes)
	})
}

// Attribute returns the attribute called name, or nil.
func (b *Block) Attribute(name string) *Attribute { return findAttribute(b.Attributes, name) }

// Attribute returns the attribute called name, or nil.
func (o *Object) Attribute(name string) *Attribute { return findAttribute(o.Attributes, name) }

func findAttribute(sorted []*Attribute, name string) *Attribute {
	i, ok := slices.BinarySearchFunc(sorted, name, func(a *Attribute, name string) int { return strings.Compare(a.Name, name) })
	if !ok {
		return nil
	}
	return sorted[i]
}

// NestedBlock returns the block type called name, or nil.
func (b *Block) NestedBlock(name string) *NestedBlock {
	i, ok := slices.BinarySearchFunc(b.Blocks, name, func(n *NestedBlock, name string) int { return strings.Compare(n.Name, name) })
	if !ok {
		return nil
	}
	return b.Blocks[i]
}

// Type is the object type of the identity.
func (i *Identity) Type() cty.Type {
	attrs := make(map[string]cty.Type, len(i.Attributes))
	for _, a := range i.Attributes {
		attrs[a.Name] = a.Type
	}
	return cty.Object(attrs)
}
