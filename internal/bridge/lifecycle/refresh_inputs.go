package lifecycle

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// refreshInputs brings inputs up to date with a refresh that found other
// outputs than before. An input follows its output where that has changed,
// and stays where it has not: a provider may well write it in another way.
// What the program does not set is no input, whatever has become of it.
func refreshInputs(o *mapping.Object, inputs, before, now property.Map) property.Map {
	refreshed := pvalue.EditOf(inputs)
	for name, input := range inputs.All {
		p := o.Property(name)
		if p == nil {
			if reserved(name) {
				refreshed.Delete(name)
			}
			continue
		}
		was, is := before.Get(name), now.Get(name)
		switch {
		case same(was, is):
		case is.IsNull():
			refreshed.Delete(name)
		default:
			refreshed.Set(name, refreshInput(p.Type, input, was, is))
		}
	}
	return refreshed.Map()
}

// refreshInput is the input for an output that has changed and is not null.
func refreshInput(t *mapping.Type, input, was, is property.Value) property.Value {
	secret := input.Secret() || is.Secret()
	return follow(t, input, was, is).WithSecret(secret)
}

func follow(t *mapping.Type, input, was, is property.Value) property.Value {
	switch {
	case same(was, is):
		return input
	case t.Kind == mapping.KindObject && input.IsMap() && was.IsMap() && is.IsMap():
		return property.New(refreshInputs(t.Object, input.AsMap(), was.AsMap(), is.AsMap()))
	case t.Kind == mapping.KindMap && input.IsMap() && was.IsMap() && is.IsMap():
		return followKeys(t, input.AsMap(), was.AsMap(), is.AsMap())
	case t.Kind == mapping.KindArray && !t.Terraform.IsSetType() && sameLength(input, was, is):
		elems := input.AsArray().AsSlice()
		for i, e := range elems {
			elems[i] = refreshInput(translate.ElementType(t, i), e, was.AsArray().Get(i), is.AsArray().Get(i))
		}
		return property.New(property.NewArray(elems))
	default:
		return settable(t, is)
	}
}

// followKeys follows a map, all of whose keys are the program's.
func followKeys(t *mapping.Type, input, was, is property.Map) property.Value {
	members := map[string]property.Value{}
	for key, now := range is.All {
		before, had := was.GetOk(key)
		in, given := input.GetOk(key)
		if had && given {
			members[key] = refreshInput(t.Elem, in, before, now)
		} else {
			members[key] = settable(t.Elem, now)
		}
	}
	return property.New(property.NewMap(members))
}

func sameLength(values ...property.Value) bool {
	for _, v := range values {
		if !v.IsArray() || v.AsArray().Len() != values[0].AsArray().Len() {
			return false
		}
	}
	return true
}

// settable is the part of an output that a program could have written.
func settable(t *mapping.Type, v property.Value) property.Value {
	return eachObject(t, v, settableMembers)
}

func settableMembers(o *mapping.Object, m property.Map) property.Map {
	members := map[string]property.Value{}
	for _, p := range o.Properties {
		v := m.Get(p.Name)
		// Where there is no block Terraform has an empty collection of them.
		if p.Input() && !v.IsNull() && !(p.Block && p.Nesting != tfschema.NestingSingle && empty(v)) {
			members[p.Name] = settable(p.Type, v)
		}
	}
	return property.NewMap(members)
}

func empty(v property.Value) bool {
	return v.IsArray() && v.AsArray().Len() == 0 || v.IsMap() && v.AsMap().Len() == 0
}
