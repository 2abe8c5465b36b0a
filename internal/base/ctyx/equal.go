package ctyx

import "github.com/zclconf/go-cty/cty"

// Equal reports whether a.Equals(b) is known and true, for values without
// marks: nulls are equal whatever their types, and nothing is equal to what is
// unknown. [cty.Value.Equals] looks through a whole value for marks, and
// compares its type, once for every level below.
func Equal(a, b cty.Value) bool {
	switch {
	case !a.IsKnown() || !b.IsKnown():
		return false
	case a.IsNull() || b.IsNull():
		return a.IsNull() && b.IsNull()
	case !a.HasWhollyKnownType() || !b.HasWhollyKnownType():
		return false
	}
	return a.Type().Equals(b.Type()) && equal(a, b)
}

// equal compares values of one type that is wholly known.
func equal(a, b cty.Value) bool {
	switch ty := a.Type(); {
	case !a.IsKnown() || !b.IsKnown():
		return false
	case a.IsNull() || b.IsNull():
		return a.IsNull() && b.IsNull()
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() {
			if !equal(a.GetAttr(name), b.GetAttr(name)) {
				return false
			}
		}
		return true
	case ty.IsListType() || ty.IsTupleType() || ty.IsMapType():
		return equalElements(a, b)
	default:
		eq := a.Equals(b)
		return eq.IsKnown() && eq.True()
	}
}

// equalElements compares lists, tuples and maps.
func equalElements(a, b cty.Value) bool {
	if a.LengthInt() != b.LengthInt() {
		return false
	}
	others := b.ElementIterator()
	for it := a.ElementIterator(); it.Next() && others.Next(); {
		key, elem := it.Element()
		otherKey, other := others.Element()
		if key.Type() == cty.String && key.AsString() != otherKey.AsString() || !equal(elem, other) {
			return false
		}
	}
	return true
}
