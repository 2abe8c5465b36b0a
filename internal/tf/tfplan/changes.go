package tfplan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Change is one difference between two values. Path leads to it in both; its
// last step into a set is [ctyx.SetElement], for a path must not hold a value.
// An element that only one side has is a null of its type on the other.
type Change struct {
	Path          cty.Path
	Before, After cty.Value
}

// IsNoOp reports whether a plan changes nothing: planned equals prior and
// has no unknown values. Source: OpenTofu 1.12.6, the action of a plan.
func IsNoOp(prior, planned cty.Value) bool {
	if absent(prior) || absent(planned) {
		return absent(prior) && absent(planned)
	}
	return ctyx.Equal(planned, prior)
}

// Changes lists the differences in the order of the values: attributes and
// keys sorted, elements by index. It goes down to the attribute or element
// that differs; where one side is null or unknown the whole value is one
// change. Elements of sets are there or not; they never change inside.
// Nothing differs, and the result is nil, exactly where [IsNoOp] holds.
// Neither value has marks; cty.NilVal counts as null.
func Changes(prior, planned cty.Value) []Change {
	return changesBut(prior, planned, tfprovider.Kept{})
}

// changesBut is Changes where it is known what planned has of prior.
func changesBut(prior, planned cty.Value, same tfprovider.Kept) []Change {
	if absent(prior) && absent(planned) {
		return nil
	}
	if prior == cty.NilVal {
		prior = cty.NullVal(planned.Type())
	}
	if planned == cty.NilVal {
		planned = cty.NullVal(prior.Type())
	}
	var d differ
	switch {
	case same.Whole() && ctyx.WhollyKnown(planned):
		return nil
	case same.Known():
		d.others(prior, planned, same)
	default:
		d.compare(prior, planned, nil)
	}
	if len(d.changes) == 0 && !IsNoOp(prior, planned) { // they differ in the type of a dynamic null
		d.add(nil, prior, planned)
	}
	return d.changes
}

type differ struct{ changes []Change }

// others compares the attributes of two objects that are not known to be the
// same.
func (d *differ) others(before, after cty.Value, same tfprovider.Kept) {
	for _, name := range slices.Sorted(slices.Values(same.Others())) {
		d.pair(before.GetAttr(name), after.GetAttr(name), nil, attrStep(name))
	}
}

func (d *differ) add(path cty.Path, before, after cty.Value) {
	d.changes = append(d.changes, Change{Path: path, Before: before, After: after})
}

// compare descends into two values that are not known to be equal.
func (d *differ) compare(before, after cty.Value, path cty.Path) {
	switch {
	case before.IsNull() || after.IsNull() || !before.IsKnown() || !after.IsKnown():
		if !IsNoOp(before, after) {
			d.add(path, before, after)
		}
	case bothAre(before, after, cty.Type.IsObjectType), bothAre(before, after, cty.Type.IsMapType),
		bothAre(before, after, cty.Type.IsListType), bothAre(before, after, cty.Type.IsTupleType):
		d.keyed(before, after, path)
	case bothAre(before, after, cty.Type.IsSetType):
		d.sets(before, after, path)
	case !IsNoOp(before, after):
		d.add(path, before, after)
	}
}

func bothAre(a, b cty.Value, is func(cty.Type) bool) bool {
	return is(a.Type()) && is(b.Type())
}

// keyed compares by attribute, key or index.
func (d *differ) keyed(before, after cty.Value, path cty.Path) {
	for step, was := range elements(before) {
		now, ok := elementAt(after, step)
		if !ok {
			d.add(extend(path, step), was, cty.NullVal(was.Type()))
			continue
		}
		d.pair(was, now, path, step)
	}
	for step, now := range elements(after) {
		if _, ok := elementAt(before, step); !ok {
			d.add(extend(path, step), cty.NullVal(now.Type()), now)
		}
	}
}

// pair makes the path only for elements that differ, which few do.
func (d *differ) pair(was, now cty.Value, path cty.Path, step cty.PathStep) {
	if was.Type().IsPrimitiveType() && now.Type().IsPrimitiveType() && IsNoOp(was, now) {
		return
	}
	d.compare(was, now, extend(path, step))
}

func (d *differ) sets(before, after cty.Value, path cty.Path) {
	count := len(d.changes)
	kept := indexSet(after)
	for _, was := range before.AsValueSlice() {
		if !kept.take(was) {
			d.add(extend(path, ctyx.SetElement()), was, cty.NullVal(was.Type()))
		}
	}
	old := indexSet(before)
	for _, now := range after.AsValueSlice() {
		if !old.take(now) {
			d.add(extend(path, ctyx.SetElement()), cty.NullVal(now.Type()), now)
		}
	}
	if len(d.changes) == count && !IsNoOp(before, after) {
		d.add(path, before, after) // equal but for what is unknown
	}
}

// setIndex finds elements of a set in constant time.
type setIndex map[int][]cty.Value

func indexSet(set cty.Value) setIndex {
	index := make(setIndex, set.LengthInt())
	for _, elem := range set.AsValueSlice() {
		hash := elem.Hash()
		index[hash] = append(index[hash], elem)
	}
	return index
}

// take reports whether the set has elem.
func (s setIndex) take(elem cty.Value) bool {
	for _, candidate := range s[elem.Hash()] {
		if IsNoOp(candidate, elem) {
			return true
		}
	}
	return false
}
