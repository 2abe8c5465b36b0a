package python

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// writeMethod writes a method of a resource with the class of its result.
func (f *file) writeMethod(resource string, m pschema.Method) {
	fn, name := m.Function, snake(m.Name)
	returns, typ := "None", ""
	if inline := fn.InlineResult(); inline != nil {
		class := pascal(m.Name) + "Result"
		f.resultClass("    ", class, "", inline.Properties())
		returns, typ = "'"+resource+"."+class+"'", ", typ="+resource+"."+class
	} else if fn.Returns != nil {
		returns = f.typeOf(fn.Returns.Type, asOutput)
	}
	f.printf("    def %s(__self__", name)
	args := fn.Arguments()
	if len(args) > 0 {
		f.printf(", *")
	}
	var params []string
	for _, p := range inCallOrder(args) {
		f.printf(",\n        %s: %s", parameter(p), f.inputType(p, asBoth, !p.Required))
		if !p.Required {
			f.printf(" = None")
		}
		params = append(params, f.param(p, parameter(p), f.inputType(p, asBoth, false))...)
	}
	plain := fn.Returns != nil && fn.Returns.Plain
	if fn.Returns != nil && !plain {
		returns = "pulumi.Output[" + returns + "]"
	}
	f.printf(") -> %s:\n", returns)
	f.docstring("        ", withDeprecation(fn.Description, fn.DeprecationMessage), params)
	f.printf("        __args__ = dict()\n        __args__['__self__'] = __self__\n")
	for _, p := range args {
		f.printf("        __args__[%s] = %s\n", quote(p.Name), parameter(p))
	}
	call := "pulumi.runtime.call"
	switch {
	case plain:
		call = "_utilities.call_plain"
	case fn.Returns != nil && typ == "":
		call = "pulumi.runtime.call_single"
	}
	value := fmt.Sprintf("%s(%s, __args__, res=__self__%s%s)", call, quote(fn.Token), typ, f.packageRef())
	if plain && typ == "" {
		value = "_utilities.single(" + value + ")"
	}
	if fn.Returns == nil {
		f.printf("        %s\n\n", value)
		return
	}
	f.printf("        return %s\n\n", value)
}

// inCallOrder puts what must be given first, as Python wants it.
func inCallOrder(args []*pschema.Property) []*pschema.Property {
	var first, last []*pschema.Property
	for _, p := range args {
		if p.Required {
			first = append(first, p)
		} else {
			last = append(last, p)
		}
	}
	return append(first, last...)
}

// resultClass writes the class of a result that has no name in the schema.
func (f *file) resultClass(indent, name, description string, properties []*pschema.Property) {
	inner := *f
	inner.body = new(bytes.Buffer)
	inner.printf("@pulumi.output_type\nclass %s:\n", name)
	inner.docstring("    ", description, nil)
	inner.printf("    def __init__(__self__")
	for _, p := range properties {
		inner.printf(", %s=None", snake(p.Name))
	}
	inner.printf("):\n")
	for _, p := range properties {
		inner.printf("        pulumi.set(__self__, %q, %s)\n", snake(p.Name), snake(p.Name))
	}
	if len(properties) == 0 {
		inner.printf("        pass\n")
	}
	inner.printf("\n")
	for _, p := range properties {
		inner.getter(p, inner.outputType(p), false)
	}
	for line := range strings.SplitSeq(strings.TrimRight(inner.body.String(), "\n"), "\n") {
		f.printf("%s\n", strings.TrimRight(indent+line, " "))
	}
	f.printf("\n")
}

// functionWriter writes one function in its two forms.
type functionWriter struct {
	*file
	fn           *pschema.Function
	name, result string // the result's class where it has none in the schema
	args         []*pschema.Property
}

func (f *file) writeFunction(fn *pschema.Function) {
	w := functionWriter{file: f, fn: fn, name: snake(sdkgen.MemberName(fn.Token)), args: fn.Arguments()}
	if fn.InlineResult() != nil {
		w.result = pascal(sdkgen.MemberName(fn.Token)) + "Result"
	}
	var names []string
	for _, name := range functionNames(fn) {
		names = append(names, quote(name))
	}
	f.printf("__all__ = [%s]\n\n", strings.Join(names, ", "))
	if w.result != "" {
		inline := fn.InlineResult().Properties()
		f.resultClass("", w.result, "A collection of values returned by "+w.name+".", inline)
		f.printf("class Awaitable%[1]s(%[1]s):\n    # pylint: disable=using-constant-test\n    def __await__(self):\n        if False:\n            yield self\n        return %[1]s(%[2]s)\n\n",
			w.result, fields(inline, func(p *pschema.Property) string { return "self." + snake(p.Name) }))
	}
	if !fn.OutputFormOnly {
		w.plainForm()
	}
	w.outputForm()
}

func fields(properties []*pschema.Property, value func(*pschema.Property) string) string {
	parts := make([]string, len(properties))
	for i, p := range properties {
		parts[i] = snake(p.Name) + "=" + value(p)
	}
	return strings.Join(parts, ", ")
}

// signature writes the arguments; all may be left out, so that options can be
// named alone.
func (w functionWriter) signature(options string, output bool) {
	var params []string
	role := asPlain
	if output {
		role = asBoth
	}
	for _, p := range w.args {
		w.printf("%s: %s = None, ", parameter(p), w.inputType(p, role, true))
		params = append(params, w.param(p, parameter(p), w.inputType(p, role, false))...)
	}
	w.printf("opts: Optional[%s] = None) -> %s:\n", options, w.returns(output))
	w.docstring("    ", withDeprecation(w.fn.Description, w.fn.DeprecationMessage), params)
	if w.fn.DeprecationMessage != "" {
		w.printf("    pulumi.log.warn(%s)\n", quote(w.name+" is deprecated: "+w.fn.DeprecationMessage))
	}
	w.printf("    __args__ = dict()\n")
	for _, p := range w.args {
		w.fallback("    ", p)
		w.printf("    __args__[%s] = %s\n", quote(p.Name), parameter(p))
	}
}

func (w functionWriter) returns(output bool) string {
	t := "None"
	switch {
	case w.result != "" && !output:
		return "Awaitable" + w.result
	case w.result != "":
		t = w.result
	case w.fn.Returns != nil:
		t = w.typeOf(w.fn.Returns.Type, asOutput)
	}
	if output {
		return "pulumi.Output[" + t + "]"
	}
	return t
}

// typ is the argument that says what to make of the answer.
func (w functionWriter) typ() string {
	if w.result != "" {
		return ", typ=" + w.result
	}
	if w.isObject() {
		return ", typ=" + strings.Trim(w.typeOf(w.fn.Returns.Type, asOutput), "'")
	}
	return ""
}

func (w functionWriter) isObject() bool {
	if w.fn.Returns == nil {
		return false
	}
	_, ok := w.fn.Returns.Type.(*pschema.Object)
	return ok
}

// single reports whether the answer is an object around the one value.
func (w functionWriter) single() string {
	if w.fn.Returns != nil && !w.isObject() {
		return "_single"
	}
	return ""
}

func (w functionWriter) plainForm() {
	w.printf("def %s(", w.name)
	w.signature("pulumi.InvokeOptions", false)
	w.printf("    opts = pulumi.InvokeOptions.merge(_utilities.get_invoke_opts_defaults(), opts)\n")
	w.printf("    __ret__ = pulumi.runtime.invoke%s(%s, __args__, opts=opts%s%s).value\n", w.single(), quote(w.fn.Token), w.typ(), w.packageRef())
	switch {
	case w.result != "":
		w.printf("    return Awaitable%s(%s)\n", w.result, w.fromAnswer("__ret__"))
	case w.fn.Returns != nil:
		w.printf("    return __ret__\n")
	default:
		w.printf("    return None\n")
	}
	w.printf("\n\n")
}

func (w functionWriter) fromAnswer(answer string) string {
	return fields(w.fn.InlineResult().Properties(), func(p *pschema.Property) string {
		return fmt.Sprintf("pulumi.get(%s, %q)", answer, snake(p.Name))
	})
}

func (w functionWriter) outputForm() {
	w.printf("def %s_output(", w.name)
	w.signature("Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]", true)
	w.printf("    opts = pulumi.InvokeOutputOptions.merge(_utilities.get_invoke_opts_defaults(), opts)\n")
	w.printf("    __ret__ = pulumi.runtime.invoke_output%s(%s, __args__, opts=opts%s%s)\n", w.single(), quote(w.fn.Token), w.typ(), w.packageRef())
	if w.result != "" {
		w.printf("    return __ret__.apply(lambda __response__: %s(%s))\n", w.result, w.fromAnswer("__response__"))
		return
	}
	w.printf("    return __ret__\n")
}
