package read

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// filling is a state to read with values that the import left null.
type filling struct {
	state cty.Value
	names []string
}

func fill(state cty.Value, values map[string]cty.Value) filling {
	out := filling{state: state}
	if len(values) == 0 || state.IsNull() {
		return out
	}
	attrs := state.AsValueMap()
	for name, v := range values {
		if attrs[name] != cty.NilVal && attrs[name].IsNull() && attrs[name].Type().Equals(v.Type()) {
			attrs[name] = v
			out.names = append(out.names, name)
		}
	}
	slices.Sort(out.names)
	out.state = cty.ObjectVal(attrs)
	return out
}

// kept are the names of the attributes that have what they were filled with in
// the state that was read.
func (f filling) kept(read cty.Value) []string {
	return slices.DeleteFunc(f.names, func(name string) bool {
		return !tfconfig.AsWritten(f.state.GetAttr(name)).RawEquals(read.GetAttr(name))
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
