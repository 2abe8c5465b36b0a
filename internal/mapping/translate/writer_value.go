package translate

import (
	"strconv"
	"unicode/utf8"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// value writes a value of any type, null included.
func (w *writer) value(t *mapping.Type, v property.Value) cty.Value {
	v = dereference(v)
	switch {
	case v.IsComputed():
		return w.unknown(t.Terraform)
	case v.IsNull():
		return null(t.Terraform)
	}
	switch t.Kind {
	case mapping.KindString:
		return w.text(v)
	case mapping.KindNumber:
		return w.number(v)
	case mapping.KindBool:
		return w.boolean(v)
	case mapping.KindArray:
		return w.array(t, v)
	case mapping.KindMap:
		return w.mapping(t, v)
	case mapping.KindObject:
		if !v.IsMap() {
			return w.misfit(t.Terraform, expected("an object", v))
		}
		return w.object(t.Object, v.AsMap())
	default:
		return w.dynamic(v)
	}
}

// dereference puts its ID in the place of a resource, which may be unknown.
// A component has none, and its URN stands for it.
func dereference(v property.Value) property.Value {
	if !v.IsResourceReference() {
		return v
	}
	ref := v.AsResourceReference()
	if ref.ID.IsNull() {
		return property.New(string(ref.URN))
	}
	return ref.ID
}

func (w *writer) text(v property.Value) cty.Value {
	switch {
	case v.IsString():
		return w.utf8(v.AsString())
	case v.IsBool():
		return cty.StringVal(strconv.FormatBool(v.AsBool()))
	case v.IsNumber():
		return cty.StringVal(strconv.FormatFloat(v.AsNumber(), 'f', -1, 64))
	case v.IsAsset(), v.IsArchive():
		return w.file(v)
	default:
		return w.misfit(cty.String, expected("a string", v))
	}
}

// utf8 refuses bytes, which Terraform's strings cannot hold.
func (w *writer) utf8(s string) cty.Value {
	if !utf8.ValidString(s) {
		return w.misfit(cty.String, "The string is not UTF-8, as Terraform needs it")
	}
	return cty.StringVal(s)
}

// file is the path of an asset or archive, which must be a file: [FilePaths]
// has made it one, or has left it.
func (w *writer) file(v property.Value) cty.Value {
	path := filePath(v)
	if path == "" {
		return w.misfit(cty.String, "Expected a text, or a file to take the path of")
	}
	return w.utf8(path)
}

func (w *writer) boolean(v property.Value) cty.Value {
	switch {
	case v.IsBool():
		return cty.BoolVal(v.AsBool())
	case v.IsString() && v.AsString() == "true":
		return cty.True
	case v.IsString() && v.AsString() == "false":
		return cty.False
	default:
		return w.misfit(cty.Bool, expected("a bool", v))
	}
}

func (w *writer) array(t *mapping.Type, v property.Value) cty.Value {
	if t.Elems != nil && v.IsMap() {
		v = tupleArray(v.AsMap(), len(t.Elems))
	}
	if !v.IsArray() {
		return w.misfit(t.Terraform, expected("an array", v))
	}
	elements := v.AsArray()
	if t.Elem == nil && elements.Len() != len(t.Elems) {
		return w.misfit(t.Terraform, "Expected an array of "+strconv.Itoa(len(t.Elems))+" elements, got "+strconv.Itoa(elements.Len()))
	}
	out := make([]cty.Value, elements.Len())
	for i, element := range elements.All {
		w.in(atIndex(i), func() { out[i] = w.value(ElementType(t, i), element) })
	}
	return w.sequence(t.Terraform, out)
}

// tupleArray reads a tuple as Pulumi's own bridge has it: an object with the
// keys t0, t1 and so on. Any other object is returned as it is.
func tupleArray(m property.Map, length int) property.Value {
	out := make([]property.Value, length)
	for i := range out {
		v, ok := m.GetOk("t" + strconv.Itoa(i))
		if !ok || m.Len() != length {
			return property.New(m)
		}
		out[i] = v
	}
	return property.New(property.NewArray(out))
}

func (w *writer) mapping(t *mapping.Type, v property.Value) cty.Value {
	if !v.IsMap() {
		return w.misfit(t.Terraform, expected("a map", v))
	}
	out := make(map[string]cty.Value, v.AsMap().Len())
	for key, member := range v.AsMap().All {
		w.in(atKey(key), func() { out[key] = w.value(t.Elem, member) })
	}
	return w.dictionary(t.Terraform, out)
}

// sequence is a list, set or tuple.
func (w *writer) sequence(ty cty.Type, elements []cty.Value) cty.Value {
	switch {
	case !ty.IsListType() && !ty.IsSetType():
		return cty.TupleVal(elements)
	case len(elements) == 0 && ty.IsListType():
		return cty.ListValEmpty(plain(ty.ElementType()))
	case len(elements) == 0:
		return cty.SetValEmpty(plain(ty.ElementType()))
	case !uniform(elements):
		return w.misfit(ty, "All elements must be of one type")
	case ty.IsListType():
		return cty.ListVal(elements)
	default:
		return cty.SetVal(elements)
	}
}

// dictionary is a map, or an object with free keys.
func (w *writer) dictionary(ty cty.Type, members map[string]cty.Value) cty.Value {
	switch {
	case !ty.IsMapType():
		return cty.ObjectVal(members)
	case len(members) == 0:
		return cty.MapValEmpty(plain(ty.ElementType()))
	case !uniformMembers(members):
		return w.misfit(ty, "All elements must be of one type")
	default:
		return cty.MapVal(members)
	}
}

// uniform reports whether all values have one type. Those under a type
// without dynamic parts always do.
func uniform(vals []cty.Value) bool {
	for _, v := range vals[1:] {
		if !v.Type().Equals(vals[0].Type()) {
			return false
		}
	}
	return true
}

func uniformMembers(members map[string]cty.Value) bool {
	vals := make([]cty.Value, 0, len(members))
	for _, v := range members {
		vals = append(vals, v)
	}
	return uniform(vals)
}

func expected(what string, v property.Value) string {
	return "Expected " + what + ", got " + kind(v)
}

// kind names what v is.
func kind(v property.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case v.IsBool():
		return "a bool"
	case v.IsNumber():
		return "a number"
	case v.IsString():
		return "a string"
	case v.IsArray():
		return "an array"
	case v.IsMap():
		return "an object"
	case v.IsAsset():
		return "an asset"
	case v.IsArchive():
		return "an archive"
	default:
		return "something else"
	}
}
