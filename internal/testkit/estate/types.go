package estate

// Object is one thing of the estate as JSON: strings, bools, json.Number,
// []any and map[string]any. Unset fields are absent, never null.
type Object = map[string]any

// Shape is the outermost form of a field's value.
type Shape uint8

// The shapes. A Document is any JSON value; a Policy is a string that holds a
// JSON document and is stored in canonical form (compact, keys sorted), as
// many real APIs do.
const (
	String Shape = iota + 1
	Bool
	Number
	Document
	Policy
	List
	Set
	Map
	Nested
)

// Type is the type of a field. Elem is set for List, Set and Map, Fields for
// Nested.
type Type struct {
	Shape  Shape
	Elem   *Type
	Fields []Field
}

// Field is one member of an object.
type Field struct {
	Name string
	Type Type
	// Required fields must be sent by the client.
	Required bool
	// Immutable fields may not change once the object exists.
	Immutable bool
	// Computed fields are answered only. Sending one is an error.
	Computed bool
	// Secret fields are accepted and never answered; an update without one
	// keeps what was there.
	Secret bool
	// Default is what an absent field becomes; nil leaves it absent.
	Default any
	// Ref says that the value (or each element) names another object.
	Ref *Ref
}

// Ref names the kind and the field that a reference must match.
type Ref struct {
	Kind, Field string
	// Weak references do not stop their target from being deleted.
	Weak bool
}

// Kind is one sort of object.
type Kind struct {
	// Name is the plural used in paths, such as "networks".
	Name string
	// Prefix starts generated ids, such as "net"; "" means that ids are not
	// generated but made of the Key fields, joined with "/".
	Prefix string
	// Key lists the fields that name an object to people.
	Key []string
	// Repeatable kinds may hold several objects with the same Key.
	Repeatable bool
	Fields     []Field
	// complete fills computed fields of a new object; it runs under the lock.
	complete func(*Store, Object)
	// derive fills computed fields that depend on others, at every change.
	derive func(Object)
	// rule refuses combinations of fields that the table cannot express.
	rule func(Object) error
	// unreadable kinds are listed, but reading one fails.
	unreadable bool
}

// field finds a field by name.
func (k *Kind) field(name string) (Field, bool) { return findField(k.Fields, name) }

func findField(fields []Field, name string) (Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Short constructors keep the tables in kinds_*.go readable.

func scalar(name string, shape Shape) Field { return Field{Name: name, Type: Type{Shape: shape}} }
func text(name string) Field                { return scalar(name, String) }
func flag(name string, value bool) Field    { return scalar(name, Bool).or(value) }
func number(name string) Field              { return scalar(name, Number) }
func policy(name string) Field              { return scalar(name, Policy) }

func collection(name string, shape Shape, elem Type) Field {
	return Field{Name: name, Type: Type{Shape: shape, Elem: &elem}}
}

func texts(name string, shape Shape) Field {
	return collection(name, shape, Type{Shape: String})
}

func nested(name string, fields ...Field) Field {
	return Field{Name: name, Type: Type{Shape: Nested, Fields: fields}}
}

func nestedIn(name string, shape Shape, fields ...Field) Field {
	return collection(name, shape, Type{Shape: Nested, Fields: fields})
}

func (f Field) required() Field  { f.Required = true; return f }
func (f Field) immutable() Field { f.Immutable = true; return f }
func (f Field) computed() Field  { f.Computed = true; return f }
func (f Field) secret() Field    { f.Secret = true; return f }
func (f Field) or(v any) Field   { f.Default = v; return f }

func (f Field) ref(kind, field string) Field {
	f.Ref = &Ref{Kind: kind, Field: field}
	return f
}

func (f Field) weakRef(kind, field string) Field {
	f.Ref = &Ref{Kind: kind, Field: field, Weak: true}
	return f
}
