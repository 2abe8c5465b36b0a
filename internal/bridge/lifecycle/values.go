package lifecycle

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// plain is v without marks of secrecy and dependencies, at any depth.
func plain(v property.Value) property.Value {
	switch {
	case !marked(v):
		return v
	case v.IsArray():
		elems := v.AsArray().AsSlice()
		for i, e := range elems {
			elems[i] = plain(e)
		}
		return property.New(property.NewArray(elems))
	case v.IsMap():
		return property.New(plainMap(v.AsMap()))
	default:
		return v.WithSecret(false).WithDependencies(nil)
	}
}

// marked reports whether v or anything in it has marks. Most values have none,
// and need not be copied.
func marked(v property.Value) bool {
	return pvalue.Any(v, func(v property.Value) bool { return v.Secret() || len(v.Dependencies()) > 0 })
}

func plainMap(m property.Map) property.Map {
	members := m.AsMap()
	for k, v := range members {
		members[k] = plain(v)
	}
	return property.NewMap(members)
}

// same reports whether two values are equal but for marks.
func same(a, b property.Value) bool { return plain(a).Equals(plain(b)) }

// reserved reports whether a key is none of the program's: bridges keep their
// own notes beside the properties.
func reserved(key string) bool { return len(key) > 2 && key[:2] == "__" }

// withoutNotes is v without the notes that bridges leave in inputs, at any
// depth where the schema has an object.
func withoutNotes(o *mapping.Object, m property.Map) property.Map {
	out := pvalue.EditOf(m)
	for k, v := range m.All {
		p := o.Property(k)
		switch {
		case p != nil && translate.HasObjects(p.Type):
			out.Set(k, eachObject(p.Type, v, withoutNotes))
		case p == nil && reserved(k):
			out.Delete(k)
		}
	}
	return out.Map()
}

// eachObject returns v, of a type, with every object in it changed by f, but
// for objects inside those.
func eachObject(t *mapping.Type, v property.Value, f func(*mapping.Object, property.Map) property.Map) property.Value {
	switch {
	case v.IsMap() && t.Kind == mapping.KindObject:
		return property.WithGoValue(v, f(t.Object, v.AsMap()))
	case v.IsMap() && t.Kind == mapping.KindMap:
		members := v.AsMap().AsMap()
		for k, e := range members {
			members[k] = eachObject(t.Elem, e, f)
		}
		return property.WithGoValue(v, members)
	case v.IsArray() && t.Kind == mapping.KindArray:
		elems := v.AsArray().AsSlice()
		for i, e := range elems {
			elems[i] = eachObject(translate.ElementType(t, i), e, f)
		}
		return property.WithGoValue(v, property.NewArray(elems))
	default:
		return v
	}
}
