package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// The readers take what a provider returned, after an apply too: nothing may
// fail here, or a resource would be lost. Where a value is not of the type
// that the schema says, they go by its own.

// properties reads an object that is not marked; its attributes may be.
func properties(o *mapping.Object, v cty.Value) property.Map {
	if v.IsNull() || !v.Type().IsObjectType() {
		return property.Map{}
	}
	out := make(map[string]property.Value, len(o.Properties))
	for _, p := range o.Properties {
		if read := attribute(p, v); !read.IsNull() {
			out[p.Name] = read
		}
	}
	return property.NewMap(out)
}

// attribute reads one attribute of an object, null where there is none.
func attribute(p *mapping.Property, v cty.Value) property.Value {
	if p.WriteOnly || !v.Type().HasAttribute(p.Terraform) {
		return property.Value{}
	}
	read := value(p.Type, v.GetAttr(p.Terraform))
	return read.WithSecret(p.Secret && !read.IsNull())
}

func value(t *mapping.Type, v cty.Value) property.Value {
	v, _ = v.Unmark()
	switch {
	case !v.IsKnown():
		return property.New(property.Computed)
	case v.IsNull():
		return property.Value{}
	case t.Flat && isSequence(v.Type()):
		return flat(t, v.AsValueSlice())
	case t.Kind == mapping.KindArray && isSequence(v.Type()):
		return array(t, v.AsValueSlice())
	case t.Kind == mapping.KindMap && isDictionary(v.Type()):
		return members(t.Elem, v.AsValueMap())
	case t.Kind == mapping.KindObject && v.Type().IsObjectType():
		return property.New(properties(t.Object, v))
	default:
		return dynamic(v)
	}
}

// flat reads the only block of a list or set; no block is null. Several, which
// the schema forbids, are an array.
func flat(t *mapping.Type, elements []cty.Value) property.Value {
	elem := FlatElement(t)
	switch len(elements) {
	case 0:
		return property.Value{}
	case 1:
		return value(elem, elements[0])
	default:
		return array(&mapping.Type{Elem: elem}, elements)
	}
}

func array(t *mapping.Type, elements []cty.Value) property.Value {
	out := make([]property.Value, len(elements))
	for i, element := range elements {
		out[i] = value(ElementType(t, i), element)
	}
	return property.New(property.NewArray(out))
}

// ElementType is the type of the element at i of an array, or of the members of
// a map.
func ElementType(t *mapping.Type, i int) *mapping.Type {
	switch {
	case t.Elem != nil:
		return t.Elem
	case i < len(t.Elems):
		return t.Elems[i]
	default:
		return anyType()
	}
}

// members reads a map, or an object with free keys.
func members(elem *mapping.Type, all map[string]cty.Value) property.Value {
	out := make(map[string]property.Value, len(all))
	for key, member := range all {
		out[key] = value(elem, member)
	}
	return property.New(property.NewMap(out))
}

// dynamic reads a value that is known and not null by its own type.
func dynamic(v cty.Value) property.Value {
	ty := v.Type()
	switch {
	case ty == cty.String:
		return property.New(v.AsString())
	case ty == cty.Bool:
		return property.New(v.True())
	case ty == cty.Number:
		return numberProperty(v.AsBigFloat())
	case isSequence(ty):
		return array(anyType(), v.AsValueSlice())
	case isDictionary(ty):
		return members(anyType(), v.AsValueMap())
	default: // the protocol has no other types
		return property.Value{}
	}
}

func anyType() *mapping.Type {
	return &mapping.Type{Kind: mapping.KindAny, Terraform: cty.DynamicPseudoType}
}

func isSequence(ty cty.Type) bool { return ty.IsListType() || ty.IsSetType() || ty.IsTupleType() }

func isDictionary(ty cty.Type) bool { return ty.IsMapType() || ty.IsObjectType() }
