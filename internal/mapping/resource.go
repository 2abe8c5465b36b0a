package mapping

import (
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// BuildResource maps one resource type afresh and does not keep it, for a
// caller that goes through all of them. m is one of [Package.Resources].
func (p *Package) BuildResource(m Member) (*Resource, error) {
	schema, err := p.catalog.Resource(m.Terraform)
	if err != nil {
		return nil, err
	}
	identity, err := p.catalog.Identity(m.Terraform)
	if err != nil {
		return nil, err
	}
	list, err := p.listQuery(m)
	if err != nil {
		return nil, err
	}
	object := blockObject(schema.Block, p.reservedNames(m.Terraform, schema.Block))
	object.nameTypes(TokenName(m.Token), nestedTypeName)
	if name := object.FromTerraform("name"); name != nil {
		name.Autonamed = name.Input() && name.Type.Kind == KindString
	}
	return &Resource{
		Terraform: m.Terraform, Token: m.Token, Schema: schema, Identity: identity,
		Object: object, ID: resourceID(schema.Block, object), List: list,
	}, nil
}

func (p *Package) listQuery(m Member) (*Object, error) {
	if !p.catalog.Has(tfschema.KindList, m.Terraform) {
		return nil, nil
	}
	schema, err := p.catalog.Schema(tfschema.KindList, m.Terraform)
	if err != nil {
		return nil, err
	}
	return NewObject(schema.Block, TokenName(m.Token)), nil
}

// buildProvider maps the provider's configuration.
func (p *Package) buildProvider() (*Resource, error) {
	schema, err := p.catalog.Schema(tfschema.KindProvider, "")
	if err != nil {
		return nil, err
	}
	return &Resource{
		Token: "pulumi:providers:" + p.Name, Schema: schema,
		Object: NewObject(schema.Block, "Provider"),
	}, nil
}

// BuildConfig maps the provider's configuration afresh as the variables of a
// stack's configuration. They are the properties of [Package.Provider], but
// for the nested types, which are named after the variables.
func (p *Package) BuildConfig() (*Object, error) {
	schema, err := p.catalog.Schema(tfschema.KindProvider, "")
	if err != nil {
		return nil, err
	}
	object := blockObject(schema.Block, nil)
	for _, variable := range object.Properties {
		variable.Type.eachObject(func(inner *Object) { inner.nameType(variable.Name, nestedTypeName) })
	}
	return object, nil
}

// reservedNames has Pulumi names for the attributes whose own would be a
// name that every resource has already: "id", "urn" and "pulumi".
func (p *Package) reservedNames(resourceType string, block *tfschema.Block) map[string]string {
	names := map[string]string{}
	has := func(name string) bool { return block.Attribute(name) != nil || block.NestedBlock(name) != nil }
	if has("urn") {
		names["urn"] = camel(firstFree(p.Name+"_urn", has))
	}
	if has("pulumi") {
		names["pulumi"] = camel(firstFree("pulumi_info", has))
	}
	if has("id") && !isOnlyID(block.Attribute("id")) {
		names["id"] = camel(p.idName(resourceType, has))
	}
	return names
}

// isOnlyID reports whether programs have no use for an id but as the ID.
func isOnlyID(id *tfschema.Attribute) bool {
	return id != nil && id.Computed && !id.Configurable() && kindOf(id.Type) == KindString
}

// idName is under which name programs see an id that they set, or that is no
// string: the first of the usual ones that no other attribute has.
func (p *Package) idName(resourceType string, has func(string) bool) string {
	short := strings.TrimLeft(strings.TrimPrefix(resourceType, p.Prefix), "_")
	if short == "" {
		short = resourceType
	}
	pkg := strings.ReplaceAll(p.Name, "-", "_")
	candidates := []string{short + "_id", pkg + "_" + short + "_id", "resource_id", pkg + "_id"}
	for _, name := range candidates {
		if !has(name) {
			return name
		}
	}
	return firstFree(candidates[0], has)
}

// resourceID says where the ID comes from.
func resourceID(block *tfschema.Block, object *Object) ID {
	id := block.Attribute("id")
	if id == nil || !id.Type.IsPrimitiveType() {
		return ID{}
	}
	return ID{Attribute: id.Name, Property: object.FromTerraform(id.Name).Name}
}
