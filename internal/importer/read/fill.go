package read

import (
	"context"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// Providers keep attributes that they never read: defaults, and flags of their
// own. An import leaves these null, so that each object would have to be read
// once more when it is known what belongs there. For most it is the same for all
// objects of a type, and is therefore learned from a few of them.

// witnesses are how many objects of a type must agree before others are read
// with what they say. What a provider makes of the object itself differs.
const witnesses = 2

// pioneers are the places of those that others of their type are read after.
func pioneers(found []discover.Found, how Rising) (pioneers, others []int) {
	count, seen := map[string]int{}, map[string]int{}
	for _, f := range found {
		count[f.Type]++
	}
	for i, f := range found {
		seen[f.Type]++
		if how.Fills != nil && seen[f.Type] <= witnesses && count[f.Type] > witnesses {
			pioneers = append(pioneers, i)
		} else {
			others = append(others, i)
		}
	}
	return pioneers, others
}

// learn asks about the objects at some places, and returns by type what all of
// them agree on.
func learn(ctx context.Context, outcomes []Outcome, places []int, how Rising) map[string]map[string]cty.Value {
	said := parallel.Map(ctx, how.Concurrency, places, func(ctx context.Context, i int) map[string]cty.Value {
		if len(outcomes[i].Objects) != 1 {
			return nil
		}
		return how.Fills(ctx, outcomes[i].Objects[0])
	})
	out := map[string]map[string]cty.Value{}
	for n, i := range places {
		typeName := outcomes[i].Found.Type
		if known, ok := out[typeName]; ok {
			maps.DeleteFunc(known, func(name string, v cty.Value) bool {
				other, ok := said[n][name]
				return !ok || !other.RawEquals(v)
			})
		} else {
			out[typeName] = maps.Clone(said[n])
		}
	}
	return out
}

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
		if attrs[name] != cty.NilVal && attrs[name].IsNull() {
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
