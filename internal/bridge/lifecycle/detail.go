package lifecycle

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// views are the values at one path, without marks and null where there are
// none: of the prior and of the planned state, and of what the engine shows
// to people, which are the stored outputs, the stored inputs and the new
// inputs.
type views struct {
	before, after           property.Value
	stored, oldInput, input property.Value
}

// key is what the views have under a key.
func (v views) key(key string) views {
	at := func(v property.Value) property.Value {
		if !v.IsMap() {
			return property.Value{}
		}
		return v.AsMap().Get(key)
	}
	return views{at(v.before), at(v.after), at(v.stored), at(v.oldInput), at(v.input)}
}

// index is what the views have at an index.
func (v views) index(i int) views {
	at := func(v property.Value) property.Value {
		if !v.IsArray() || i >= v.AsArray().Len() {
			return property.Value{}
		}
		return v.AsArray().Get(i)
	}
	return views{at(v.before), at(v.after), at(v.stored), at(v.oldInput), at(v.input)}
}

// entry is one difference at a path.
type entry struct {
	path property.Path
	diff PropertyDiff
}

// detail gathers the differences between two states, down to the property or
// element that differs.
type detail struct {
	// legacy says that the provider cannot tell null from zero.
	legacy bool
	shown  []entry
	// hidden are the provider's own: what it computes anew, because something
	// else changes. They are shown where there is nothing else to show.
	hidden []entry
}

// object compares the properties of an object. chosen says that the provider
// gave it, since the program does not.
func (d *detail) object(o *mapping.Object, v views, at property.Path, chosen bool) {
	for _, p := range o.Properties {
		d.property(p, v.key(p.Name), at, chosen)
	}
}

// property compares the values of one property of the object at a path.
func (d *detail) property(p *mapping.Property, v views, at property.Path, chosen bool) {
	if v.before.Equals(v.after) || d.legacy && v.zero() {
		return
	}
	path := at.AppendSegment(pvalue.Key(p.Name))
	if !p.Input() {
		d.hidden = append(d.hidden, entry{path, v.diff()})
		return
	}
	d.value(p.Type, v, path, v.input.IsNull() && (chosen || p.Computed))
}

// value compares two values that differ.
func (d *detail) value(t *mapping.Type, v views, at property.Path, chosen bool) {
	both := func(is func(property.Value) bool) bool { return is(v.before) && is(v.after) }
	switch {
	case v.before.Equals(v.after):
	case chosen && v.after.IsComputed():
		d.hidden = append(d.hidden, entry{at, v.diff()})
	case both(property.Value.IsMap) && t.Kind == mapping.KindObject:
		d.object(t.Object, v, at, chosen)
	case both(property.Value.IsMap):
		for _, key := range keys(v.before, v.after) {
			d.value(translate.ElementType(t, 0), v.key(key), at.AppendSegment(pvalue.Key(key)), chosen)
		}
	case both(property.Value.IsArray) && t.Terraform.IsSetType():
		d.set(v, at)
	case both(property.Value.IsArray):
		for i := range max(v.before.AsArray().Len(), v.after.AsArray().Len()) {
			d.value(translate.ElementType(t, i), v.index(i), at.AppendIndex(i), chosen)
		}
	default:
		d.shown = append(d.shown, entry{at, v.diff()})
	}
}

// zero reports whether the program says nothing and the states have no more
// than zeros.
func (v views) zero() bool { return v.input.IsNull() && isZeroValue(v.before) && isZeroValue(v.after) }

func isZeroValue(v property.Value) bool {
	switch {
	case v.IsString():
		return v.AsString() == ""
	case v.IsNumber():
		return v.AsNumber() == 0
	case v.IsBool():
		return !v.AsBool()
	default:
		return v.IsNull() || empty(v)
	}
}

// keys lists the keys of two maps, sorted.
func keys(a, b property.Value) []string {
	all := a.AsMap().AsMap()
	maps.Copy(all, b.AsMap().AsMap())
	return slices.Sorted(maps.Keys(all))
}

// diff is how the views differ as a whole. What the program no longer sets,
// so that the provider's default comes back, is a deletion to its inputs.
func (v views) diff() PropertyDiff {
	switch {
	case v.before.IsNull():
		return PropertyDiff{Kind: DiffAdd}
	case v.after.IsNull():
		return PropertyDiff{Kind: DiffDelete, Input: v.stored.IsNull() && !v.oldInput.IsNull()}
	case v.input.IsNull() && !v.oldInput.IsNull():
		return PropertyDiff{Kind: DiffDelete, Input: true}
	default:
		return PropertyDiff{Kind: DiffUpdate, Input: v.stored.IsNull() && !v.oldInput.IsNull()}
	}
}
