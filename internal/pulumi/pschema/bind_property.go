package pschema

import (
	"maps"
	"math"
	"slices"
	"unicode"
)

// propertiesSpec is a map of properties and the names of those required.
type propertiesSpec struct {
	// at is the object whose members hold them.
	at          Place
	specs       map[string]PropertySpec
	required    []string
	requiredKey string
}

func objectProperties(spec *ObjectTypeSpec) propertiesSpec {
	return propertiesSpec{at: spec.At, specs: spec.Properties, required: spec.Required, requiredKey: "required"}
}

// bindProperties returns the properties sorted by name.
func (p *Package) bindProperties(from propertiesSpec) []*Property {
	if len(from.specs) == 0 && len(from.required) == 0 {
		return nil
	}
	properties := make([]*Property, 0, len(from.specs))
	for _, name := range slices.Sorted(maps.Keys(from.specs)) {
		spec := from.specs[name]
		properties = append(properties, p.bindProperty(name, &spec))
	}
	for i, name := range from.required {
		property, ok := findProperty(properties, name)
		if !ok {
			p.report(unknownRequired(p.nthRequired(from, i), name))
			continue
		}
		property.Required = true
	}
	return properties
}

func (p *Package) nthRequired(from propertiesSpec, index int) Place {
	list := &cursor{text: p.doc.text, pos: int(p.within(from.at, from.requiredKey)), report: func(finding) {}}
	place, at := list.place(), 0
	list.items(func() {
		if at == index {
			place = list.place()
		}
		at++
		list.skip()
	})
	return place
}

func (p *Package) bindProperty(name string, spec *PropertySpec) *Property {
	p.checkPropertyName(name, spec.At)
	property := &Property{
		Name: name, Description: spec.Description, Use: p.bindUse(&spec.TypeSpec),
		DeprecationMessage: spec.DeprecationMessage, Language: spec.Language, Secret: spec.Secret,
		ReplaceOnChanges: spec.ReplaceOnChanges, WillReplaceOnChanges: spec.WillReplaceOnChanges,
	}
	property.Const = p.bindValue(spec, "const", spec.Const, property.Type)
	property.Default = p.bindDefault(spec, property.Type)
	return property
}

// reservedName means something to Pulumi itself wherever it stands.
const reservedName = "pulumi"

func (p *Package) checkPropertyName(name string, at Place) {
	bad := slices.ContainsFunc([]rune(name), func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) })
	if bad || name == "" {
		p.report(badPropertyName(at, name))
	}
	if name == reservedName {
		p.report(reservedProperty(at, name))
	}
}

func (p *Package) bindDefault(spec *PropertySpec, of Type) *Default {
	value := p.bindValue(spec, "default", spec.Default, of)
	info := spec.DefaultInfo
	if info == nil {
		if value == nil {
			return nil
		}
		return &Default{Value: value}
	}
	if len(info.Environment) == 0 {
		p.report(defaultFromNowhere(info.At))
	}
	return &Default{Value: value, Environment: info.Environment, Language: info.Language}
}

// bindValue returns a constant or default that the type can hold, else nil.
func (p *Package) bindValue(spec *PropertySpec, key string, value any, of Type) any {
	if value == nil || fits(value, of) {
		return value
	}
	p.report(badValue(p.within(spec.At, key), value, of))
	return nil
}

// maxInteger bounds integers, which are of 32 bits.
const maxInteger = math.MaxInt32

// fits reports whether a type can hold a string, a float64 or a bool.
func fits(value any, of Type) bool {
	switch of := of.(type) {
	case Primitive:
		return fitsPrimitive(value, of)
	case *Enum:
		return fitsPrimitive(value, of.Elem)
	case *Opaque:
		return fitsPrimitive(value, of.Underlying)
	case *Union:
		if of.Default != nil {
			return fits(value, of.Default)
		}
		return slices.ContainsFunc(of.Members, func(member Use) bool { return fits(value, member.Type) })
	}
	return false
}

func fitsPrimitive(value any, of Primitive) bool {
	switch value := value.(type) {
	case bool:
		return of == Boolean || of == Any
	case string:
		return of == String || of == JSON || of == Any
	case float64:
		whole := value == math.Trunc(value) && math.Abs(value) <= maxInteger+1
		return of == Number || of == Any || of == Integer && whole
	}
	return false
}
