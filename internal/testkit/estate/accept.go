package estate

import (
	"maps"
	"reflect"
	"slices"
)

// accept checks what a client sent against the table and returns the object to
// store (defaults filled, collections in canonical order) and its secrets.
// With a prior object it is an update: computed fields carry over, and
// immutable fields must not change.
func (k *Kind) accept(in, prior Object) (obj, secrets Object, err error) {
	obj, err = acceptFields(k.Fields, in, "", prior != nil)
	if err != nil {
		return nil, nil, err
	}
	if k.rule != nil {
		if err := k.rule(obj); err != nil {
			return nil, nil, err
		}
	}
	secrets = Object{}
	for _, f := range k.Fields {
		if value, ok := obj[f.Name]; ok && f.Secret {
			secrets[f.Name] = value
			delete(obj, f.Name)
		}
	}
	if k.derive != nil {
		k.derive(obj)
	}
	if prior == nil {
		return obj, secrets, nil
	}
	return obj, secrets, k.carry(obj, prior)
}

// carry completes an update: computed fields stay, immutable fields must.
func (k *Kind) carry(obj, prior Object) error {
	for _, f := range k.Fields {
		old, had := prior[f.Name]
		now, has := obj[f.Name]
		switch {
		case f.Computed || f.Immutable && !has:
			if had && !has {
				obj[f.Name] = old
			}
		case f.Immutable && !reflect.DeepEqual(old, now):
			return invalid("%s: cannot be changed from %v to %v", f.Name, old, now)
		}
	}
	return nil
}

func acceptFields(fields []Field, in Object, prefix string, update bool) (Object, error) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if _, known := findField(fields, name); !known {
			return nil, invalid("%s%s: there is no such field", prefix, name)
		}
	}
	out := Object{}
	for _, f := range fields {
		value, sent := in[f.Name]
		if sent && f.Computed {
			return nil, invalid("%s%s: field is set by the service", prefix, f.Name)
		}
		if !sent || value == nil {
			if f.Required && !(update && f.Secret) {
				return nil, invalid("%s%s: field is required", prefix, f.Name)
			}
			if f.Default != nil {
				out[f.Name] = canonicalDefault(f.Default)
			}
			continue
		}
		accepted, err := acceptValue(f.Type, value, prefix+f.Name, update)
		if err != nil {
			return nil, err
		}
		out[f.Name] = accepted
	}
	return out, nil
}

func acceptValue(t Type, value any, path string, update bool) (any, error) {
	switch t.Shape {
	case Nested:
		in, ok := value.(Object)
		if !ok {
			return nil, invalid("%s: must be an object", path)
		}
		return acceptFields(t.Fields, in, path+".", update)
	case List, Set:
		return acceptList(t, value, path, update)
	case Map:
		in, ok := value.(Object)
		if !ok {
			return nil, invalid("%s: must be an object", path)
		}
		out := Object{}
		for name, elem := range in {
			accepted, err := acceptValue(*t.Elem, elem, path+"."+name, update)
			if err != nil {
				return nil, err
			}
			out[name] = accepted
		}
		return out, nil
	}
	return acceptScalar(t.Shape, value, path)
}

func acceptList(t Type, value any, path string, update bool) (any, error) {
	in, ok := value.([]any)
	if !ok {
		return nil, invalid("%s: must be an array", path)
	}
	out := make([]any, 0, len(in))
	for _, elem := range in {
		accepted, err := acceptValue(*t.Elem, elem, path+"[]", update)
		if err != nil {
			return nil, err
		}
		out = append(out, accepted)
	}
	if t.Shape == Set {
		out = canonicalSet(out)
	}
	return out, nil
}

// exactlyOne is a rule: one of two fields, not both.
func exactlyOne(a, b string) func(Object) error {
	return func(obj Object) error {
		_, hasA := obj[a]
		_, hasB := obj[b]
		if hasA == hasB {
			return invalid("exactly one of %s and %s must be set", a, b)
		}
		return nil
	}
}

// atMostOne is a rule: two fields exclude each other.
func atMostOne(a, b string) func(Object) error {
	return func(obj Object) error {
		_, hasA := obj[a]
		_, hasB := obj[b]
		if hasA && hasB {
			return invalid("%s and %s exclude each other", a, b)
		}
		return nil
	}
}
