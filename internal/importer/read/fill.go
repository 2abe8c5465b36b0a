package read

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// Fill returns a state with values for root attributes that are null in it, and
// the names of those, sorted.
func Fill(state cty.Value, values map[string]cty.Value) (filled cty.Value, names []string) {
	if len(values) == 0 || state.IsNull() {
		return state, nil
	}
	attrs := state.AsValueMap()
	for name, v := range values {
		if was := attrs[name]; was != cty.NilVal && was.IsNull() && was.Type().Equals(v.Type()) {
			attrs[name] = v
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return cty.ObjectVal(attrs), names
}

// kept are those names of which a state that was read has what it was filled
// with.
func kept(names []string, filled, read cty.Value) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !tfconfig.AsWritten(filled.GetAttr(name)).RawEquals(read.GetAttr(name))
	})
}

// Unfilled is the object as it would be had it not been filled.
func (o Object) Unfilled() Object {
	if len(o.Filled) == 0 {
		return o
	}
	attrs := o.State.AsValueMap()
	for _, name := range o.Filled {
		attrs[name] = cty.NullVal(attrs[name].Type())
	}
	o.State, o.Filled = cty.ObjectVal(attrs), nil
	return o
}
