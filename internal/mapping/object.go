package mapping

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// NewObject maps a block. Nested types are named after typeNamePrefix and the
// property that has them: the token's last part, such as "Instance", gives
// "InstanceDisk".
func NewObject(block *tfschema.Block, typeNamePrefix string) *Object {
	o := blockObject(block, nil)
	o.nameTypes(typeNamePrefix, nestedTypeName)
	return o
}

// blockObject maps a block whose nested types have no names yet. Attributes
// in given, by their Terraform names, get the Pulumi names there.
func blockObject(block *tfschema.Block, given map[string]string) *Object {
	terraform := block.ImpliedType()
	properties := make([]*Property, 0, len(block.Attributes)+len(block.Blocks))
	for _, a := range block.Attributes {
		properties = append(properties, attributeProperty(a))
	}
	for _, n := range block.Blocks {
		properties = append(properties, blockProperty(n, terraform.AttributeType(n.Name)))
	}
	slices.SortFunc(properties, compareTerraform)
	o := newObject(properties, given)
	o.Terraform = terraform
	return o
}

// newObject names properties, in their order, and indexes them.
func newObject(properties []*Property, given map[string]string) *Object {
	o := &Object{Properties: properties, byTerraform: properties}
	if !slices.IsSortedFunc(properties, compareTerraform) {
		o.byTerraform = slices.SortedFunc(slices.Values(properties), compareTerraform)
	}
	o.nameProperties(given)
	o.byName = slices.SortedFunc(slices.Values(properties), compareName)
	return o
}

func compareTerraform(a, b *Property) int { return strings.Compare(a.Terraform, b.Terraform) }
func compareName(a, b *Property) int      { return strings.Compare(a.Name, b.Name) }

// nameProperties gives every property a name of its own. Where two want the
// same, the last in Terraform's order gets it, since that is the one that
// Pulumi's own bridge shows; the others are numbered from 2.
func (o *Object) nameProperties(given map[string]string) {
	taken := make(map[string]bool, len(o.Properties))
	for _, p := range slices.Backward(o.byTerraform) {
		name, ok := given[p.Terraform]
		switch {
		case ok:
		case p.Terraform == reservedName:
			name = replacedName
		default:
			name = o.RuleName(p)
		}
		p.Name = firstFree(name, func(n string) bool { return taken[n] })
		taken[p.Name] = true
	}
}

// RuleName is the Pulumi name that p, one of o's, has by the rule alone: in
// camel case, and in the plural where it is a list. p has another where that
// is a reserved one or another property's.
func (o *Object) RuleName(p *Property) string {
	return propertyName(p.Terraform, p.Type.list(), func(name string) bool { return o.FromTerraform(name) != nil })
}

// nameTypes names the types nested in o: join has the name of a property's
// type inside the type called prefix.
func (o *Object) nameTypes(prefix string, join joinNames) {
	for _, p := range o.Properties {
		for inner := range p.Type.Objects() {
			inner.nameType(join(prefix, p), join)
		}
	}
}

func (o *Object) nameType(name string, join joinNames) {
	o.TypeName = tokenName(name)
	o.nameTypes(o.TypeName, join)
}

// joinNames names the type of a property inside the type called prefix.
type joinNames func(prefix string, p *Property) string

func nestedTypeName(prefix string, p *Property) string {
	return typeName(prefix, p.Name, p.Type.list())
}

// ByName lists the properties in the order of their Pulumi names. It is not
// to be changed.
func (o *Object) ByName() []*Property { return o.byName }

// Property returns the property with a Pulumi name, or nil.
func (o *Object) Property(name string) *Property {
	i, ok := slices.BinarySearchFunc(o.byName, name, func(p *Property, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return nil
	}
	return o.byName[i]
}

// FromTerraform returns the property with a Terraform name, or nil.
func (o *Object) FromTerraform(name string) *Property {
	i, ok := slices.BinarySearchFunc(o.byTerraform, name, func(p *Property, name string) int { return strings.Compare(p.Terraform, name) })
	if !ok {
		return nil
	}
	return o.byTerraform[i]
}
