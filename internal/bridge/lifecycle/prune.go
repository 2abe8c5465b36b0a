package lifecycle

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// keeper decides whether configuration says an attribute's value, which is
// not null. given is what the provider gives where it says nothing, or
// cty.NilVal where that is not known.
type keeper func(attr *tfschema.Attribute, v, given cty.Value) bool

// keepSettable keeps whatever can be said.
func keepSettable(attr *tfschema.Attribute, _, _ cty.Value) bool {
	return attr.Configurable() && !attr.WriteOnly
}

// keepNeeded keeps what the provider has no value of its own for.
func keepNeeded(attr *tfschema.Attribute, v, given cty.Value) bool {
	return keepSettable(attr, v, given) && (attr.Required || !attr.Computed && !isZero(v))
}

// keepTelling keeps what is not as the provider would give it. Zeros are what
// the legacy SDK has for null.
func keepTelling(attr *tfschema.Attribute, v, given cty.Value) bool {
	if attr.Required {
		return true
	}
	asGiven := attr.Computed && given != cty.NilVal && given.IsWhollyKnown() && given.RawEquals(v)
	return !attr.Deprecated && !asGiven && !isZero(v)
}

func isZero(v cty.Value) bool {
	switch ty := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return false
	case ty == cty.String:
		return v.AsString() == ""
	case ty == cty.Number:
		return v.RawEquals(cty.Zero)
	case ty == cty.Bool:
		return v.False()
	case ty.IsCollectionType():
		return v.LengthInt() == 0
	default:
		return false
	}
}

// pruneBlock returns a block with only what keep wants of it.
func pruneBlock(block *tfschema.Block, v, given cty.Value, keep keeper) cty.Value {
	if v.IsNull() {
		return v
	}
	vals := v.AsValueMap()
	pruneAttributes(block.Attributes, vals, given, keep)
	for _, nested := range block.Blocks {
		vals[nested.Name] = pruneEach(nested.Nesting, vals[nested.Name], member(given, nested.Name),
			func(v, given cty.Value) cty.Value { return pruneBlock(nested.Block, v, given, keep) })
	}
	return cty.ObjectVal(vals)
}

func pruneAttributes(attrs []*tfschema.Attribute, vals map[string]cty.Value, given cty.Value, keep keeper) {
	for _, attr := range attrs {
		v, given := vals[attr.Name], member(given, attr.Name)
		switch {
		case v.IsNull():
		case !keep(attr, v, given):
			vals[attr.Name] = cty.NullVal(attr.Type)
		case attr.Nested != nil:
			vals[attr.Name] = pruneEach(attr.Nested.Nesting, v, given, func(v, given cty.Value) cty.Value {
				if v.IsNull() {
					return v
				}
				inner := v.AsValueMap()
				pruneAttributes(attr.Nested.Attributes, inner, given, keep)
				return cty.ObjectVal(inner)
			})
		}
	}
}

// pruneEach prunes every object of a nested block or attribute. Those of a
// set are not known by any place, so that nothing is known to be given.
func pruneEach(nesting tfschema.Nesting, v, given cty.Value, prune func(v, given cty.Value) cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		return prune(v, given)
	}
	if v.LengthInt() == 0 {
		return v
	}
	if isDictionary(v.Type()) {
		return pruneMembers(v, given, prune)
	}
	return pruneElements(v, given, prune)
}

// pruneMembers prunes a map, or an object in its place. Where members are no
// longer of one type, as dynamic ones may be, none is pruned.
func pruneMembers(v, given cty.Value, prune func(v, given cty.Value) cty.Value) cty.Value {
	vals := v.AsValueMap()
	for key, elem := range vals {
		vals[key] = prune(elem, member(given, key))
	}
	switch {
	case v.Type().IsObjectType():
		return cty.ObjectVal(vals)
	case cty.CanMapVal(vals):
		return cty.MapVal(vals)
	default:
		return v
	}
}

// pruneElements does the same for a list, set or tuple.
func pruneElements(v, given cty.Value, prune func(v, given cty.Value) cty.Value) cty.Value {
	vals := v.AsValueSlice()
	for i, elem := range vals {
		vals[i] = prune(elem, element(given, i))
	}
	switch ty := v.Type(); {
	case ty.IsTupleType():
		return cty.TupleVal(vals)
	case ty.IsSetType() && cty.CanSetVal(vals):
		return cty.SetVal(vals)
	case ty.IsListType() && cty.CanListVal(vals):
		return cty.ListVal(vals)
	default:
		return v
	}
}

// member is what an object or map has under a name, or cty.NilVal.
func member(v cty.Value, name string) cty.Value {
	switch {
	case v == cty.NilVal || v.IsNull() || !v.IsKnown():
		return cty.NilVal
	case v.Type().IsObjectType() && v.Type().HasAttribute(name):
		return v.GetAttr(name)
	case v.Type().IsMapType() && v.HasIndex(cty.StringVal(name)).True():
		return v.Index(cty.StringVal(name))
	default:
		return cty.NilVal
	}
}

// element is what a list or tuple has at an index, or cty.NilVal.
func element(v cty.Value, i int) cty.Value {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || !v.Type().IsListType() && !v.Type().IsTupleType() || i >= v.LengthInt() {
		return cty.NilVal
	}
	return v.Index(cty.NumberIntVal(int64(i)))
}
