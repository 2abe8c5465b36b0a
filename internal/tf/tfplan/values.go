package tfplan

import (
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// absent reports whether v is null or not there at all. Unknown is neither.
func absent(v cty.Value) bool {
	return v == cty.NilVal || v.IsNull()
}

// orNull returns v, or a null object of the block's type in place of NilVal.
func orNull(v cty.Value, block *tfschema.Block) cty.Value {
	if v == cty.NilVal {
		return cty.NullVal(block.ImpliedType())
	}
	return v
}

// without returns a block with only what a provider is not known to have kept,
// so that the rules need to look at nothing else.
func without(block *tfschema.Block, same tfprovider.Kept) *tfschema.Block {
	if !same.Known() {
		return block
	}
	out := &tfschema.Block{}
	for _, attr := range block.Attributes {
		if !same.Has(attr.Name) {
			out.Attributes = append(out.Attributes, attr)
		}
	}
	for _, nested := range block.Blocks {
		if !same.Has(nested.Name) {
			out.Blocks = append(out.Blocks, nested)
		}
	}
	return out
}

// attrOf returns an attribute of an object that may be absent or unknown,
// and that then has null or unknown attributes of type ty.
func attrOf(obj cty.Value, name string, ty cty.Type) cty.Value {
	switch {
	case absent(obj):
		return cty.NullVal(ty)
	case !obj.IsKnown():
		return cty.UnknownVal(ty)
	default:
		return obj.GetAttr(name)
	}
}

// blockOf is attrOf for nested blocks: absent objects have absent blocks.
func blockOf(obj cty.Value, name string) cty.Value {
	if absent(obj) {
		return cty.NilVal
	}
	return obj.GetAttr(name)
}

// elements walks a collection, tuple or object with the step that leads to
// each element: a GetAttrStep in objects, else an IndexStep. Null and unknown
// values have no elements.
func elements(v cty.Value) iter.Seq2[cty.PathStep, cty.Value] {
	return func(yield func(cty.PathStep, cty.Value) bool) {
		if absent(v) || !v.IsKnown() {
			return
		}
		isObject, isSet := v.Type().IsObjectType(), v.Type().IsSetType()
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			var step cty.PathStep = cty.IndexStep{Key: key}
			switch {
			case isObject:
				step = cty.GetAttrStep{Name: key.AsString()}
			case isSet: // a path must not hold a value
				step = ctyx.SetElement()
			}
			if !yield(step, elem) {
				return
			}
		}
	}
}

// elementAt returns the element that a step of [elements] leads to in
// another value, and whether there is one.
func elementAt(v cty.Value, step cty.PathStep) (cty.Value, bool) {
	if absent(v) || !v.IsKnown() {
		return cty.NilVal, false
	}
	switch s := step.(type) {
	case cty.GetAttrStep:
		if !v.Type().IsObjectType() || !v.Type().HasAttribute(s.Name) {
			return cty.NilVal, false
		}
		return v.GetAttr(s.Name), true
	case cty.IndexStep:
		has := v.HasIndex(s.Key)
		if !has.IsKnown() || has.False() {
			return cty.NilVal, false
		}
		return v.Index(s.Key), true
	}
	return cty.NilVal, false
}

// sameUnrefined reports whether a and b are equal when what is known about
// unknown values, beyond their type, does not count.
func sameUnrefined(a, b cty.Value) bool {
	if a.RawEquals(b) {
		return true
	}
	if a.IsWhollyKnown() || b.IsWhollyKnown() {
		return false
	}
	return unrefined(a).RawEquals(unrefined(b))
}

func unrefined(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() {
			return cty.UnknownVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil { // the callback returns none
		return v
	}
	return out
}

// extend returns path with one more step, never sharing its array.
func extend(path cty.Path, step cty.PathStep) cty.Path {
	out := make(cty.Path, len(path)+1)
	copy(out, path)
	out[len(path)] = step
	return out
}

func attrStep(name string) cty.PathStep { return cty.GetAttrStep{Name: name} }
