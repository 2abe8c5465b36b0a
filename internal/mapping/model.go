// Package mapping is the crossing between the two banks: what a Terraform
// provider has, in Pulumi's names, tokens and types.
//
// The taxonomy: a [Package] stands for one provider and names everything in
// it at once, from the names alone. A [Resource] or [Function] is built from
// one type's schema, on first use. Both hold [Object]s; an Object has one
// [Property] for each attribute or block; a Property has a [Type].
//
// Tokens and names are those of Pulumi's own bridge, so that SDKs and stacks
// made with it keep working (pulumi-terraform-bridge 59de6c6: dynamic,
// pkg/tfbridge/tokens, pkg/tfbridge/internal/naming). Where that bridge gives
// up, such as at two properties of one name, the rules go on here and say so.
//
// Subpackages read this model: pkgschema writes the Pulumi package schema,
// translate carries values and paths across, rawstate keeps what Terraform
// needs beside the outputs, mapjson writes the mapping for converters.
package mapping

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Kind is what a [Type] is on Pulumi's bank.
type Kind uint8

// The kinds. KindAny is Terraform's dynamic type. Lists, sets and tuples are
// arrays; an object has named properties and a map has free keys.
const (
	KindString Kind = iota + 1
	KindNumber
	KindBool
	KindAny
	KindArray
	KindMap
	KindObject
)

// Type is the type of a property in both banks.
type Type struct {
	Kind Kind
	// Terraform is the type of the value as Terraform has it. Where Flat,
	// it is the collection, and the Pulumi value is its only element. Where
	// it is dynamic and Kind is KindArray or KindMap, Terraform has a tuple
	// or an object, since the elements may differ in type: blocks with a
	// dynamic attribute inside, and a dynamic variadic parameter.
	Terraform cty.Type
	// Elem is the element type of an array or a map.
	Elem *Type
	// Elems are the element types of a tuple, in order, whose Elem is nil.
	Elems []*Type
	// Object describes the properties where Kind is KindObject.
	Object *Object
	// Flat says that Terraform has a list or set of at most one here, and
	// Pulumi the element itself or nothing.
	Flat bool
}

// Property is an attribute or a block under both of its names.
type Property struct {
	Name      string // Pulumi's
	Terraform string
	Type      *Type

	// Required, Optional and Computed are as in Terraform's schema; a block
	// is required where it has a minimum, and optional otherwise.
	Required, Optional, Computed bool
	// Block says that Terraform has a block here and no attribute: it is
	// empty rather than null where there is none.
	Block bool
	// Nesting is the nesting of a block, or of an attribute's nested object;
	// zero otherwise.
	Nesting  tfschema.Nesting
	Min, Max int64 // of a block; Max 0 is no bound
	// Secret values are sensitive in Terraform. WriteOnly ones are never in
	// the state, and secret as well.
	Secret, WriteOnly bool
	// Autonamed says that, where a program gives no value, the bridge makes
	// one from the resource's name: the input "name" of a resource.
	Autonamed bool

	Description string
	// Deprecated says why not to use it; "" where it is not deprecated.
	Deprecated string
}

// Input reports whether a program may set p.
func (p *Property) Input() bool { return p.Required || p.Optional }

// Object is a set of properties, in the order of their Terraform names; the
// arguments of a provider-defined function are in its order.
type Object struct {
	// TypeName is the last part of the nested type's token, such as
	// "InstanceDisk"; "" for the object of a resource or function itself.
	// Two objects may ask for one name; pkgschema tells them apart.
	TypeName   string
	Properties []*Property
	// Terraform is the object type in Terraform.
	Terraform cty.Type

	// The same properties, sorted by either name.
	byName, byTerraform []*Property
}

// Resource maps a managed resource type, or the provider's configuration.
type Resource struct {
	Terraform string // the type's name; "" for the provider's configuration
	Token     string
	Schema    *tfschema.Schema
	Identity  *tfschema.Identity // nil where the type has none
	// Object has every property of Schema, also the one behind the ID.
	Object *Object
	ID     ID
	// List is the query of the list resource of the same name; nil where
	// the type cannot be listed.
	List *Object
}

// ID says where a resource's Pulumi ID comes from.
type ID struct {
	// Attribute is the Terraform attribute, "id", or "" where there is none
	// of a primitive type and the ID is the constant [MissingID]. So it is
	// where the value is null.
	Attribute string
	// Property is the Pulumi property of that attribute: "id" where it is
	// the ID and nothing else, which programs see as the resource's ID and
	// the schema leaves out; another name where they see it besides.
	Property string
}

// MissingID is the Pulumi ID of a resource whose type has no id.
const MissingID = "missing ID"

// FunctionKind is what stands behind a Pulumi function.
type FunctionKind uint8

// The kinds of functions.
const (
	FunctionDataSource FunctionKind = iota + 1
	FunctionProvider
	FunctionEphemeral
)

// Function maps a data source, a provider-defined function or an ephemeral
// resource type.
type Function struct {
	Kind      FunctionKind
	Terraform string
	Token     string
	// Schema is nil for a provider-defined function, Signature for the others.
	Schema    *tfschema.Schema
	Signature *tfschema.Function
	// Inputs and Outputs are one Object for what has a Schema. The inputs of
	// a provider-defined function are its parameters in order, a variadic
	// one last as an array; there, Terraform's name of a property is its
	// Pulumi name, since parameters have no name on the wire.
	Inputs, Outputs *Object
	// Wrapped says that a provider-defined function's result stands under
	// "result", since it is no object.
	Wrapped bool
}
