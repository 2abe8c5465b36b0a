package minimise

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// written are those root attributes and blocks that a configuration sets.
func written(config cty.Value, names []string) []cty.Path {
	var out []cty.Path
	for _, name := range names {
		v := config.GetAttr(name)
		if v.IsNull() || v.CanIterateElements() && v.LengthInt() == 0 {
			continue
		}
		out = append(out, cty.GetAttrPath(name))
	}
	return out
}

// equalBut reports whether two objects are the same but for those attributes.
func equalBut(names []string, a, b cty.Value) bool {
	if len(names) == 0 || !a.Type().Equals(b.Type()) {
		return a.RawEquals(b)
	}
	for name := range a.Type().AttributeTypes() {
		if !slices.Contains(names, name) && !a.GetAttr(name).RawEquals(b.GetAttr(name)) {
			return false
		}
	}
	return true
}
