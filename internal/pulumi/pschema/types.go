package pschema

import (
	"strings"
	"sync"
)

// Type is a type of the schema: a [Primitive], *[Array], *[Map], *[Union],
// *[Object], *[Enum], *[ResourceType] or *[Opaque]. What is bound does not
// change; named types are one value for each package and token.
type Type interface {
	// String is for messages: the notation is no format.
	String() string
	isType()
}

// Use is a type in a place that holds a value of it.
type Use struct {
	Type Type
	// Plain means that, as an input, the place takes a value and no output of
	// another resource.
	Plain bool
}

// Primitive is a type without parts.
type Primitive uint8

// The primitives. JSON is a string that holds JSON; an Asset and an Archive
// are Pulumi's.
const (
	Any Primitive = iota
	Boolean
	Integer
	Number
	String
	Asset
	Archive
	JSON
)

func (p Primitive) String() string {
	return [...]string{"Any", "boolean", "integer", "number", "string", "Asset", "Archive", "Json"}[p]
}

// Array is a list.
type Array struct{ Elem Use }

func (t *Array) String() string { return "Array<" + t.Elem.Type.String() + ">" }

// Map is a map with string keys.
type Map struct{ Elem Use }

func (t *Map) String() string { return "Map<" + t.Elem.Type.String() + ">" }

// Union is a choice of types.
type Union struct {
	Members []Use
	// Default is what languages without unions take instead: a primitive, or
	// nil.
	Default Type
	// Discriminator names the property whose value tells the members apart;
	// Mapping leads from its values to references as the schema writes them.
	Discriminator string
	Mapping       map[string]string
}

func (t *Union) String() string {
	names := make([]string, len(t.Members))
	for i, member := range t.Members {
		names[i] = member.Type.String()
	}
	return "Union<" + strings.Join(names, ", ") + ">"
}

// Object is a type with properties. Named ones are what a schema has under
// "types". The inputs and outputs of functions and the state inputs of
// resources are objects too, whose Token is made up: Args or Result behind
// the token of what they belong to.
type Object struct {
	Package     *Package
	Token       string
	Named       bool
	Description string
	Language    Language
	Overlay     Overlay

	once       sync.Once
	spec       *ObjectTypeSpec // until properties are bound
	properties []*Property
}

// Properties are sorted by name. They are bound at the first call, which may
// load the packages that they refer to; it is safe for concurrent use.
func (t *Object) Properties() []*Property {
	t.once.Do(func() {
		t.properties = t.Package.bindProperties(objectProperties(t.spec))
		t.spec = nil
	})
	return t.properties
}

// Property finds a property by name.
func (t *Object) Property(name string) (*Property, bool) { return findProperty(t.Properties(), name) }

func (t *Object) String() string { return t.Token }

// Enum is a closed set of values; some APIs take others besides, which the
// schema then says with a [Union].
type Enum struct {
	Package     *Package
	Token       string
	Description string
	// Elem is String, Integer, Number or Boolean.
	Elem    Primitive
	Values  []EnumValue
	Overlay Overlay
}

// EnumValue is one value of an enum.
type EnumValue struct {
	// Name is what the schema calls it; "" leaves it to the language.
	Name        string
	Description string
	// Value is a string, a float64 or a bool.
	Value              any
	DeprecationMessage string
}

func (t *Enum) String() string { return t.Token }

// ResourceType is a reference to a resource.
type ResourceType struct {
	Package *Package
	Token   string
}

// Resource is the resource referred to; it exists.
func (t *ResourceType) Resource() *Resource {
	resource, _ := t.Package.Resource(t.Token)
	return resource
}

func (t *ResourceType) String() string { return t.Token }

// Opaque stands for a named type that could not be found, after a diagnostic
// said so. Underlying is what the reference says it amounts to; Any where it
// says nothing.
type Opaque struct {
	Token      string
	Underlying Primitive
}

func (t *Opaque) String() string { return t.Token }

func (Primitive) isType()     {}
func (*Array) isType()        {}
func (*Map) isType()          {}
func (*Union) isType()        {}
func (*Object) isType()       {}
func (*Enum) isType()         {}
func (*ResourceType) isType() {}
func (*Opaque) isType()       {}
