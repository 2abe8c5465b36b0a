package sdkts

import (
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// configFile writes the variables that a stack may configure the package
// with. Each is read when it is used.
func (s *sdk) configFile(variables []*pschema.Property) sdkgen.File {
	f := s.file(pathTo(configModule, "vars.ts"))
	f.line("declare const exports: any;")
	f.line("const __config = new ", f.pulumi(), ".Config(", quote(s.pkg.Name()), ");")
	for _, variable := range variables {
		f.blank()
		f.variable(variable)
	}
	return f.done()
}

func (f *file) variable(p *pschema.Property) {
	written := f.typeOf(p.Type, outputForm)
	value := "__config.getObject<" + written.text + ">(" + quote(p.Name) + ")"
	if isText(p.Type) {
		value = "__config.get(" + quote(p.Name) + ")"
		if p.Type != pschema.String {
			value = "(" + value + " as " + written.orUndefined().text + ")"
		}
	}
	declared := written.orUndefined().text
	if p.Default != nil {
		value += " ?? " + f.defaultValue(p)
		if p.Default.Value != nil {
			declared = written.text
		}
	}
	name := identifier(p.Name)
	f.doc(p.Description, p.DeprecationMessage)
	f.line("export declare const ", name, ": ", declared, ";")
	f.block("Object.defineProperty(exports, "+quote(name)+", {", func() {
		f.block("get() {", func() { f.line("return ", value, ";") }, "},")
		f.line("enumerable: true,")
	}, "});")
}
