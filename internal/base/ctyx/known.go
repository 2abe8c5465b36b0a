package ctyx

import "github.com/zclconf/go-cty/cty"

// WhollyKnown is [cty.Value.IsWhollyKnown] of a value without marks, without
// the key that cty makes for every attribute on its way.
func WhollyKnown(v cty.Value) bool {
	if !v.IsKnown() || v.IsNull() {
		return v.IsKnown()
	}
	switch ty := v.Type(); {
	case ty.IsPrimitiveType() || ty.IsCapsuleType():
		return true
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() {
			if !WhollyKnown(v.GetAttr(name)) {
				return false
			}
		}
		return true
	default:
		for it := v.ElementIterator(); it.Next(); {
			if _, elem := it.Element(); !WhollyKnown(elem) {
				return false
			}
		}
		return true
	}
}
