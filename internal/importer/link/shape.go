package link

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// shape is what the schema says of an expression in a body: enough to tell
// an object from a map, whose text is the same, and to know where the type
// of a value matters.
type shape struct {
	objects *tfschema.Object // of a nested attribute, or nil
	typ     cty.Type         // of an opaque attribute, or NilType
	free    bool             // the schema leaves it open: a document
	secret  bool             // values here must not be looked at
}

// attributeShape is the shape of an attribute's whole value. What is inside
// something secret is secret.
func attributeShape(a *tfschema.Attribute, secret bool) shape {
	switch {
	case a == nil:
		return shape{free: true, secret: secret}
	case a.Nested != nil:
		return shape{objects: a.Nested, secret: secret || a.Sensitive || a.WriteOnly}
	}
	return shape{typ: a.Type, free: a.Type.HasDynamicTypes(), secret: secret || a.Sensitive || a.WriteOnly}
}

// open is a place inside s that the schema does not describe.
func (s shape) open() shape { return shape{free: true, secret: s.secret} }

// isMap reports whether keys are the user's.
func (s shape) isMap() bool {
	if s.objects != nil {
		return s.objects.Nesting == tfschema.NestingMap
	}
	return !s.free && s.typ.IsMapType()
}

// element is the shape of the members of a list, set or map.
func (s shape) element() shape {
	switch {
	case s.free:
		return s
	case s.objects != nil:
		one := *s.objects
		one.Nesting = tfschema.NestingSingle
		return shape{objects: &one, secret: s.secret}
	case s.typ.IsCollectionType():
		return shape{typ: s.typ.ElementType(), secret: s.secret}
	}
	return s.open()
}

// member is the shape of an object's attribute.
func (s shape) member(name string) shape {
	switch {
	case s.free:
		return s
	case s.objects != nil:
		return attributeShape(s.objects.Attribute(name), s.secret)
	case s.typ.IsObjectType() && s.typ.HasAttribute(name):
		return shape{typ: s.typ.AttributeType(name), secret: s.secret}
	}
	return s.open()
}
