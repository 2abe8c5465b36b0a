package mapping

import (
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// BuildResource maps one resource type afresh and does not keep it, for a
// caller that goes through all of them. m is one of [Package.Resources].
func (p *Package) BuildResource(m Member) (*Resource, error) {
	return p.buildResource(p.catalog.Passing(), m)
}

func (p *Package) buildResource(catalog *tfschema.Catalog, m Member) (*Resource, error) {
	schema, err := catalog.Resource(m.Terraform)
	if err != nil {
		return nil, err
	}
	identity, err := catalog.Identity(m.Terraform)
	if err != nil {
		return nil, err
	}
	list, err := listQuery(catalog, m)
	if err != nil {
		return nil, err
	}
	object := blockObject(schema.Block, p.resourceNames(m.Terraform, schema.Block))
	object.nameTypes(TokenName(m.Token), nestedTypeName)
	if name := object.FromTerraform("name"); name != nil {
		name.Autonamed = name.Input() && name.Type.Kind == KindString
	}
	return &Resource{
		Terraform: m.Terraform, Token: m.Token, Schema: schema, Identity: identity,
		Object: object, ID: resourceID(schema.Block, object), List: list,
	}, nil
}

func listQuery(catalog *tfschema.Catalog, m Member) (*Object, error) {
	if !catalog.Has(tfschema.KindList, m.Terraform) {
		return nil, nil
	}
	schema, err := catalog.Schema(tfschema.KindList, m.Terraform)
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
	object := blockObject(schema.Block, p.providerNames(schema.Block))
	object.nameTypes("Provider", nestedTypeName)
	return &Resource{Token: "pulumi:providers:" + p.Name, Schema: schema, Object: object}, nil
}

// BuildConfig maps the provider's configuration afresh as the variables of a
// stack's configuration. They are the properties of [Package.Provider], but
// for the nested types, which are named after the variables.
func (p *Package) BuildConfig() (*Object, error) {
	schema, err := p.catalog.Schema(tfschema.KindProvider, "")
	if err != nil {
		return nil, err
	}
	object := blockObject(schema.Block, p.providerNames(schema.Block))
	for _, variable := range object.Properties {
		for inner := range variable.Type.Objects() {
			inner.nameType(variable.Name, nestedTypeName)
		}
	}
	return object, nil
}

// providerNames has a Pulumi name for an attribute called "version", which in
// a provider's properties is the version of the package.
func (p *Package) providerNames(block *tfschema.Block) map[string]string {
	if !has(block, "version") {
		return nil
	}
	return map[string]string{"version": firstFreeIn(block, p.Name+"_version")}
}

// resourceNames has Pulumi names for the attributes "id" and "urn", since
// every resource has these of its own.
func (p *Package) resourceNames(resourceType string, block *tfschema.Block) map[string]string {
	names := map[string]string{}
	if has(block, "urn") {
		names["urn"] = firstFreeIn(block, p.Name+"_urn")
	}
	if has(block, "id") && !isOnlyID(block.Attribute("id")) {
		names["id"] = firstFreeIn(block, p.idNames(resourceType)...)
	}
	return names
}

func has(block *tfschema.Block, name string) bool {
	return block.Attribute(name) != nil || block.NestedBlock(name) != nil
}

// firstFreeIn is the first of names that no attribute of block has, or else a
// numbered one, in camel case.
func firstFreeIn(block *tfschema.Block, names ...string) string {
	taken := func(name string) bool { return has(block, name) }
	for _, name := range names {
		if !taken(name) {
			return camel(name)
		}
	}
	return camel(firstFree(names[0], taken))
}

// isOnlyID reports whether programs have no use for an id but as the ID.
func isOnlyID(id *tfschema.Attribute) bool {
	return id != nil && id.Computed && !id.Configurable() && kindOf(id.Type) == KindString
}

// idNames are the names under which programs see an id that they set, or that
// is no string, best first.
func (p *Package) idNames(resourceType string) []string {
	short := strings.TrimLeft(strings.TrimPrefix(resourceType, p.Prefix), "_")
	if short == "" {
		short = resourceType
	}
	pkg := strings.ReplaceAll(p.Name, "-", "_")
	return []string{short + "_id", pkg + "_" + short + "_id", "resource_id", pkg + "_id"}
}

// resourceID says where the ID comes from.
func resourceID(block *tfschema.Block, object *Object) ID {
	id := block.Attribute("id")
	if id == nil || !id.Type.IsPrimitiveType() {
		return ID{}
	}
	return ID{Attribute: id.Name, Property: object.FromTerraform(id.Name).Name}
}
