package ctyx

import "github.com/zclconf/go-cty/cty"

// Unmark returns v without marks, at any depth.
func Unmark(v cty.Value) cty.Value {
	if !Marked(v) {
		return v
	}
	v, _ = v.UnmarkDeep()
	return v
}

// Marked reports whether v or anything in it has a mark. It is
// [cty.Value.ContainsMarked] without the paths that cty builds on its way:
// nearly every value that goes over a wire is looked through, and nearly none
// has marks.
func Marked(v cty.Value) bool {
	if v.IsMarked() {
		return true
	}
	ty := v.Type()
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || ty.IsPrimitiveType() || ty.IsSetType() || ty.IsCapsuleType() {
		return false // the marks of a set's elements are the set's
	}
	if ty.IsObjectType() {
		for name := range ty.AttributeTypes() {
			if Marked(v.GetAttr(name)) {
				return true
			}
		}
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, elem := it.Element(); Marked(elem) {
			return true
		}
	}
	return false
}
