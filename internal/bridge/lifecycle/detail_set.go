package lifecycle

import (
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// set compares sets by element: in which order they come says nothing. An
// element that goes has the index of the stored outputs, and one that comes
// has that of the new inputs, for there the engine looks. Where an element is
// in neither, the set as a whole is what differs.
func (d *detail) set(v views, at property.Path) {
	if d.legacy { // null and zero come and go in the elements
		v.before, v.after, v.stored, v.input = withoutZeros(v.before), withoutZeros(v.after), withoutZeros(v.stored), withoutZeros(v.input)
	}
	gone, come := unpaired(elements(v.before), elements(v.after), equal)
	if !v.input.HasComputed() {
		// What is unknown in an element is the provider's doing.
		before := len(come)
		gone, come = unpaired(gone, come, sameAsFarAsKnown)
		if len(come) < before {
			d.hidden = append(d.hidden, entry{at, PropertyDiff{Kind: DiffUpdate}})
		}
	}
	from, foundAll := places(gone, elements(v.stored), equal)
	to, foundMore := places(come, elements(v.input), derives)
	if !foundAll || !foundMore {
		d.shown = append(d.shown, entry{at, PropertyDiff{Kind: DiffUpdate}})
		return
	}
	for i := range from {
		kind := DiffDelete
		if to[i] {
			kind = DiffUpdate
		}
		d.shown = append(d.shown, entry{at.AppendIndex(i), PropertyDiff{Kind: kind}})
	}
	for i := range to {
		if !from[i] {
			d.shown = append(d.shown, entry{at.AppendIndex(i), PropertyDiff{Kind: DiffAdd}})
		}
	}
}

func elements(v property.Value) []property.Value {
	if !v.IsArray() {
		return nil
	}
	return v.AsArray().AsSlice()
}

type match func(a, b property.Value) bool

func equal(a, b property.Value) bool { return a.Equals(b) }

func sameAsFarAsKnown(a, b property.Value) bool { return a.Equals(b, property.EqualRelaxComputed) }

// unpaired returns the elements of either list that none of the other
// matches.
func unpaired(as, bs []property.Value, m match) (onlyA, onlyB []property.Value) {
	pool := pool{all: bs, used: make([]bool, len(bs))}
	for _, a := range as {
		if _, ok := pool.take(a, m); !ok {
			onlyA = append(onlyA, a)
		}
	}
	for i, b := range bs {
		if !pool.used[i] {
			onlyB = append(onlyB, b)
		}
	}
	return onlyA, onlyB
}

// places are the indices at which a list has the elements, and whether it
// has all of them.
func places(elems, list []property.Value, m match) (at map[int]bool, all bool) {
	pool := pool{all: list, used: make([]bool, len(list))}
	at = map[int]bool{}
	for _, e := range elems {
		i, ok := pool.take(e, m)
		if !ok {
			return nil, false
		}
		at[i] = true
	}
	return at, true
}

// pool gives out the elements of a list, each once.
type pool struct {
	all  []property.Value
	used []bool
	next int // where to look first: lists mostly have one order
}

// take finds an element that e matches.
func (p *pool) take(e property.Value, m match) (int, bool) {
	for n := range p.all {
		i := (p.next + n) % len(p.all)
		if !p.used[i] && m(e, p.all[i]) {
			p.used[i] = true
			p.next = i + 1
			return i, true
		}
	}
	return 0, false
}

// withoutZeros is v without the zeros in its objects, at any depth.
func withoutZeros(v property.Value) property.Value {
	switch {
	case v.IsMap():
		members := v.AsMap().AsMap()
		for key, m := range members {
			if members[key] = withoutZeros(m); isZeroValue(members[key]) {
				delete(members, key)
			}
		}
		return property.New(property.NewMap(members))
	case v.IsArray():
		elems := elements(v)
		for i, e := range elems {
			elems[i] = withoutZeros(e)
		}
		return property.New(property.NewArray(elems))
	default:
		return v
	}
}

// derives reports whether a planned element may be what becomes of an input:
// whatever the input says is there. What else is there, the provider gives.
func derives(planned, input property.Value) bool {
	switch {
	case input.IsNull(), input.IsComputed(), planned.IsComputed():
		return true
	case input.IsMap() && planned.IsMap():
		for key, v := range input.AsMap().All {
			if !derives(planned.AsMap().Get(key), v) {
				return false
			}
		}
		return true
	case input.IsArray() && planned.IsArray():
		rest, missing := unpaired(elements(planned), elements(input), derives)
		return len(rest)+len(missing) == 0
	default:
		return scalar(planned) == scalar(input) && !planned.IsNull()
	}
}

// scalar is a value as text: programs may write numbers and bools in strings.
func scalar(v property.Value) string {
	switch {
	case v.IsString():
		return v.AsString()
	case v.IsBool():
		return strconv.FormatBool(v.AsBool())
	case v.IsNumber():
		return strconv.FormatFloat(v.AsNumber(), 'f', -1, 64)
	default:
		return ""
	}
}
