package mapping

import (
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// collection is the type of elem's under a nesting mode.
func collection(nesting tfschema.Nesting, terraform cty.Type, elem *Type) *Type {
	switch nesting {
	case tfschema.NestingList, tfschema.NestingSet:
		return &Type{Kind: KindArray, Terraform: terraform, Elem: elem}
	case tfschema.NestingMap:
		return &Type{Kind: KindMap, Terraform: terraform, Elem: elem}
	default:
		return elem
	}
}

// attributeType maps the type of an attribute without nested objects. In an
// object type that marks no attribute as optional all of them are: providers
// cannot say it, and Terraform takes nulls.
func attributeType(ty cty.Type) *Type {
	return mapType(ty, func(object cty.Type, name string) bool {
		return len(object.OptionalAttributes()) > 0 && !object.AttributeOptional(name)
	})
}

// signatureType maps the type of a parameter or result, whose objects need
// what is not marked as optional.
func signatureType(ty cty.Type) *Type {
	return mapType(ty, func(object cty.Type, name string) bool { return !object.AttributeOptional(name) })
}

// mapType maps a type. required reports whether objects of a type need an
// attribute.
func mapType(ty cty.Type, required func(object cty.Type, name string) bool) *Type {
	t := &Type{Kind: kindOf(ty), Terraform: ty}
	switch {
	case ty.IsTupleType():
		for _, e := range ty.TupleElementTypes() {
			t.Elems = append(t.Elems, mapType(e, required))
		}
	case ty.IsCollectionType():
		t.Elem = mapType(ty.ElementType(), required)
	case ty.IsObjectType():
		t.Object = typeObject(ty, required)
	}
	return t
}

func typeObject(ty cty.Type, required func(object cty.Type, name string) bool) *Object {
	properties := make([]*Property, 0, len(ty.AttributeTypes()))
	for name, inner := range ty.AttributeTypes() {
		needed := required(ty, name)
		properties = append(properties, &Property{
			Terraform: name, Type: mapType(inner, required),
			Required: needed, Optional: !needed,
		})
	}
	slices.SortFunc(properties, compareTerraform)
	o := newObject(properties, nil)
	o.Terraform = ty
	return o
}

func kindOf(ty cty.Type) Kind {
	switch {
	case ty == cty.String:
		return KindString
	case ty == cty.Number:
		return KindNumber
	case ty == cty.Bool:
		return KindBool
	case ty.IsListType(), ty.IsSetType(), ty.IsTupleType():
		return KindArray
	case ty.IsMapType():
		return KindMap
	case ty.IsObjectType():
		return KindObject
	default:
		return KindAny
	}
}

// list reports whether t is an array of any length, whose property is named
// in the plural.
func (t *Type) list() bool { return t.Kind == KindArray && t.Elem != nil }

// Objects ranges over the objects in t that no other object is around: one,
// or several in a tuple.
func (t *Type) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) { t.eachObject(yield) }
}

func (t *Type) eachObject(yield func(*Object) bool) bool {
	switch {
	case t.Object != nil:
		return yield(t.Object)
	case t.Elem != nil:
		return t.Elem.eachObject(yield)
	}
	for _, e := range t.Elems {
		if !e.eachObject(yield) {
			return false
		}
	}
	return true
}
