package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// inputClass writes a class of arguments. warn has it warn of those that are
// deprecated.
func (f *file) inputClass(name, description string, properties []*pschema.Property, warn bool) {
	f.printf("@pulumi.input_type\nclass %s:\n", name)
	f.constructor(properties, description, func(p *pschema.Property) string { return f.inputType(p, asArgs, !must(p)) }, must, warn)
	for _, p := range properties {
		f.getter(p, f.inputType(p, asArgs, !p.Required), true)
	}
	f.printf("\n")
}

// stateClass writes the class of what a lookup is given, which is no one's but
// the lookup's own: the runtime reads names and types off it.
func (f *file) stateClass(name string, properties []*pschema.Property) {
	f.printf("@pulumi.input_type\nclass %s:\n", name)
	for _, p := range properties {
		bare := *p
		bare.Description, bare.DeprecationMessage = "", ""
		f.getter(&bare, f.inputType(p, asArgs, true), false)
	}
	if len(properties) == 0 {
		f.printf("    pass\n\n")
	}
	f.printf("\n")
}

// must reports whether an argument has to be given.
func must(p *pschema.Property) bool { return p.Required && p.Default == nil }

// constructor writes the __init__ of a class of arguments or results.
func (f *file) constructor(properties []*pschema.Property, description string,
	typeOf func(*pschema.Property) string, required func(*pschema.Property) bool, warn bool,
) {
	if len(properties) == 0 {
		f.printf("    def __init__(__self__):\n")
		f.docstring("        ", description, nil)
		f.printf("        pass\n\n")
		return
	}
	f.printf("    def __init__(__self__, *")
	ordered := slices.Clone(properties)
	slices.SortStableFunc(ordered, func(a, b *pschema.Property) int { return order(required(a)) - order(required(b)) })
	var params []string
	for _, p := range ordered {
		f.printf(",\n                 %s: %s", snake(p.Name), typeOf(p))
		if !required(p) {
			f.printf(" = None")
		}
		params = append(params, f.param(p, snake(p.Name), typeOf(p))...)
	}
	f.printf("):\n")
	f.docstring("        ", description, params)
	for _, p := range ordered {
		f.set(p, required(p), warn)
	}
	f.printf("\n")
}

func order(required bool) int {
	if required {
		return 0
	}
	return 1
}

// param documents a parameter; not at all where there is nothing to say that
// its type does not.
func (f *file) param(p *pschema.Property, name, typeName string) []string {
	text := f.text(withDeprecation(p.Description, p.DeprecationMessage))
	if text == "" {
		return nil
	}
	typeName = strings.ReplaceAll(strings.Trim(typeName, "'"), "_builtins.", "")
	return []string{":param " + typeName + " " + name + ": " + strings.ReplaceAll(text, "\n", "\n       ")}
}

// withDeprecation is a description that says what is deprecated.
func withDeprecation(description, message string) string {
	if message == "" {
		return description
	}
	return strings.TrimSpace(description + "\n\nDeprecated: " + message)
}

// set writes what stores one argument.
func (f *file) set(p *pschema.Property, required, warn bool) {
	name := snake(p.Name)
	if p.Const != nil {
		f.printf("        pulumi.set(__self__, %q, %s)\n", name, literal(p.Const))
		return
	}
	f.fallback("        ", p)
	if warn {
		f.warnDeprecated("        ", p)
	}
	if required {
		f.printf("        pulumi.set(__self__, %q, %s)\n", name, name)
		return
	}
	f.printf("        if %s is not None:\n            pulumi.set(__self__, %q, %s)\n", name, name, name)
}

// warnDeprecated writes a warning of an argument that should not be given.
func (f *file) warnDeprecated(indent string, p *pschema.Property) {
	if p.DeprecationMessage == "" {
		return
	}
	f.printf("%[1]sif %[2]s is not None:\n%[1]s    _utilities.warn_deprecated(%[3]s, %[4]s)\n",
		indent, parameter(p), quote(snake(p.Name)), quote(p.DeprecationMessage))
}

// fallback writes what gives an argument its default.
func (f *file) fallback(indent string, p *pschema.Property) {
	if p.Default == nil {
		return
	}
	name := parameter(p)
	f.printf("%sif %s is None:\n%s    %s = %s\n", indent, name, indent, name, f.defaultValue(p))
}

// defaultValue is Python for an argument's default.
func (f *file) defaultValue(p *pschema.Property) string {
	value := literal(p.Default.Value)
	if len(p.Default.Environment) == 0 {
		return value
	}
	read := "_utilities.get_env"
	switch underlying(p.Type) {
	case pschema.Boolean:
		read += "_bool"
	case pschema.Integer:
		read += "_int"
	case pschema.Number:
		read += "_float"
	}
	names := make([]string, len(p.Default.Environment))
	for i, name := range p.Default.Environment {
		names[i] = quote(name)
	}
	call := fmt.Sprintf("%s(%s)", read, strings.Join(names, ", "))
	if p.Default.Value == nil {
		return call
	}
	return fmt.Sprintf("_utilities.first(%s, %s)", call, value)
}

func underlying(t pschema.Type) pschema.Primitive {
	switch t := t.(type) {
	case pschema.Primitive:
		return t
	case *pschema.Enum:
		return t.Elem
	case *pschema.Opaque:
		return t.Underlying
	}
	return pschema.Any
}

// getter writes the property of a class that reads a value, and the setter
// where it may be changed.
func (f *file) getter(p *pschema.Property, typeName string, settable bool) {
	name := snake(p.Name)
	wire := ""
	if name != p.Name {
		wire = fmt.Sprintf("(name=%s)", quote(p.Name))
	}
	f.printf("    @_builtins.property\n    @pulumi.getter%s\n", wire)
	if p.DeprecationMessage != "" {
		f.printf("    @_utilities.deprecated(%s)\n", quote(p.DeprecationMessage))
	}
	f.printf("    def %s(self) -> %s:\n", name, typeName)
	f.docstring("        ", withDeprecation(p.Description, p.DeprecationMessage), nil)
	f.printf("        return pulumi.get(self, %q)\n\n", name)
	if settable {
		f.printf("    @%s.setter\n    def %s(self, value: %s):\n        pulumi.set(self, %q, value)\n\n", name, name, typeName, name)
	}
}

// dictClass writes the typed dictionary of an object.
func (f *file) dictClass(name, description string, properties []*pschema.Property) {
	f.printf("class %s(TypedDict):\n", name)
	f.docstring("    ", description, nil)
	if len(properties) == 0 {
		f.printf("    pass\n")
	}
	for _, p := range properties {
		t := f.inputType(p, asDict, false)
		if !must(p) {
			t = "NotRequired[" + t + "]"
		}
		f.printf("    %s: %s\n", snake(p.Name), t)
		f.docstring("    ", withDeprecation(p.Description, p.DeprecationMessage), nil)
	}
	f.printf("\n")
}

// outputClass writes a class of an object that a provider gives.
func (f *file) outputClass(name, description string, properties []*pschema.Property) {
	f.printf("@pulumi.output_type\nclass %s(dict):\n", name)
	f.docstring("    ", description, nil)
	f.keyWarning(name, properties)
	f.constructor(properties, "", f.outputType, func(p *pschema.Property) bool { return p.Required }, false)
	for _, p := range properties {
		f.getter(p, f.outputType(p), false)
	}
	f.printf("\n")
}

// keyWarning helps people who read an object by the names of the wire.
func (f *file) keyWarning(name string, properties []*pschema.Property) {
	var suggestions []string
	for _, p := range properties {
		if snake(p.Name) != p.Name {
			suggestions = append(suggestions, fmt.Sprintf("%s: %s", quote(p.Name), quote(snake(p.Name))))
		}
	}
	if len(suggestions) == 0 {
		return
	}
	f.printf(`    def __getitem__(self, key: _builtins.str) -> Any:
        _utilities.warn_key(%[1]s, {%[2]s}, key)
        return super().__getitem__(key)

    def get(self, key: _builtins.str, default = None) -> Any:
        _utilities.warn_key(%[1]s, {%[2]s}, key)
        return super().get(key, default)

`, quote(name), strings.Join(suggestions, ", "))
}

// enumClass writes an enum.
func (f *file) enumClass(t *pschema.Enum) {
	f.printf("@pulumi.type_token(%s)\nclass %s(%s, Enum):\n", quote(t.Token), pascal(sdkgen.MemberName(t.Token)), enumBase(t.Elem))
	f.docstring("    ", t.Description, nil)
	taken := sdkgen.Taken{}
	for _, v := range t.Values {
		f.printf("    %s = %s\n", taken.Free(constant(sdkgen.MemberName(t.Token), v)), literal(v.Value))
		f.docstring("    ", withDeprecation(v.Description, v.DeprecationMessage), nil)
	}
	if len(t.Values) == 0 {
		f.printf("    pass\n")
	}
	f.printf("\n\n")
}

// enumBase is what an enum is besides; a bool cannot be derived from.
func enumBase(p pschema.Primitive) string {
	if p == pschema.Boolean {
		return "_builtins.int"
	}
	return scalar(p)
}
