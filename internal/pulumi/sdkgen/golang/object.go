package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// writeObject writes the plain struct of an object type, its arguments and
// its output.
func (f *file) writeObject(t *pschema.Object) {
	name := f.sdk.typeName(t.Token)
	f.commentOr(t.Description, name+" is the object "+t.Token+".", "")
	f.plainStruct(name, t.Properties(), true)
	f.defaults(name, t.Properties())
	f.inputInterface(name)
	f.commentOr(t.Description, name+"Args are a "+name+" whose values may be outputs.", "")
	f.inputStruct(name+"Args", t.Properties(), true)
	f.elementType(name+"Args", name)
	f.converters("i", name+"Args", name)
	f.outputType(name, name)
	f.accessors(name+"Output", name, t.Properties())
}

// plainStruct writes a struct of plain values.
func (f *file) plainStruct(name string, properties []*pschema.Property, document bool) {
	rows := make([]row, len(properties))
	for i, p := range properties {
		rows[i].cells = []string{fieldName(p.Name), f.plain(p.Type, !p.Required), tag(p)}
		if document {
			rows[i].documentation = f.documentation(p)
		}
	}
	f.declareType(name, "")
	f.printf("type %s struct {\n", name)
	f.rows(rows)
	f.printf("}\n\n")
}

func (f *file) documentation(p *pschema.Property) string {
	return f.text(p.Description, p.DeprecationMessage)
}

// tag tells the runtime the name of a property.
func tag(p *pschema.Property) string {
	text := "pulumi:" + strconv.Quote(p.Name)
	if strings.ContainsRune(text, '`') {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

// inputStruct writes a struct of inputs; tagged ones are for nested objects
// and the arguments of functions.
func (f *file) inputStruct(name string, properties []*pschema.Property, tagged bool) {
	rows := make([]row, len(properties))
	for i, p := range properties {
		rows[i] = row{f.documentation(p), []string{fieldName(p.Name), f.input(p.Use, !p.Required)}}
		if tagged {
			rows[i].cells = append(rows[i].cells, tag(p))
		}
	}
	f.declareType(name, "")
	f.printf("type %s struct {\n", name)
	f.rows(rows)
	f.printf("}\n\n")
}

// accessors writes a method of an output for each property of its struct.
func (f *file) accessors(output, plain string, properties []*pschema.Property) {
	for _, p := range properties {
		f.comment(p.Description, p.DeprecationMessage)
		lifted := f.output(p.Type, !p.Required)
		f.printf("func (o %s) %s() %s {\n", output, fieldName(p.Name), lifted)
		f.lambda("o.ApplyT(", "func(v "+plain+") "+f.plain(p.Type, !p.Required), "return v."+fieldName(p.Name), ").("+lifted+")")
		f.printf("}\n\n")
	}
}

// defaults writes the method that fills in a plain struct's defaults, where
// it has any.
func (f *file) defaults(name string, properties []*pschema.Property) {
	if !hasDefaults(properties) {
		return
	}
	f.printf("// Defaults sets what was left out and has a default.\nfunc (val *%s) Defaults() *%s {\n\tif val == nil {\n\t\treturn nil\n\t}\n\ttmp := *val\n", name, name)
	for _, p := range properties {
		if p.Default == nil {
			continue
		}
		field := "tmp." + fieldName(p.Name)
		zero, pointer := field+" == nil", true
		if p.Required {
			zero, pointer = f.internal()+"IsZero("+field+")", false
		}
		f.printf("\tif %s {\n%s\t}\n", zero, indented(indented(f.assignDefault(p, func(value string) string {
			if !pointer {
				return fmt.Sprintf("%s = %s\n", field, value)
			}
			return fmt.Sprintf("%s := %s(%s)\n%s = &%s\n", camel(p.Name)+"_", f.plain(p.Type, false), value, field, camel(p.Name)+"_")
		}))))
	}
	f.printf("\treturn &tmp\n}\n\n")
}

func hasDefaults(properties []*pschema.Property) bool {
	for _, p := range properties {
		if p.Default != nil && scalarDefault(p.Type) {
			return true
		}
	}
	return false
}

func scalarDefault(t pschema.Type) bool { return underlying(simple(t)) != pschema.Any }
