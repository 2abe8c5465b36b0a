package pschema

import (
	"slices"
	"strings"
)

func (p *Package) bindUse(spec *TypeSpec) Use {
	return Use{Type: p.bindType(spec), Plain: spec.Plain}
}

func (p *Package) bindType(spec *TypeSpec) Type {
	switch {
	case spec.Ref != "":
		return p.bindReference(spec)
	case spec.OneOf != nil:
		return p.bindUnion(spec)
	case spec.Type == "array":
		return p.bindArray(spec)
	case spec.Type == "object":
		return p.bindMap(spec)
	}
	primitive, ok := primitiveNamed(spec.Type)
	if !ok {
		p.report(unknownType(p.within(spec.At, "type"), spec.Type))
	}
	return primitive
}

// primitiveNamed is the primitive of that name; Any where there is none.
func primitiveNamed(name string) (Primitive, bool) {
	switch name {
	case "boolean":
		return Boolean, true
	case "integer":
		return Integer, true
	case "number":
		return Number, true
	case "string":
		return String, true
	}
	return Any, false
}

func (p *Package) bindArray(spec *TypeSpec) Type {
	if spec.Items == nil {
		p.report(arrayWithoutItems(spec.At))
		return &Array{}
	}
	return &Array{Elem: p.bindUse(spec.Items)}
}

func (p *Package) bindMap(spec *TypeSpec) Type {
	if spec.AdditionalProperties == nil {
		return &Map{Elem: Use{Type: String}}
	}
	return &Map{Elem: p.bindUse(spec.AdditionalProperties)}
}

func (p *Package) bindUnion(spec *TypeSpec) Type {
	union := &Union{}
	for i := range spec.OneOf {
		union.Members = append(union.Members, p.bindUse(&spec.OneOf[i]))
	}
	if len(union.Members) < 2 {
		p.report(smallUnion(spec.At))
	}
	if spec.Type != "" {
		primitive, ok := primitiveNamed(spec.Type)
		if !ok {
			p.report(unknownType(p.within(spec.At, "type"), spec.Type))
		}
		union.Default = primitive
	}
	if discriminator := spec.Discriminator; discriminator != nil {
		if discriminator.PropertyName == "" {
			p.report(emptyDiscriminator(discriminator.At))
		}
		union.Discriminator, union.Mapping = discriminator.PropertyName, discriminator.Mapping
	}
	return union
}

func (p *Package) bindReference(spec *TypeSpec) Type {
	if primitive, ok := builtin(spec.Ref); ok {
		return primitive
	}
	ref, problem := parseReference(spec.Ref)
	if problem != "" {
		p.report(badReference(p.within(spec.At, "$ref"), spec.Ref, problem))
		return opaque(spec, spec.Ref)
	}
	target, ok := p.targetPackage(ref, spec)
	if !ok {
		return opaque(spec, ref.token)
	}
	if ref.kind == toType {
		if found, ok := target.Type(ref.token); ok {
			return found
		}
	} else if token := target.resourceToken(ref); target.hasResource(token) {
		p.checkProviderReference(ref, spec)
		return &ResourceType{Package: target, Token: token}
	}
	p.report(danglingReference(p.within(spec.At, "$ref"), ref, target))
	return opaque(spec, ref.token)
}

func (p *Package) resourceToken(ref reference) string {
	if ref.kind == toProvider {
		return p.ProviderToken()
	}
	return ref.token
}

func (p *Package) checkProviderReference(ref reference, spec *TypeSpec) {
	if ref.kind == toResource && strings.HasPrefix(ref.token, providerPrefix) {
		p.report(oldProviderReference(p.within(spec.At, "$ref"), ref.token))
	}
}

// opaque is what a reference that leads nowhere is bound to.
func opaque(spec *TypeSpec, token string) *Opaque {
	underlying, _ := primitiveNamed(spec.Type)
	return &Opaque{Token: token, Underlying: underlying}
}

// loading is what came of loading another package.
type loading struct {
	pkg *Package
	err error
}

// targetPackage is the package that a reference leads into.
func (p *Package) targetPackage(ref reference, spec *TypeSpec) (*Package, bool) {
	if ref.pkg == "" || ref.pkg == p.Header.Name && versionsAgree(ref.version, p.Version()) {
		return p, true
	}
	loaded := p.loaded.get(ref.pkg+"@"+ref.version, func() loading {
		target, err := p.load(p.dependency(ref))
		return loading{target, err}
	})
	if loaded.err != nil {
		p.report(notLoaded(p.within(spec.At, "$ref"), ref, loaded.err))
		return nil, false
	}
	return loaded.pkg, true
}

// versionsAgree holds where either says nothing.
func versionsAgree(a, b string) bool { return a == "" || b == "" || a == b }

// dependency describes the package that a reference leads into: as the schema
// does, or else by its name and version.
func (p *Package) dependency(ref reference) DependencySpec {
	at := slices.IndexFunc(p.Header.Dependencies, func(d DependencySpec) bool {
		name, version := d.Name, d.Version
		if d.Parameterization != nil {
			name, version = d.Parameterization.Name, d.Parameterization.Version
		}
		version, _ = parseVersion(version)
		return name == ref.pkg && versionsAgree(version, ref.version)
	})
	if at >= 0 {
		return p.Header.Dependencies[at]
	}
	return DependencySpec{Name: ref.pkg, Version: ref.version}
}

// bindNamedType makes the type of a token: an enum in full, an object whose
// properties are yet to be bound.
func (p *Package) bindNamedType(token string, at span) Type {
	spec := p.doc.cursor(at).complexType()
	primitive, ok := primitiveNamed(spec.Type)
	if ok || len(spec.Enum) > 0 {
		return p.bindEnum(token, &spec, primitive)
	}
	if spec.Type != "object" {
		p.report(typeOfType(p.within(spec.At, "type"), spec.Type))
	}
	object := p.newObject(token, &spec.ObjectTypeSpec)
	object.Named = true
	return object
}

// newObject makes an object whose properties are bound when they are asked
// for: so types may refer to each other in circles.
func (p *Package) newObject(token string, spec *ObjectTypeSpec) *Object {
	if len(spec.Plain) > 0 {
		p.report(plainList(p.within(spec.At, "plain")))
	}
	return &Object{
		Package: p, Token: token,
		Description: spec.Description, Language: spec.Language,
		Overlay: Overlay{Is: spec.IsOverlay, Languages: spec.OverlaySupportedLanguages},
		spec:    spec,
	}
}

func (p *Package) bindEnum(token string, spec *ComplexTypeSpec, elem Primitive) *Enum {
	if elem == Any {
		p.report(unknownType(p.within(spec.At, "type"), spec.Type))
	}
	enum := &Enum{
		Package: p, Token: token, Description: spec.Description, Elem: elem,
		Overlay: Overlay{Is: spec.IsOverlay, Languages: spec.OverlaySupportedLanguages},
	}
	for _, value := range spec.Enum {
		if value.Value == nil || !fits(value.Value, elem) {
			p.report(badValue(p.within(value.At, "value"), value.Value, elem))
			continue
		}
		enum.Values = append(enum.Values, EnumValue{
			Name: value.Name, Description: value.Description, Value: value.Value,
			DeprecationMessage: value.DeprecationMessage,
		})
	}
	return enum
}
