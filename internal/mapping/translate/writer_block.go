package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// block writes the blocks of one type. Terraform has no null block, and none
// that is unknown among others: what is unknown then are its attributes.
func (w *writer) block(t *mapping.Type, v property.Value) cty.Value {
	switch {
	case v.IsComputed():
		return w.unknown(t.Terraform)
	case t.Flat:
		return w.flat(t, v)
	case t.Kind == mapping.KindArray && v.IsArray():
		return w.sequence(t.Terraform, w.blockElements(t.Elem, v.AsArray()))
	case t.Kind == mapping.KindMap && v.IsMap():
		return w.dictionary(t.Terraform, w.blockMembers(t.Elem, v.AsMap()))
	default:
		return w.value(t, v)
	}
}

// flat writes the only block of a list or set. One in an array is accepted,
// since an earlier version of the provider may have allowed several.
func (w *writer) flat(t *mapping.Type, v property.Value) cty.Value {
	if !v.IsArray() {
		return w.sequence(t.Terraform, []cty.Value{w.blockElement(FlatElement(t), v)})
	}
	if v.AsArray().Len() > 1 && !w.state {
		w.problem("There can be only one of this")
		return emptyCollection(t)
	}
	return w.sequence(t.Terraform, w.blockElements(FlatElement(t), v.AsArray()))
}

// FlatElement is the type of the only element of a list or set that is flat.
func FlatElement(t *mapping.Type) *mapping.Type {
	return &mapping.Type{Kind: t.Kind, Terraform: t.Object.Terraform, Object: t.Object}
}

func (w *writer) blockElements(t *mapping.Type, elements property.Array) []cty.Value {
	out := make([]cty.Value, 0, elements.Len())
	for i, v := range elements.All {
		if !v.IsNull() {
			w.in(atIndex(i), func() { out = append(out, w.blockElement(t, v)) })
		}
	}
	return out
}

func (w *writer) blockMembers(t *mapping.Type, members property.Map) map[string]cty.Value {
	out := make(map[string]cty.Value, members.Len())
	for key, v := range members.All {
		if !v.IsNull() {
			w.in(atKey(key), func() { out[key] = w.blockElement(t, v) })
		}
	}
	return out
}

func (w *writer) blockElement(t *mapping.Type, v property.Value) cty.Value {
	if v.IsComputed() && t.Object != nil {
		return w.unknownBlock(t.Object)
	}
	return w.value(t, v)
}

// unknownBlock is a block of which nothing is known: everything that a program
// may have set.
func (w *writer) unknownBlock(o *mapping.Object) cty.Value {
	vals := make(map[string]cty.Value, len(o.Properties))
	for _, p := range o.Properties {
		if p.Input() {
			vals[p.Terraform] = w.unknown(p.Type.Terraform)
		} else {
			vals[p.Terraform] = absent(p)
		}
	}
	return cty.ObjectVal(vals)
}
