package pkgschema

import (
	"slices"

	"github.com/formation-iac/formation/internal/mapping"
)

// needs says which properties a type needs. A nested type has one list for
// inputs and outputs alike; where they differ, SDKs for Node have two more.
type needs struct{ all, inputs, outputs func(*mapping.Property) bool }

// resourceNeeds are of types in resources, which are in their state too.
func resourceNeeds() needs { return needs{given, given, present} }

// inputNeeds are of types in inputs only.
func inputNeeds() needs { return needs{given, given, never} }

// callNeeds are of types in both the arguments and the result of a call.
func callNeeds() needs { return needs{present, given, present} }

// outputNeeds are of types in outputs only.
func outputNeeds() needs { return needs{present, never, present} }

// signatureNeeds are of types in signatures, which have no sides.
func signatureNeeds() needs { return needs{given, given, given} }

// given reports whether an input must have p.
func given(p *mapping.Property) bool { return !p.Optional && !p.Computed && !p.Autonamed }

// present reports whether an output always has p.
func present(p *mapping.Property) bool { return !p.Optional || p.Computed || p.Autonamed }

func never(*mapping.Property) bool { return false }

// nested is a nested type.
func nested(fields []field, n needs) nestedType {
	json := nestedJSON(fields, n)
	if len(fields) == 0 || fields[0].plain == nil {
		return nestedType{json, json}
	}
	plain := make([]field, len(fields))
	for i, f := range fields {
		plain[i] = field{f.Property, f.plain, nil}
	}
	return nestedType{json, nestedJSON(plain, n)}
}

// usualFrame is about how many bytes a nested type has beside its fields, and
// usualName how many each of these has twice over: as a key and as required.
const (
	usualFrame = 128
	usualName  = 48
)

func nestedJSON(fields []field, n needs) []byte {
	size := usualFrame
	for _, f := range fields {
		size += len(f.json) + usualName
	}
	d := &document{make([]byte, 0, size)}
	d.open("")
	members(d, fields, n.all)
	sides(d, names(fields, n.all), names(fields, n.inputs), names(fields, n.outputs))
	d.close()
	return d.json
}

// sides writes what SDKs for Node need where all, which is the list for both
// sides, is not that of one.
func sides(d *document, all, inputs, outputs []string) {
	if slices.Equal(inputs, all) && slices.Equal(outputs, all) {
		return
	}
	d.open("language")
	d.open("nodejs")
	if !slices.Equal(inputs, all) {
		d.array("requiredInputs", inputs)
	}
	if !slices.Equal(outputs, all) {
		d.array("requiredOutputs", outputs)
	}
	d.close()
	d.close()
}

// object writes a member that is an object type with some properties.
func object(d *document, member string, fields []field, need func(*mapping.Property) bool) {
	d.open(member)
	members(d, fields, need)
	d.close()
}

// members writes the members of an object type. It has its properties also
// where there are none, since they tell it from other types.
func members(d *document, fields []field, need func(*mapping.Property) bool) {
	if len(fields) == 0 {
		d.add("properties", []byte("{}"))
	}
	properties(d, "properties", fields)
	d.text("type", "object")
	d.list("required", names(fields, need))
}

// properties writes a member with properties, if there are any.
func properties(d *document, member string, fields []field) {
	if len(fields) == 0 {
		return
	}
	d.open(member)
	for _, f := range fields {
		d.add(f.Name, f.json)
	}
	d.close()
}

// names lists the fields that need accepts.
func names(fields []field, need func(*mapping.Property) bool) []string {
	var list []string
	for _, f := range fields {
		if need(f.Property) {
			list = append(list, f.Name)
		}
	}
	return list
}

// inputs are the fields that a program may set.
func inputs(fields []field) []field {
	return slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return !f.Input() })
}
