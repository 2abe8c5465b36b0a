package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// MarkSecrets makes what the schema calls sensitive or write-only secret.
func MarkSecrets(o *mapping.Object, m property.Map) property.Map {
	out := pvalue.EditOf(m)
	for _, p := range o.Properties {
		if v, ok := m.GetOk(p.Name); ok && (p.Secret || HasObjects(p.Type)) {
			out.Set(p.Name, markSecrets(p.Type, v).WithSecret(v.Secret() || p.Secret && !v.IsNull()))
		}
	}
	return out.Map()
}

// HasObjects reports whether values of a type have properties somewhere.
func HasObjects(t *mapping.Type) bool {
	for range t.Objects() {
		return true
	}
	return false
}

func markSecrets(t *mapping.Type, v property.Value) property.Value {
	switch {
	case t.Object != nil && v.IsMap():
		return property.WithGoValue(v, MarkSecrets(t.Object, v.AsMap()))
	case t.Elem != nil && v.IsArray():
		return eachElement(v, func(_ int, element property.Value) property.Value { return markSecrets(t.Elem, element) })
	case t.Elem != nil && v.IsMap():
		return eachMember(v, func(_ string, member property.Value) property.Value { return markSecrets(t.Elem, member) })
	default:
		return v
	}
}

// KeepSecrets marks in outputs, at the same places, what is secret in inputs
// or in earlier outputs: Terraform does not carry such marks through. The
// elements of a set have no places of their own, so that all are secret where
// one was; and so are the elements of a list whose length has changed.
func KeepSecrets(o *mapping.Object, outputs property.Map, sources ...property.Map) property.Map {
	for _, source := range sources {
		if source.HasSecrets() {
			outputs = keepSecrets(o, outputs, source)
		}
	}
	return outputs
}

func keepSecrets(o *mapping.Object, to, from property.Map) property.Map {
	out := pvalue.EditOf(to)
	for name, source := range from.All {
		v, ok := to.GetOk(name)
		if ok && source.HasSecrets() && !(source.Secret() && v.Secret()) {
			out.Set(name, keepSecret(propertyType(o, name), v, source))
		}
	}
	return out.Map()
}

// propertyType is the type of a property, or any where there is none.
func propertyType(o *mapping.Object, name string) *mapping.Type {
	if p := o.Property(name); p != nil {
		return p.Type
	}
	return anyType()
}

func keepSecret(t *mapping.Type, to, from property.Value) property.Value {
	switch {
	case to.IsNull() || !from.HasSecrets():
		return to
	case from.Secret():
		return to.WithSecret(true)
	case to.IsMap() && from.IsMap():
		return keepMembers(t, to, from.AsMap())
	case to.IsArray() && from.IsArray() && ordered(t) && to.AsArray().Len() == from.AsArray().Len():
		source := from.AsArray()
		return eachElement(to, func(i int, element property.Value) property.Value {
			return keepSecret(ElementType(t, i), element, source.Get(i))
		})
	default: // the places do not correspond
		return to.WithSecret(true)
	}
}

func keepMembers(t *mapping.Type, to property.Value, from property.Map) property.Value {
	if t.Object != nil {
		return property.WithGoValue(to, keepSecrets(t.Object, to.AsMap(), from))
	}
	return eachMember(to, func(key string, member property.Value) property.Value {
		return keepSecret(ElementType(t, 0), member, from.Get(key))
	})
}

// ordered reports whether the elements of an array stay in their places. What
// is dynamic may be a set.
func ordered(t *mapping.Type) bool { return t.Kind == mapping.KindArray && !t.Terraform.IsSetType() }

func eachElement(v property.Value, change func(int, property.Value) property.Value) property.Value {
	out := v.AsArray().AsSlice()
	for i := range out {
		out[i] = change(i, out[i])
	}
	return property.WithGoValue(v, property.NewArray(out))
}

func eachMember(v property.Value, change func(string, property.Value) property.Value) property.Value {
	out := v.AsMap().AsMap()
	for key := range out {
		out[key] = change(key, out[key])
	}
	return property.WithGoValue(v, property.NewMap(out))
}
