package tfstate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A flatmap is a state object of Terraform before 0.12: one string per leaf,
// under a path of names and keys joined by dots. Lists and sets have their
// length under "#" and maps under "%"; elements of sets, and in the oldest
// states of lists, have a hash for an index. What is null is not there.

// unknownMarker is the value of what was not known yet, and also of the
// count of a collection that was not.
const unknownMarker = "74D93920-ED26-11E3-AC10-0800200C9A66"

// The keys that counts are under.
const (
	listCount = "#"
	mapCount  = "%"
)

// maxSparse is how many elements of one list may be null, and so have no
// key: more than that is taken for a corrupt count.
const maxSparse = 1024

// flatKeys is a flatmap with its keys sorted, so that all keys under one
// prefix are found together.
type flatKeys struct {
	values map[string]string
	keys   []string
}

func newFlatKeys(m map[string]string) flatKeys {
	return flatKeys{m, slices.Sorted(maps.Keys(m))}
}

// under returns the keys that begin with prefix, sorted.
func (f flatKeys) under(prefix string) []string {
	start := sort.SearchStrings(f.keys, prefix)
	n := sort.Search(len(f.keys)-start, func(i int) bool { return !strings.HasPrefix(f.keys[start+i], prefix) })
	return f.keys[start : start+n]
}

// indexes returns the distinct next steps below a prefix, in key order,
// without the count; "" counts nothing.
func (f flatKeys) indexes(prefix, count string) []string {
	var out []string
	for _, key := range f.under(prefix) {
		index, _, _ := strings.Cut(key[len(prefix):], ".")
		if (count == "" || index != count) && (len(out) == 0 || out[len(out)-1] != index) {
			out = append(out, index)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// DecodeFlatmap decodes a flatmap as a value of the object type ty. A nil
// map is null. Keys that ty has no place for, counts that do not agree with
// the elements, and leaves of the wrong type are errors, which carry a
// cty.Path. Memory is bounded by the size of m.
//
// Source: spec/formation-importer.md, "Parsing InstanceState"; the encoding
// of Terraform 0.11 (flatmap, and terraform-plugin-sdk's hcl2shim).
func DecodeFlatmap(m map[string]string, ty cty.Type) (v cty.Value, err error) {
	if m == nil {
		return cty.NullVal(ty), nil
	}
	if !ty.IsObjectType() {
		return cty.NilVal, errors.New("a flatmap can only be decoded as an object")
	}
	d := flatDecoder{flatKeys: newFlatKeys(m), used: make(map[string]bool, len(m))}
	v, err = d.object("", ty, nil)
	if err != nil {
		return cty.NilVal, err
	}
	for _, key := range d.keys {
		if !d.used[key] {
			return cty.NilVal, fmt.Errorf("flat attribute %q has no place in the schema", key)
		}
	}
	return v, nil
}

type flatDecoder struct {
	flatKeys
	used map[string]bool
}

// take returns the value of a key and notes that it has a place.
func (d flatDecoder) take(key string) (string, bool) {
	s, ok := d.values[key]
	if ok {
		d.used[key] = true
	}
	return s, ok
}

// value decodes what is at key, or below it.
func (d flatDecoder) value(key string, ty cty.Type, path cty.Path) (cty.Value, error) {
	switch {
	case ty.IsPrimitiveType():
		return d.primitive(key, ty, path)
	case ty.IsObjectType():
		return d.object(key+".", ty, path)
	case ty.IsTupleType():
		return d.tuple(key+".", ty, path)
	case ty.IsListType():
		return d.list(key+".", ty, path)
	case ty.IsSetType():
		return d.set(key+".", ty, path)
	case ty.IsMapType():
		return d.mapping(key+".", ty, path)
	default:
		return cty.NilVal, path.NewErrorf("a flatmap cannot hold a value of type %s", ty.FriendlyName())
	}
}

func (d flatDecoder) primitive(key string, ty cty.Type, path cty.Path) (cty.Value, error) {
	s, ok := d.take(key)
	if !ok {
		return cty.NullVal(ty), nil
	}
	if s == unknownMarker {
		return cty.UnknownVal(ty), nil
	}
	v, err := convert.Convert(cty.StringVal(s), ty)
	if err != nil {
		return cty.NilVal, path.NewError(err)
	}
	return v, nil
}

// object decodes attributes below prefix, which is "" or ends with a dot.
// Objects are never null: nothing tells them from objects of nulls.
func (d flatDecoder) object(prefix string, ty cty.Type, path cty.Path) (cty.Value, error) {
	vals := make(map[string]cty.Value, len(ty.AttributeTypes()))
	for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
		v, err := d.value(prefix+name, ty.AttributeType(name), append(path, cty.GetAttrStep{Name: name}))
		if err != nil {
			return cty.NilVal, err
		}
		vals[name] = v
	}
	return cty.ObjectVal(vals), nil
}

// count reads the count of a collection. found is false where the collection
// is null, unknown is true where its count is.
func (d flatDecoder) count(prefix, key string, path cty.Path) (n int, found, unknown bool, err error) {
	s, ok := d.take(prefix + key)
	switch {
	case !ok && len(d.under(prefix)) > 0:
		return 0, false, false, path.NewErrorf("there are elements but no count under %q", key)
	case !ok:
		return 0, false, false, nil
	case s == unknownMarker:
		return 0, true, true, nil
	}
	n, err = strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, true, false, path.NewErrorf("count %q is not a whole number", s)
	}
	return n, true, false, nil
}

func (d flatDecoder) set(prefix string, ty cty.Type, path cty.Path) (cty.Value, error) {
	n, found, unknown, err := d.count(prefix, listCount, path)
	switch {
	case err != nil:
		return cty.NilVal, err
	case !found:
		return cty.NullVal(ty), nil
	case unknown:
		return cty.UnknownVal(ty), nil
	}
	keys := d.indexes(prefix, listCount)
	if len(keys) != n {
		return cty.NilVal, path.NewErrorf("there are %d elements and the count is %d", len(keys), n)
	}
	vals := make([]cty.Value, 0, len(keys))
	for _, key := range keys {
		// Elements of sets have no path of their own.
		v, err := d.value(prefix+key, ty.ElementType(), append(path, cty.IndexStep{Key: cty.DynamicVal}))
		if err != nil {
			return cty.NilVal, err
		}
		vals = append(vals, v)
	}
	if len(vals) == 0 {
		return cty.SetValEmpty(ty.ElementType()), nil
	}
	return cty.SetVal(vals), nil
}

// mapping decodes a map. Its keys may have dots, and so the whole rest of a
// flat key is the key; therefore maps are of primitive elements only.
func (d flatDecoder) mapping(prefix string, ty cty.Type, path cty.Path) (cty.Value, error) {
	if !ty.ElementType().IsPrimitiveType() {
		return cty.NilVal, path.NewErrorf("a flatmap cannot hold a value of type %s", ty.FriendlyName())
	}
	n, found, unknown, err := d.count(prefix, mapCount, path)
	switch {
	case err != nil:
		return cty.NilVal, err
	case !found:
		return cty.NullVal(ty), nil
	case unknown:
		return cty.UnknownVal(ty), nil
	}
	vals := map[string]cty.Value{}
	for _, flat := range d.under(prefix) {
		key := flat[len(prefix):]
		if key == mapCount {
			continue
		}
		v, err := d.primitive(flat, ty.ElementType(), append(path, cty.IndexStep{Key: cty.StringVal(key)}))
		if err != nil {
			return cty.NilVal, err
		}
		vals[key] = v
	}
	switch {
	case len(vals) != n:
		return cty.NilVal, path.NewErrorf("there are %d elements and the count is %d", len(vals), n)
	case n == 0:
		return cty.MapValEmpty(ty.ElementType()), nil
	}
	return cty.MapVal(vals), nil
}
