package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"
)

// dynamic writes a value whose type only the value tells. Arrays become lists
// where all elements have one type, and tuples otherwise; objects become
// objects, their keys as they are. Pulumi's own bridge does the same, and what
// it made must not change type.
func (w *writer) dynamic(v property.Value) cty.Value {
	v = dereference(v)
	switch {
	case v.IsComputed():
		return w.unknown(cty.DynamicPseudoType)
	case v.IsNull():
		return cty.NullVal(cty.DynamicPseudoType)
	case v.IsBool():
		return cty.BoolVal(v.AsBool())
	case v.IsNumber():
		return w.number(v)
	case v.IsArray():
		return w.dynamicArray(v.AsArray())
	case v.IsMap():
		return w.dynamicObject(v.AsMap())
	default:
		return w.text(v)
	}
}

func (w *writer) dynamicArray(elements property.Array) cty.Value {
	if elements.Len() == 0 {
		return cty.ListValEmpty(cty.DynamicPseudoType)
	}
	out := make([]cty.Value, elements.Len())
	for i, element := range elements.All {
		w.in(atIndex(i), func() { out[i] = w.dynamic(element) })
	}
	if !uniform(out) || out[0].Type() == cty.DynamicPseudoType {
		return cty.TupleVal(out)
	}
	return cty.ListVal(out)
}

func (w *writer) dynamicObject(members property.Map) cty.Value {
	out := make(map[string]cty.Value, members.Len())
	for key, member := range members.All {
		w.in(atKey(key), func() { out[key] = w.dynamic(member) })
	}
	return cty.ObjectVal(out)
}
