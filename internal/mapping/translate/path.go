package translate

import (
	"math"
	"math/big"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// PropertyPath leads to where a Terraform path leads, among the properties of
// o. The steps into a set are its elements, which stand somewhere in around:
// the inputs or outputs that the path is about. A path that leads nowhere, or
// to an element that is not found, ends at the last place that is.
func PropertyPath(o *mapping.Object, path cty.Path, around property.Map) property.Path {
	var out property.Path
	at := place{object: o, value: property.New(around)}
	for _, step := range path {
		segment, next, ok := at.follow(step)
		if !ok {
			return out
		}
		if segment != nil {
			out = out.AppendSegment(segment)
		}
		at = next
	}
	return out
}

// place is where a path has come: in an object, or at a value of a type. The
// value is null where there is none.
type place struct {
	object *mapping.Object
	typ    *mapping.Type
	value  property.Value
}

// follow takes a step of Terraform's. The segment is nil for one that Pulumi
// does not have.
func (at place) follow(step cty.PathStep) (property.PathSegment, place, bool) {
	if at.object != nil {
		return at.followName(step)
	}
	index, indexed := step.(cty.IndexStep)
	switch {
	case at.typ.Flat && indexed:
		return nil, at.inside(), true
	case at.typ.Object != nil:
		return at.inside().followName(step)
	case indexed && at.typ.Terraform.IsSetType():
		return at.followElement(index.Key)
	default:
		return at.followKey(stepKey(step))
	}
}

// inside is the object at hand.
func (at place) inside() place { return place{object: at.typ.Object, value: at.value} }

func (at place) followName(step cty.PathStep) (property.PathSegment, place, bool) {
	name := stepKey(step)
	if name.Type() != cty.String {
		return nil, place{}, false
	}
	p := at.object.FromTerraform(name.AsString())
	if p == nil {
		return nil, place{}, false
	}
	return pvalue.Key(p.Name), place{typ: p.Type, value: memberOf(at.value, p.Name)}, true
}

// followElement finds the element of a set among the properties.
func (at place) followElement(key cty.Value) (property.PathSegment, place, bool) {
	if !at.value.IsArray() {
		return nil, place{}, false
	}
	for i, v := range at.value.AsArray().All {
		w := &writer{state: true}
		if element := w.value(at.typ.Elem, v); len(w.problems) == 0 && element.RawEquals(key) {
			return property.NewSegment(i), place{typ: at.typ.Elem, value: v}, true
		}
	}
	return nil, place{}, false
}

// followKey takes an index of a list or tuple, or a key of a map.
func (at place) followKey(key cty.Value) (property.PathSegment, place, bool) {
	if i, ok := smallIndex(key); ok && indexed(at.typ) {
		return property.NewSegment(i), place{typ: ElementType(at.typ, i), value: elementOf(at.value, i)}, true
	}
	if key.Type() == cty.String && keyed(at.typ) {
		name := key.AsString()
		return pvalue.Key(name), place{typ: ElementType(at.typ, 0), value: memberOf(at.value, name)}, true
	}
	return nil, place{}, false
}

// stepKey is the name or key of a step, or an unknown value where it is
// neither a string nor a number.
func stepKey(step cty.PathStep) cty.Value {
	switch s := step.(type) {
	case cty.GetAttrStep:
		return cty.StringVal(s.Name)
	case cty.IndexStep:
		key, _ := s.Key.Unmark()
		if key.IsKnown() && !key.IsNull() && (key.Type() == cty.String || key.Type() == cty.Number) {
			return key
		}
	}
	return cty.DynamicVal
}

func smallIndex(key cty.Value) (int, bool) {
	if key.Type() != cty.Number {
		return 0, false
	}
	i, accuracy := key.AsBigFloat().Int64()
	return int(i), accuracy == big.Exact && 0 <= i && i <= math.MaxInt32
}

func memberOf(v property.Value, key string) property.Value {
	if !v.IsMap() {
		return property.Value{}
	}
	return v.AsMap().Get(key)
}

func elementOf(v property.Value, i int) property.Value {
	if !v.IsArray() || i >= v.AsArray().Len() {
		return property.Value{}
	}
	return v.AsArray().Get(i)
}
