package mapping

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// BuildFunction maps one function afresh and does not keep it, for a caller
// that goes through all of them. m is one of [Package.Functions].
func (p *Package) BuildFunction(m Member) (*Function, error) {
	return buildFunction(p.catalog.Passing(), m)
}

func buildFunction(catalog *tfschema.Catalog, m Member) (*Function, error) {
	switch m.Kind {
	case FunctionDataSource:
		return schemaFunction(catalog, m, tfschema.KindDataSource)
	case FunctionEphemeral:
		return schemaFunction(catalog, m, tfschema.KindEphemeral)
	default:
		return providerFunction(catalog, m)
	}
}

func schemaFunction(catalog *tfschema.Catalog, m Member, kind tfschema.Kind) (*Function, error) {
	schema, err := catalog.Schema(kind, m.Terraform)
	if err != nil {
		return nil, err
	}
	object := NewObject(schema.Block, TokenName(m.Token))
	return &Function{
		Kind: m.Kind, Terraform: m.Terraform, Token: m.Token,
		Schema: schema, Inputs: object, Outputs: object,
	}, nil
}

func providerFunction(catalog *tfschema.Catalog, m Member) (*Function, error) {
	signature, err := catalog.Function(m.Terraform)
	if err != nil {
		return nil, err
	}
	f := &Function{
		Kind: m.Kind, Terraform: m.Terraform, Token: m.Token, Signature: signature,
		Inputs: arguments(signature), Wrapped: !signature.Return.IsObjectType(),
	}
	f.Inputs.nameTypes(TokenName(m.Token), partTypeName)
	f.Outputs = f.result(TokenName(m.Token) + "Result")
	return f, nil
}

// result is the object that a call returns. typ names its type, or that of
// the objects in the one value that it wraps.
func (f *Function) result(typ string) *Object {
	t := signatureType(f.Signature.Return)
	if !f.Wrapped {
		t.Object.nameTypes(typ, partTypeName)
		return t.Object
	}
	p := &Property{Terraform: "result", Type: t, Required: true}
	o := newObject([]*Property{p}, map[string]string{"result": "result"})
	o.Terraform = cty.Object(map[string]cty.Type{"result": t.Terraform})
	for inner := range t.Objects() {
		inner.nameType(typ, partTypeName)
	}
	return o
}

// partTypeName names types in signatures, where nothing is in the singular.
func partTypeName(prefix string, p *Property) string { return prefix + upperFirst(p.Name) }

// arguments has a property for each parameter. One that takes null need not
// be given, unless a later one must be: languages pass them by position.
func arguments(f *tfschema.Function) *Object {
	names := argumentNames(f)
	properties := make([]*Property, len(names))
	given, types := map[string]string{}, map[string]cty.Type{}
	for i, name := range names {
		if i < len(f.Parameters) {
			properties[i] = argument(name, f.Parameters[i], signatureType(f.Parameters[i].Type))
		} else {
			properties[i] = argument(name, f.Variadic, variadicType(f.Variadic.Type))
		}
		given[name], types[name] = name, properties[i].Type.Terraform
	}
	needed := false
	for i := len(f.Parameters) - 1; i >= 0; i-- {
		needed = needed || !f.Parameters[i].AllowNull
		properties[i].Required, properties[i].Optional = needed, !needed
	}
	o := newObject(properties, given)
	o.Terraform = cty.Object(types)
	return o
}

func argument(name string, p *tfschema.Parameter, t *Type) *Property {
	return &Property{Terraform: name, Type: t, Optional: true, Description: p.Description}
}

// variadicType is an array of elem. Arguments for a dynamic parameter may
// differ in type, so that they are a tuple to Terraform.
func variadicType(elem cty.Type) *Type {
	t := &Type{Kind: KindArray, Terraform: cty.DynamicPseudoType, Elem: signatureType(elem)}
	if elem != cty.DynamicPseudoType {
		t.Terraform = cty.List(elem)
	}
	return t
}

// argumentNames names the parameters, the variadic one last. Those without a
// name are called by their position.
func argumentNames(f *tfschema.Function) []string {
	parameters := f.Parameters
	if f.Variadic != nil {
		parameters = append(parameters[:len(parameters):len(parameters)], f.Variadic)
	}
	names := make([]string, len(parameters))
	taken := map[string]bool{}
	for i, p := range parameters {
		name := camel(p.Name)
		switch name {
		case "":
			name = fmt.Sprintf("arg%d", i+1)
		case reservedName:
			name = replacedName
		}
		names[i] = firstFree(name, func(n string) bool { return taken[n] })
		taken[names[i]] = true
	}
	return names
}
