package lifecycle

import "github.com/zclconf/go-cty/cty"

// align gives what is dynamic in configuration the types that it has in the
// prior state, where nothing else differs: Pulumi cannot tell a list from a
// tuple or a set, nor a map from an object, and a provider that answers
// another one than it was given would plan a change for ever.
func align(ty cty.Type, config, prior cty.Value) cty.Value {
	switch {
	case !ty.HasDynamicTypes() || prior == cty.NilVal || prior.IsNull() || config.IsNull() || !config.IsKnown() || !prior.IsKnown():
		return config
	case ty == cty.DynamicPseudoType:
		if alike(config, prior) {
			return prior
		}
		return config
	case ty.IsObjectType():
		vals := config.AsValueMap()
		for name, attr := range ty.AttributeTypes() {
			vals[name] = align(attr, vals[name], member(prior, name))
		}
		return cty.ObjectVal(vals)
	default: // in a collection all dynamic values must change type together
		return config
	}
}

// alike reports whether two values differ at most in how they are collected.
func alike(a, b cty.Value) bool {
	switch {
	case a.IsNull() || b.IsNull():
		return a.IsNull() && b.IsNull()
	case !a.IsKnown() || !b.IsKnown():
		return false
	case isDictionary(a.Type()) && isDictionary(b.Type()):
		return alikeMembers(a.AsValueMap(), b.AsValueMap())
	case isSequence(a.Type()) && isSequence(b.Type()):
		return alikeElements(a.AsValueSlice(), b.AsValueSlice())
	default:
		return a.RawEquals(b)
	}
}

func alikeMembers(a, b map[string]cty.Value) bool {
	for name, v := range a {
		if other, ok := b[name]; !ok || !alike(v, other) {
			return false
		}
	}
	return len(a) == len(b)
}

func alikeElements(a, b []cty.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !alike(a[i], b[i]) {
			return false
		}
	}
	return true
}

func isSequence(ty cty.Type) bool { return ty.IsListType() || ty.IsSetType() || ty.IsTupleType() }

func isDictionary(ty cty.Type) bool { return ty.IsMapType() || ty.IsObjectType() }
