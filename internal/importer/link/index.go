package link

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Index finds resources by type, root attribute and value in constant time,
// also among those alone that agree with a resource in other attributes.
type Index struct {
	resources []Resource
	entries   map[indexKey]holders
}

// holders are the positions of the resources that have a value, at least one;
// nearly always it is one.
type holders struct {
	first int32
	more  []int32 // ascending
}

func (h holders) last() int32 {
	if len(h.more) == 0 {
		return h.first
	}
	return h.more[len(h.more)-1]
}

type indexKey struct {
	resourceType string
	lookup
	scope, value string
}

// maxValue bounds the values that are looked up, in bytes: nothing longer
// names a resource.
const maxValue = 2048

// maxBits bounds the numbers that are looked up.
const maxBits = 256

// NewIndex indexes the attributes that rules lead to: root attributes and
// identity attributes of resources that are strings or numbers. Null and empty
// values, and what is sensitive or write-only, are left out. The index keeps
// resources.
func NewIndex(resources []Resource, rules *Rules) *Index {
	x := &Index{resources: resources, entries: map[indexKey]holders{}}
	lookups := rules.lookups()
	for i, r := range resources {
		wanted := lookups[r.Addr.Type]
		x.add(int32(i), r, wanted, r.State, r.Schema)
		x.add(int32(i), r, wanted, r.Identity, nil)
	}
	return x
}

func (x *Index) add(i int32, r Resource, wanted map[lookup]bool, object cty.Value, schema *tfschema.Block) {
	for l := range wanted {
		if !hasRoot(object, l.attribute) || !mayRefer(schema, l.attribute) {
			continue
		}
		text, ok := keyValue(object.GetAttr(l.attribute))
		if !ok {
			continue
		}
		scope, ok := r.scope(l.theirs())
		if !ok {
			continue
		}
		key := indexKey{r.Addr.Type, l, scope, text}
		have, found := x.entries[key]
		switch {
		case !found:
			x.entries[key] = holders{first: i}
		case have.last() != i: // state and identity often agree
			x.entries[key] = holders{have.first, append(have.more, i)}
		}
	}
}

// hasRoot reports whether a state or an identity can be asked for an attribute.
func hasRoot(object cty.Value, name string) bool {
	return object != cty.NilVal && !object.IsMarked() && !object.IsNull() && object.IsKnown() &&
		object.Type().IsObjectType() && object.Type().HasAttribute(name)
}

// mayRefer reports whether configuration may repeat what an attribute holds.
func mayRefer(schema *tfschema.Block, name string) bool {
	if schema == nil {
		return true
	}
	a := schema.Attribute(name)
	return a != nil && !a.Sensitive && !a.WriteOnly
}

// find returns the resources that a target means by a value in resource from,
// and whether there are any.
func (x *Index) find(from int32, target *Target, value string) (holders, bool) {
	scope, ok := x.resources[from].scope(target.ours())
	if !ok {
		return holders{}, false
	}
	h, found := x.entries[indexKey{target.Type, target.lookup(), scope, value}]
	return h, found
}

// referable returns the root attribute of resource i to refer to for a value
// found under attribute, and the type of its value. That is the attribute
// itself, or, where only the identity has it, the id if it is the same value.
// It returns "" where no root attribute says it.
func (x *Index) referable(i int32, attribute, value string) (string, cty.Type) {
	r := x.resources[i]
	for _, name := range []string{attribute, "id"} {
		if !r.State.Type().HasAttribute(name) || !mayRefer(r.Schema, name) {
			continue
		}
		v := r.State.GetAttr(name)
		if text, ok := keyValue(v); ok && text == value {
			return name, v.Type()
		}
	}
	return "", cty.NilType
}

// keyValue writes a string or number as the index has it: as the language
// would convert it to a string.
func keyValue(v cty.Value) (string, bool) {
	if v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return "", false
	}
	switch v.Type() {
	case cty.String:
		text := v.AsString()
		return text, text != "" && len(text) <= maxValue
	case cty.Number:
		return numberKey(v)
	}
	return "", false
}

func numberKey(v cty.Value) (string, bool) {
	f := v.AsBigFloat()
	if !f.IsInt() || f.MantExp(nil) > maxBits { // fractions and huge numbers name nothing
		return "", false
	}
	return f.Text('f', 0), true
}
