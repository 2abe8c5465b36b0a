package sdkts

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// functionFile writes the file of one function: its plain form and its output
// form, each with its arguments, and the result.
func (m *module) functionFile(fn *pschema.Function) sdkgen.File {
	f := m.sdk.file(m.path(fn.Token))
	f.utilities()
	w := functionWriter{file: f, function: fn, name: functionName(fn), typeName: upperFirst(functionName(fn))}
	if !fn.OutputFormOnly {
		w.write(plainForm)
	}
	w.result()
	if sdkgen.HasOutputForm(fn) {
		w.write(inputForm)
	}
	f.trim()
	return f.done()
}

// result writes the type of what comes back, where that is an object: in full,
// or as another name of the object's own.
func (w functionWriter) result() {
	if !returnsObject(w.function) {
		return
	}
	if result := w.function.InlineResult(); result != nil {
		w.interfaceOf(w.typeName+"Result", result.Description, result.Properties(), outputForm, "readonly ")
	} else {
		w.line("export type ", w.typeName, "Result = ", w.typeOf(w.function.Returns.Type, outputForm).text, ";")
	}
	w.blank()
}

// returnsObject reports whether what comes back is an object, and so what the
// provider returns as a whole.
func returnsObject(fn *pschema.Function) bool {
	if fn.Returns == nil {
		return false
	}
	_, isObject := fn.Returns.Type.(*pschema.Object)
	return isObject
}

// functionWriter writes the forms of one function.
type functionWriter struct {
	*file
	function       *pschema.Function
	name, typeName string
}

// write writes one form and the interface of its arguments.
func (w functionWriter) write(form form) {
	exported := w.name
	if form == inputForm {
		exported += "Output"
	}
	w.doc(w.function.Description, w.function.DeprecationMessage)
	opening := "export function "
	if reserved(exported) {
		opening = "function "
	}
	w.block(opening+local(exported)+"("+w.parameters(form)+"): "+w.returns(form)+" {", func() { w.body(form) }, "}")
	if reserved(exported) {
		w.line("export { ", local(exported), " as ", exported, " };")
	}
	w.blank()
	if w.hasArgs(form) {
		w.interfaceOf(w.argsName(form), w.function.Inputs.Description, w.function.Arguments(), form, "")
		w.blank()
	}
}

// hasArgs reports whether the arguments are passed as one object. The plain
// form takes an empty one where the schema has inputs without any in them.
func (w functionWriter) hasArgs(form form) bool {
	if len(w.function.MultiArgument) > 0 || w.function.Inputs == nil {
		return false
	}
	return form == plainForm || len(w.function.Arguments()) > 0
}

func (w functionWriter) argsName(form form) string {
	if form == inputForm {
		return w.typeName + "OutputArgs"
	}
	return w.typeName + "Args"
}

func (w functionWriter) allOptional() bool {
	return !slices.ContainsFunc(w.function.Arguments(), isRequired)
}

func (w functionWriter) parameters(form form) string {
	var parameters []string
	switch {
	case len(w.function.MultiArgument) > 0:
		parameters = w.separate(form)
	case w.hasArgs(form) && w.allOptional():
		parameters = append(parameters, "args?: "+w.argsName(form))
	case w.hasArgs(form):
		parameters = append(parameters, "args: "+w.argsName(form))
	}
	options := "opts?: " + w.pulumi() + ".InvokeOptions"
	if form == inputForm {
		options = "opts?: " + w.pulumi() + ".InvokeOutputOptions"
	}
	return strings.Join(append(parameters, options), ", ")
}

// separate are the parameters of arguments that are passed one by one. Only
// those that none follows that must be given can be left away.
func (w functionWriter) separate(form form) []string {
	arguments := w.function.Arguments()
	parameters := make([]string, len(arguments))
	for i, p := range arguments {
		mark, text := w.property(p, form)
		if mark != "" && slices.ContainsFunc(arguments[i:], isRequired) {
			mark, text = "", text+" | undefined"
		}
		parameters[i] = parameter(p.Name) + mark + ": " + text
	}
	return parameters
}

// parameter names an argument that is passed by itself.
func parameter(name string) string {
	switch name = identifier(name); name {
	case "opts", "pulumi", "utilities", "inputs", "outputs", "enums":
		return name + "_"
	}
	return name
}

func (w functionWriter) returns(form form) string {
	value := "void"
	switch {
	case returnsObject(w.function):
		value = w.typeName + "Result"
	case w.function.Returns != nil:
		value = w.typeOf(w.function.Returns.Type, outputForm).text
	}
	if form == inputForm {
		return w.pulumi() + ".Output<" + value + ">"
	}
	return "Promise<" + value + ">"
}

func (w functionWriter) body(form form) {
	w.warnDeprecated(w.name, w.function.DeprecationMessage)
	if w.hasArgs(form) && w.allOptional() && len(w.function.Arguments()) > 0 {
		w.line("args = args || {};")
	}
	w.line("opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts || {});")
	var arguments []string
	for _, p := range w.function.Arguments() {
		value := member("args", p.Name)
		if len(w.function.MultiArgument) > 0 {
			value = parameter(p.Name)
		}
		arguments = append(arguments, quote(p.Name)+": "+w.withDefaults(p, value, form)+",")
	}
	w.braces("return pulumi.runtime."+w.invoke(form)+"("+quote(w.function.Token)+", {", arguments,
		"}, opts"+w.packageArgument()+");")
}

// invoke is the runtime's function for the call. A result that is no object
// travels as the only property of one.
func (w functionWriter) invoke(form form) string {
	name := "invoke"
	if w.function.Returns != nil && !returnsObject(w.function) {
		name = "invokeSingle"
	}
	if form == inputForm {
		name += "Output"
	}
	return name
}
