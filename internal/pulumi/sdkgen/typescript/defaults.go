package sdkts

import (
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// withDefaults is the expression for a value with the defaults of its object
// filled in, and the value itself where it has none. What may be an output is
// looked into once it is there.
func (f *file) withDefaults(p *pschema.Property, value string, form form) string {
	object := f.sdk.defaults.In(p.Type)
	if object == nil || object.Overlay.In(language) {
		return value
	}
	fill := f.defaultsRef(object, form)
	switch {
	case form == plainForm || p.Plain:
		if p.Required && form == plainForm {
			return fill + "(" + value + ")"
		}
		return "(" + value + " ? " + fill + "(" + value + ") : undefined)"
	case p.Required:
		return f.pulumi() + ".output(" + value + ").apply(" + fill + ")"
	}
	return f.pulumi() + ".output(" + value + ").apply(v => v === undefined ? undefined : " + fill + "(v))"
}

// defaultsRef names the function that fills in an object's defaults.
func (f *file) defaultsRef(of *pschema.Object, form form) string {
	path := append([]string{f.inputs()}, namespaces(f.sdk.info.module(of.Package, of.Token))...)
	return strings.Join(append(path, defaultsName(f.sdk.objectName(of, form))), ".")
}

func defaultsName(object string) string { return camel(object) + "ProvideDefaults" }

// defaultValue is the expression for a property's default: an environment
// variable that is set, else the value.
func (f *file) defaultValue(p *pschema.Property) string {
	value := literal(p.Default.Value)
	if len(p.Default.Environment) == 0 {
		return value
	}
	getter, cast := "getEnv", ""
	switch p.Type {
	case pschema.Boolean:
		getter = "getEnvBoolean"
	case pschema.Integer, pschema.Number:
		getter = "getEnvNumber"
	case pschema.String:
	default:
		cast = " as any" // the variable may hold anything; the provider will say
	}
	found := f.utilities() + "." + getter + "(" + quoteAll(p.Default.Environment) + ")" + cast
	if p.Default.Value == nil && cast == "" {
		return found
	}
	if p.Default.Value == nil {
		return "(" + found + ")"
	}
	return "(" + found + " ?? " + value + ")"
}

// defaultsFunction writes the function that fills in an object's defaults,
// where it or an object inside of it has any.
func (f *file) defaultsFunction(of *pschema.Object, form form) {
	if f.sdk.defaults.In(of) == nil {
		return
	}
	name := f.sdk.objectName(of, form)
	function := defaultsName(name)
	f.blank()
	f.doc(function+" sets the appropriate defaults for "+name, "")
	f.block("export function "+function+"(val: "+name+"): "+name+" {", func() {
		f.block("return {", func() {
			f.line("...val,")
			for _, p := range of.Properties() {
				f.defaultOf(p, form)
			}
		}, "};")
	}, "}")
}

func (f *file) defaultOf(p *pschema.Property, form form) {
	value := member("val", p.Name)
	switch filled := f.withDefaults(p, value, form); {
	case p.Default != nil:
		f.line(key(p.Name), ": (", value, ") ?? ", f.defaultValue(p), ",")
	case filled != value:
		f.line(key(p.Name), ": ", filled, ",")
	}
}
