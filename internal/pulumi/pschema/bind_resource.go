package pschema

import (
	"maps"
	"slices"
	"strings"
)

func (p *Package) hasResource(token string) bool {
	if token == p.ProviderToken() {
		// Every package has a provider but one that adds to another's.
		return p.Header.Provider != nil || p.Header.ExtensionParameterization == nil
	}
	_, ok := p.doc.resources[token]
	return ok
}

func (p *Package) resourceSpec(token string) ResourceSpec {
	if token != p.ProviderToken() {
		return p.doc.cursor(p.doc.resources[token]).resource()
	}
	if p.Header.Provider == nil {
		return ResourceSpec{}
	}
	return *p.Header.Provider
}

func (p *Package) bindResource(token string) *Resource {
	spec := p.resourceSpec(token)
	resource := &Resource{
		Package: p, Token: token, Description: spec.Description,
		IsProvider: token == p.ProviderToken(), IsComponent: spec.IsComponent,
		DeprecationMessage: spec.DeprecationMessage, Language: spec.Language,
		Overlay: Overlay{Is: spec.IsOverlay, Languages: spec.OverlaySupportedLanguages},
	}
	resource.Outputs = p.bindProperties(objectProperties(&spec.ObjectTypeSpec))
	resource.Inputs = p.bindProperties(propertiesSpec{
		at: spec.At, specs: spec.InputProperties, required: spec.RequiredInputs, requiredKey: "requiredInputs",
	})
	if spec.StateInputs != nil {
		resource.StateInputs = p.newObject(token+"Args", spec.StateInputs)
	}
	if spec.ListInputs != nil {
		resource.ListInputs = p.newObject(token+"ListArgs", spec.ListInputs)
	}
	for _, alias := range spec.Aliases {
		resource.Aliases = append(resource.Aliases, alias.Type)
	}
	resource.Methods = p.bindMethods(resource, &spec)
	p.checkResource(resource, &spec)
	if resource.IsProvider {
		resource.Outputs = slices.DeleteFunc(resource.Outputs, func(p *Property) bool { return !isText(p.Type) })
	}
	return resource
}

// isText reports whether values of a type are strings.
func isText(of Type) bool {
	switch of := of.(type) {
	case Primitive:
		return of == String
	case *Enum:
		return of.Elem == String
	case *Opaque:
		return of.Underlying == String
	}
	return false
}

func (p *Package) bindMethods(resource *Resource, spec *ResourceSpec) []Method {
	var methods []Method
	for _, name := range slices.Sorted(maps.Keys(spec.Methods)) {
		token := spec.Methods[name]
		at := func() Place { return p.within(spec.At, "methods", name) }
		function, ok := p.Function(token)
		switch {
		case !ok:
			p.report(unknownMethod(at(), token))
			continue
		case !strings.HasPrefix(token, resource.Token+"/") || strings.Contains(token[len(resource.Token)+1:], "/"):
			p.report(badMethodToken(at(), token, resource.Token))
		case !function.IsMethod:
			p.report(methodWithoutSelf(at(), token))
		}
		if _, taken := findProperty(resource.Outputs, name); taken {
			p.report(methodLikeProperty(at(), name))
		}
		methods = append(methods, Method{Name: name, Function: function})
	}
	return methods
}

// checkResource looks for what binding takes as it is.
func (p *Package) checkResource(resource *Resource, spec *ResourceSpec) {
	if len(spec.Plain) > 0 {
		p.report(plainList(p.within(spec.At, "plain")))
	}
	if len(spec.PlainInputs) > 0 {
		p.report(plainList(p.within(spec.At, "plainInputs")))
	}
	if spec.StateInputs != nil {
		if id, ok := spec.StateInputs.Properties["id"]; ok {
			p.report(reservedProperty(id.At, "id"))
		}
	}
	for _, output := range resource.Outputs {
		if output.Name == "urn" || output.Name == "id" && !spec.IsComponent {
			p.report(shadowedOutput(spec.Properties[output.Name].At, output.Name))
		}
	}
	if _, ok := findProperty(resource.Inputs, "version"); ok && resource.IsProvider {
		p.report(reservedProperty(spec.InputProperties["version"].At, "version"))
	}
}
