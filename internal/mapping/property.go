package mapping

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// deprecatedWithoutReason is what a property's deprecation says where the provider gives no
// reason.
const deprecatedWithoutReason = "Deprecated"

// attributeProperty maps an attribute, up to its Pulumi name.
func attributeProperty(a *tfschema.Attribute) *Property {
	p := &Property{
		Terraform: a.Name,
		Required:  a.Required, Optional: a.Optional, Computed: a.Computed,
		Secret: a.Sensitive || a.WriteOnly, WriteOnly: a.WriteOnly,
		Description: a.Description, Deprecated: deprecation(a.Deprecated, a.DeprecationMessage),
	}
	if a.Nested == nil {
		p.Type = attributeType(a.Type)
		return p
	}
	p.Nesting = a.Nested.Nesting
	p.Type = nestedType(a.Nested, a.Type)
	return p
}

// nestedType is the type of an attribute with nested objects, which stay in
// their collection even where there is only ever one: the schema cannot say.
func nestedType(o *tfschema.Object, terraform cty.Type) *Type {
	elem := terraform
	if terraform.IsCollectionType() {
		elem = terraform.ElementType()
	}
	properties := make([]*Property, len(o.Attributes))
	for i, a := range o.Attributes {
		properties[i] = attributeProperty(a)
	}
	object := newObject(properties, nil)
	object.Terraform = elem
	return collection(o.Nesting, terraform, &Type{Kind: KindObject, Terraform: elem, Object: object})
}

// blockProperty maps a block, up to its Pulumi name. terraform is the type of
// its value, all of its blocks together.
func blockProperty(n *tfschema.NestedBlock, terraform cty.Type) *Property {
	object := blockObject(n.Block, nil)
	elem := &Type{Kind: KindObject, Terraform: object.Terraform, Object: object}
	p := &Property{
		Terraform: n.Name,
		Required:  n.Min > 0, Optional: n.Min == 0,
		Block: true, Nesting: n.Nesting, Min: n.Min, Max: n.Max,
		Description: n.Block.Description, Deprecated: deprecation(n.Block.Deprecated, n.Block.DeprecationMessage),
	}
	if n.Max == 1 && (n.Nesting == tfschema.NestingList || n.Nesting == tfschema.NestingSet) {
		p.Type = &Type{Kind: KindObject, Terraform: terraform, Object: object, Flat: true}
		return p
	}
	p.Type = collection(n.Nesting, terraform, elem)
	return p
}

func deprecation(deprecated bool, message string) string {
	if deprecated && message == "" {
		return deprecatedWithoutReason
	}
	return message
}
