package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// literal writes a value of the schema as Go does.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return "nil"
}

// wrapped writes a value as the input of a type: pulumi.String("x"), or the
// value of an enum. value is Go of the type's plain form.
func (f *file) wrapped(t pschema.Type, value string, optional bool) string {
	if enum, ok := simple(t).(*pschema.Enum); ok {
		return fmt.Sprintf("%s(%s)", f.named(enum), value)
	}
	name := scalarOf(underlying(simple(t))).name
	if optional {
		name += "Ptr"
	}
	return fmt.Sprintf("%s%s(%s)", f.pulumi(), name, value)
}

// parser names the helper that reads a type out of an environment variable;
// nil where the text is the value.
func (f *file) parser(t pschema.Type) (name, plain string) {
	switch underlying(simple(t)) {
	case pschema.Boolean:
		return f.internal() + "ParseEnvBool", "bool"
	case pschema.Integer:
		return f.internal() + "ParseEnvInt", "int"
	case pschema.Number:
		return f.internal() + "ParseEnvFloat", "float64"
	}
	return "nil", "string"
}

// assignDefault writes the statements that give a property its default;
// assign makes the innermost one of a plain value.
func (f *file) assignDefault(p *pschema.Property, assign func(value string) string) string {
	fallback := literal(p.Default.Value)
	if len(p.Default.Environment) == 0 {
		return assign(fallback)
	}
	parser, plain := f.parser(p.Type)
	if p.Default.Value != nil {
		fallback = fmt.Sprintf("%s(%s)", plain, fallback)
	}
	names := make([]string, len(p.Default.Environment))
	for i, name := range p.Default.Environment {
		names[i] = strconv.Quote(name)
	}
	return fmt.Sprintf("if d := %sGetEnvOrDefault(%s, %s, %s); d != nil {\n%s}\n",
		f.internal(), fallback, parser, strings.Join(names, ", "), indented(assign("d.("+plain+")")))
}
