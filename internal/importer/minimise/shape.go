package minimise

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// shape is an attribute or a block type: what is needed to leave out of a
// value all that only the provider sets, so that a plan for creation, which
// cannot know such things, can be compared with a state, which has them.
type shape interface {
	written(v cty.Value) cty.Value
}

type (
	attributeShape struct{ attribute *tfschema.Attribute }
	blockShape     struct{ block *tfschema.NestedBlock }
)

func (s attributeShape) written(v cty.Value) cty.Value {
	if s.attribute.Nested == nil || v.IsNull() || !v.IsKnown() {
		return v
	}
	return writtenElements(s.attribute.Nested.Nesting, v, func(elem cty.Value) cty.Value {
		return writtenObject(s.attribute.Nested.Attributes, nil, elem)
	})
}

func (s blockShape) written(v cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	return writtenElements(s.block.Nesting, v, func(elem cty.Value) cty.Value {
		return writtenObject(s.block.Block.Attributes, s.block.Block.Blocks, elem)
	})
}

func writtenElements(nesting tfschema.Nesting, v cty.Value, each func(cty.Value) cty.Value) cty.Value {
	switch nesting {
	case tfschema.NestingSingle, tfschema.NestingGroup:
		return each(v)
	case tfschema.NestingMap:
		vals := map[string]cty.Value{}
		for key, elem := range v.Elements() {
			vals[key.AsString()] = each(elem)
		}
		return mapLike(v, vals)
	default:
		var vals []cty.Value
		for _, elem := range v.Elements() {
			vals = append(vals, each(elem))
		}
		return listLike(v, vals)
	}
}

func writtenObject(attributes []*tfschema.Attribute, blocks []*tfschema.NestedBlock, v cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	vals := make(map[string]cty.Value, len(attributes)+len(blocks))
	for _, a := range attributes {
		vals[a.Name] = cty.NullVal(a.Type)
		if a.Configurable() {
			vals[a.Name] = attributeShape{a}.written(v.GetAttr(a.Name))
		}
	}
	for _, n := range blocks {
		vals[n.Name] = blockShape{n}.written(v.GetAttr(n.Name))
	}
	return cty.ObjectVal(vals)
}

// same reports whether a planned value is, for certain, the one in the
// state. To a provider of the legacy SDK null and zero are one.
func same(planned, state cty.Value, legacy bool) bool {
	if !planned.IsWhollyKnown() {
		return false
	}
	if planned.RawEquals(state) {
		return true
	}
	return legacy && sameOrZero(planned, state)
}

func sameOrZero(a, b cty.Value) bool {
	if zero(a) && zero(b) {
		return true
	}
	if a.IsNull() || b.IsNull() || !a.Type().Equals(b.Type()) {
		return false
	}
	ty := a.Type()
	switch {
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() {
			if !sameOrZero(a.GetAttr(name), b.GetAttr(name)) {
				return false
			}
		}
		return true
	case ty.IsListType() || ty.IsTupleType() || ty.IsSetType():
		return sameElements(a.AsValueSlice(), b.AsValueSlice())
	default:
		return a.RawEquals(b)
	}
}

// sameElements compares in order; sets iterate in one that nulls may upset,
// which at worst keeps an attribute that could have gone.
func sameElements(a, b []cty.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameOrZero(a[i], b[i]) {
			return false
		}
	}
	return true
}

// zero reports whether the legacy SDK could mean "not set" by v.
func zero(v cty.Value) bool {
	switch {
	case v.IsNull():
		return true
	case !v.IsKnown():
		return false
	case v.Type() == cty.String:
		return v.AsString() == ""
	case v.Type() == cty.Bool:
		return v.False()
	case v.Type() == cty.Number:
		return v.RawEquals(cty.Zero)
	case v.Type().IsObjectType():
		return false
	case v.CanIterateElements():
		return v.LengthInt() == 0
	default:
		return false
	}
}

// follow applies a path as far as it goes; ok is false where it leads
// nowhere, as an element of a list that is not there.
func follow(path cty.Path, v cty.Value) (out cty.Value, ok bool) {
	for _, step := range path {
		if v.IsNull() || !v.IsKnown() {
			return v, false
		}
		switch s := step.(type) {
		case cty.GetAttrStep:
			if !v.Type().IsObjectType() || !v.Type().HasAttribute(s.Name) {
				return v, false
			}
			v = v.GetAttr(s.Name)
		case cty.IndexStep:
			if v.Type().IsSetType() || v.Type().IsObjectType() && !v.Type().HasAttribute(s.Key.AsString()) {
				return v, false
			}
			if v.Type().IsObjectType() {
				v = v.GetAttr(s.Key.AsString())
				continue
			}
			if has := v.HasIndex(s.Key); !has.IsKnown() || has.False() {
				return v, false
			}
			v = v.Index(s.Key)
		}
	}
	return v, true
}
