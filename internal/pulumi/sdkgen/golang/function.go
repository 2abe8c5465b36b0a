package golang

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// functionName is the Go name of a function. One called like a resource's
// constructor or lookup is called Create or Lookup in its place.
func (m *module) functionName(fn *pschema.Function) string {
	name := pascal(sdkgen.MemberName(fn.Token))
	if of, ok := strings.CutPrefix(name, "New"); ok && m.classes[of] != nil {
		return "Create" + of
	}
	if of, ok := strings.CutPrefix(name, "Get"); ok {
		if r := m.classes[of]; r != nil && !r.IsProvider && !r.IsComponent {
			return "Lookup" + of
		}
	}
	return name
}

// writeFunction writes a function in its two forms: for plain values, and for
// outputs.
func (f *file) writeFunction(fn *pschema.Function) (registered []string) {
	w := functionWriter{file: f, fn: fn, name: f.functionName(fn), args: fn.Arguments()}
	w.positional = len(fn.MultiArgument) > 0
	for _, p := range w.args {
		f.shadowed[camel(p.Name)] = w.positional
	}
	w.result = f.functionResult(w.name, fn)
	f.pulumi()
	if !fn.OutputFormOnly {
		w.plainForm()
	}
	w.argsStruct()
	if w.result.named == nil && !w.result.none && fn.InlineResult() != nil {
		f.commentOr(fn.InlineResult().Description, w.result.name+" is what "+w.name+" gives.", "")
		f.plainStruct(w.result.name, w.result.properties, true)
		f.defaults(w.result.name, w.result.properties)
	}
	if w.result.none {
		return nil
	}
	w.outputForm()
	if w.result.named != nil || fn.InlineResult() == nil {
		return nil
	}
	f.outputType(w.result.name, w.result.name)
	f.accessors(w.result.name+"Output", w.result.name, w.result.properties)
	return []string{w.result.name + "Output"}
}

func (f *file) functionResult(name string, fn *pschema.Function) result {
	if fn.Returns == nil {
		return result{none: true}
	}
	if inline := fn.InlineResult(); inline != nil {
		return result{name: name + "Result", properties: inline.Properties()}
	}
	if object, ok := simple(fn.Returns.Type).(*pschema.Object); ok {
		return result{name: f.named(object), named: object}
	}
	return result{single: &pschema.Property{Name: "res", Use: *fn.Returns, Required: true}}
}

// functionWriter writes one function.
type functionWriter struct {
	*file
	fn         *pschema.Function
	name       string
	args       []*pschema.Property
	positional bool // arguments are passed one by one
	result     result
}

// params are the parameters behind ctx; pass is what they are sent as.
func (w functionWriter) params(typeOf func(*pschema.Property) string, structName, pointer string) (params, pass, prepare string) {
	switch {
	case len(w.args) == 0:
		return "", "nil", ""
	case !w.positional:
		return ", args " + pointer + structName, "args", ""
	}
	var list, fields strings.Builder
	for _, p := range w.args {
		fmt.Fprintf(&list, ", %s %s", camel(p.Name), typeOf(p))
		fmt.Fprintf(&fields, "\t\t%s: %s,\n", fieldName(p.Name), camel(p.Name))
	}
	return list.String(), "args", formatted(fmt.Sprintf("\targs := %s{\n%s\t}\n", structName, fields.String()))
}

func (w functionWriter) structName(form string) string {
	name := w.name + form + "Args"
	if w.positional {
		return camel(name)
	}
	return name
}

func (w functionWriter) plainForm() {
	params, pass, prepare := w.params(func(p *pschema.Property) string { return w.plain(p.Type, !p.Required) }, w.structName(""), "*")
	if hasDefaults(w.args) {
		if w.positional {
			pass = "(&args)"
		}
		pass += ".Defaults()"
	} else if w.positional && len(w.args) > 0 {
		pass = "&args"
	}
	returns, failed := "*"+w.result.name, "nil, err"
	if w.result.none {
		returns, failed = "", "err"
	} else if w.result.single != nil {
		returns, failed = w.plain(w.result.single.Type, false), "result, err"
	}
	w.commentOr(w.fn.Description, w.name+" calls the function "+w.fn.Token+".", w.fn.DeprecationMessage)
	w.function(w.name, w.fn.DeprecationMessage, "ctx *pulumi.Context"+params+", opts ...pulumi.InvokeOption", withError(returns))
	if w.result.single != nil {
		w.printf("\tvar result %s\n", returns)
	}
	w.printf("%s\topts = %sPkgInvokeDefaultOpts(opts)\n", prepare, w.internal())
	ref := w.packageRef(failed)
	invoke := "Invoke"
	if ref != "" {
		invoke = "InvokePackage"
	}
	holder := "struct{}"
	if w.result.single != nil {
		holder = "map[string]" + returns
	} else if !w.result.none {
		holder = w.result.name
	}
	w.printf("\tvar rv %s\n\terr %s ctx.%s(%q, %s, &rv%s, opts...)\n", holder, assign(ref), invoke, w.fn.Token, pass, ref)
	w.plainReturn()
	w.printf("}\n\n")
}

func (w functionWriter) plainReturn() {
	switch {
	case w.result.none:
		w.printf("\treturn err\n")
	case w.result.single != nil:
		w.printf("\tif err != nil {\n\t\treturn result, err\n\t}\n\tfor _, v := range rv {\n\t\tresult = v\n\t}\n\treturn result, nil\n")
	default:
		rv := "&rv"
		if w.result.named == nil && hasDefaults(w.result.properties) {
			rv = "rv.Defaults()"
		}
		w.printf("\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn %s, nil\n", rv)
	}
}

func withError(returns string) string {
	if returns == "" {
		return "error"
	}
	return "(" + returns + ", error)"
}

func (w functionWriter) argsStruct() {
	if len(w.args) == 0 {
		return
	}
	name := w.structName("")
	if !w.positional {
		w.printf("// %s are the arguments of %s.\n", name, w.name)
	}
	w.plainStruct(name, w.args, true)
	w.defaults(name, w.args)
}

// outputForm writes the form that takes inputs and gives an output.
func (w functionWriter) outputForm() {
	name := w.structName("Output")
	params, pass, prepare := w.params(func(p *pschema.Property) string { return w.input(p.Use, !p.Required) }, name, "")
	output := w.result.name + "Output"
	received := output
	if w.result.single != nil {
		output = w.output(w.result.single.Type, false)
		received = w.lifted(&pschema.Map{Elem: w.result.single.Use}, false, "Output")
	}
	w.commentOr(w.fn.Description, w.name+"Output is "+w.name+" with arguments that may be outputs.", w.fn.DeprecationMessage)
	w.function(w.name+"Output", w.fn.DeprecationMessage, "ctx *pulumi.Context"+params+", opts ...pulumi.InvokeOption", output)
	w.printf("%s", prepare)
	if hasDefaults(w.args) {
		w.printf("\twithDefaults := pulumi.ToOutputWithContext(ctx.Context(), args).ApplyT(func(v interface{}) *%[1]s {\n\t\targs := v.(%[1]s)\n\t\treturn args.Defaults()\n\t})\n", w.structName(""))
		pass = "withDefaults"
	}
	w.printf("\toptions := pulumi.InvokeOutputOptions{InvokeOptions: %sPkgInvokeDefaultOpts(opts)}\n", w.internal())
	if w.sdk.parameterized() {
		w.printf("\toptions.PackageRefF = %sPkgGetPackageRef\n", w.internal())
	}
	invocation := fmt.Sprintf("ctx.InvokeOutput(%q, %s, %s{}, options).(%s)", w.fn.Token, pass, received, received)
	if w.result.single == nil {
		w.printf("\treturn %s\n}\n\n", invocation)
	} else {
		plain := w.plain(w.result.single.Type, false)
		w.printf("\treturn %s.ApplyT(func(rv map[string]%s) %s {\n\t\tvar result %s\n\t\tfor _, v := range rv {\n\t\t\tresult = v\n\t\t}\n\t\treturn result\n\t}).(%s)\n}\n\n",
			invocation, plain, plain, plain, output)
	}
	if len(w.args) > 0 {
		if !w.positional {
			w.printf("// %s are the arguments of %sOutput.\n", name, w.name)
		}
		w.inputStruct(name, w.args, true)
		w.elementType(name, w.structName(""))
	}
}
