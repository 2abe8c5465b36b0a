package golang

import (
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// writeMethod writes a method of a resource with its arguments and result.
func (f *file) writeMethod(resource string, m pschema.Method) (registered []string) {
	name := pascal(m.Name)
	base := resource + name
	args := m.Function.Arguments()
	result := f.resultOf(base, m.Function, isPlain(m.Function))
	f.commentOr(m.Function.Description, name+" calls the method "+m.Function.Token+".", m.Function.DeprecationMessage)
	param, pass := "", "nil"
	if len(args) > 0 {
		param, pass = ", args *"+base+"Args", "args"
	}
	f.pulumi()
	switch {
	case result.none:
		f.voidMethod(resource, name, param, pass, m.Function)
	case isPlain(m.Function):
		f.plainMethod(resource, name, param, pass, m.Function, result)
	default:
		f.outputMethod(resource, name, param, pass, m.Function, result)
	}
	if len(args) > 0 {
		f.plainStruct(camel(base)+"Args", args, false)
		f.printf("// %sArgs are the arguments of %s.\n", base, name)
		f.inputStruct(base+"Args", args, false)
		f.elementType(base+"Args", camel(base)+"Args")
	}
	if result.none {
		return nil
	}
	f.writeResult(result)
	return []string{result.name + "Output"}
}

// result is what a function or method gives back, as a struct.
type result struct {
	none       bool
	name       string // of the struct
	properties []*pschema.Property
	// single is set where the struct is made up around one value, or where its
	// only property is what the caller gets.
	single *pschema.Property
	// named is set where the result is an object type that has a name.
	named *pschema.Object
}

func (f *file) resultOf(base string, fn *pschema.Function, plain bool) result {
	if fn.Returns == nil {
		return result{none: true}
	}
	if inline := fn.InlineResult(); inline != nil {
		r := result{name: base + "Result", properties: inline.Properties()}
		if f.sdk.info.LiftSingleValueMethodReturns && len(r.properties) == 1 && !plain {
			r.name, r.single = camel(r.name), r.properties[0]
		}
		return r
	}
	property := &pschema.Property{Name: "res", Use: *fn.Returns, Required: true}
	return result{name: base + "Result", properties: []*pschema.Property{property}, single: property}
}

func (f *file) writeResult(r result) {
	f.printf("// %s is what the method gives.\n", r.name)
	f.plainStruct(r.name, r.properties, true)
	f.outputType(r.name, r.name)
	f.accessors(r.name+"Output", r.name, r.properties)
}

func (f *file) voidMethod(resource, name, param, pass string, fn *pschema.Function) {
	f.printf("func (r *%s) %s(ctx *pulumi.Context%s) error {\n", resource, name, param)
	ref := f.packageRef("err")
	f.printf("\t_, err %s ctx.%s(%q, %s, pulumi.AnyOutput{}, r%s)\n\treturn err\n}\n\n", assign(ref), call(ref), fn.Token, pass, ref)
}

// call is the runtime's function that calls a method.
func call(ref string) string {
	if ref != "" {
		return "CallPackage"
	}
	return "Call"
}

func (f *file) outputMethod(resource, name, param, pass string, fn *pschema.Function, r result) {
	output, value := r.name+"Output", "out.("+r.name+"Output)"
	if r.single != nil {
		output = f.output(r.single.Type, !r.single.Required)
		value += "." + fieldName(r.single.Name) + "()"
	}
	f.printf("func (r *%s) %s(ctx *pulumi.Context%s) (%s, error) {\n", resource, name, param, output)
	ref := f.packageRef(output + "{}, err")
	caller := call(ref)
	if fn.InlineResult() == nil {
		caller += "Single"
		value = "out.(" + output + ")"
		f.printf("\tout, err := ctx.%s(%q, %s, %s{}, r%s)\n", caller, fn.Token, pass, output, ref)
	} else {
		f.printf("\tout, err := ctx.%s(%q, %s, %sOutput{}, r%s)\n", caller, fn.Token, pass, r.name, ref)
	}
	f.printf("\tif err != nil {\n\t\treturn %s{}, err\n\t}\n\treturn %s, nil\n}\n\n", output, value)
}

// isPlain reports whether no output is around what a function returns.
func isPlain(fn *pschema.Function) bool { return fn.Returns != nil && fn.Returns.Plain }

func (f *file) plainMethod(resource, name, param, pass string, fn *pschema.Function, r result) {
	f.use("reflect")
	value, property := r.name, ""
	if r.single != nil {
		value, property = f.plain(r.single.Type, !r.single.Required), fieldName(r.single.Name)
	}
	f.printf("func (r *%s) %s(ctx *pulumi.Context%s) (o %s, e error) {\n", resource, name, param, value)
	f.printf("\t%sCallPlain(ctx, %q, %s, %sOutput{}, r, %q, reflect.ValueOf(&o), &e)\n\treturn\n}\n\n",
		f.internal(), fn.Token, pass, r.name, property)
}
