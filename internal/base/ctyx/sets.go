package ctyx

import "github.com/zclconf/go-cty/cty"

// SetElement is the key of a step into a set. A set has no keys, and cty puts
// the element itself in their place; what is shown to people must not hold
// it, since sets hold secrets too. [PathString] renders it as `[*]`.
func SetElement() cty.IndexStep { return cty.IndexStep{Key: cty.DynamicVal} }

// HideSetElements returns path, which starts at a value of type ty, with
// [SetElement] for every step into a set. A path that leaves the type, or
// goes into a dynamic part of it, is kept as it is from there on.
func HideSetElements(path cty.Path, ty cty.Type) cty.Path {
	var out cty.Path
	for i, step := range path {
		if ty.IsSetType() {
			if out == nil {
				out = path.Copy()
			}
			out[i] = SetElement()
		}
		ty = stepType(ty, step)
	}
	if out == nil {
		return path
	}
	return out
}

// stepType is the type that a step leads to, or dynamic where there is none.
func stepType(ty cty.Type, step cty.PathStep) cty.Type {
	switch s := step.(type) {
	case cty.GetAttrStep:
		if ty.IsObjectType() && ty.HasAttribute(s.Name) {
			return ty.AttributeType(s.Name)
		}
	case cty.IndexStep:
		switch {
		case ty.IsCollectionType():
			return ty.ElementType()
		case ty.IsTupleType():
			return tupleElement(ty, s.Key)
		}
	}
	return cty.DynamicPseudoType
}

func tupleElement(ty cty.Type, key cty.Value) cty.Type {
	key, _ = key.Unmark()
	if key.Type() != cty.Number || key.IsNull() || !key.IsKnown() {
		return cty.DynamicPseudoType
	}
	i, accuracy := key.AsBigFloat().Int64()
	if accuracy != 0 || i < 0 || i >= int64(ty.Length()) {
		return cty.DynamicPseudoType
	}
	return ty.TupleElementType(int(i))
}
