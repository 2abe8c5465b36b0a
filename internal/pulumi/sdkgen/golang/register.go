package golang

import (
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// register writes the init function that tells the runtime of input types,
// with a concrete value of each, and of output types.
func (f *file) register(inputs map[string]string, outputs []string) {
	if len(inputs) == 0 && len(outputs) == 0 {
		return
	}
	f.pulumi()
	f.printf("func init() {\n")
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		f.printf("\t%sRegisterInputType(%sTypeOf((*%sInput)(nil)).Elem(), %s)\n", f.pulumi(), f.use("reflect"), name, inputs[name])
	}
	for _, name := range outputs {
		f.printf("\t%sRegisterOutputType(%s{})\n", f.pulumi(), name)
	}
	f.printf("}\n\n")
}

func (f *file) registerResource(name string, outputs []string) {
	f.register(map[string]string{name: "&" + name + "{}"}, append([]string{name + "Output"}, outputs...))
}

// registerEnums registers enums as inputs: a value of an enum is one.
func (f *file) registerEnums(enums []*pschema.Enum) {
	inputs := map[string]string{}
	for _, t := range enums {
		name := f.sdk.typeName(t.Token)
		zero := `("")`
		switch t.Elem {
		case pschema.Boolean:
			zero = "(false)"
		case pschema.Integer, pschema.Number:
			zero = "(0)"
		}
		inputs[name] = name + zero
		inputs[name+"Ptr"] = name + zero
	}
	f.register(inputs, nil)
}
