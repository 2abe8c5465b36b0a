package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// writeResource writes a resource's struct, constructor, lookup, arguments,
// methods and output. It returns the output types to register.
func (f *file) writeResource(r *pschema.Resource) (registered []string) {
	name := f.sdk.resourceName(r.Token)
	f.commentOr(r.Description, name+" is the resource "+r.Token+".", r.DeprecationMessage)
	f.declareType(name, r.DeprecationMessage)
	f.printf("type %s struct {\n\t%s%s\n", name, f.pulumi(), embedded(r))
	if len(r.Outputs) > 0 {
		f.printf("\n")
	}
	rows := make([]row, len(r.Outputs))
	for i, p := range r.Outputs {
		rows[i] = row{f.documentation(p), []string{fieldName(p.Name), f.output(p.Type, !p.Required), tag(p)}}
	}
	f.rows(rows)
	f.printf("}\n\n")
	f.constructor(r, name)
	if !r.IsProvider && !r.IsComponent {
		f.lookup(r, name)
	}
	f.plainStruct(camel(name)+"Args", r.Inputs, false)
	f.printf("// %sArgs are the arguments of a new %s.\n", name, name)
	f.inputStruct(name+"Args", r.Inputs, false)
	f.elementType(name+"Args", camel(name)+"Args")
	for _, m := range r.Methods {
		registered = append(registered, f.writeMethod(name, m)...)
	}
	f.resourceOutput(r, name)
	return registered
}

func embedded(r *pschema.Resource) string {
	switch {
	case r.IsProvider:
		return "ProviderResourceState"
	case r.IsComponent:
		return "ResourceState"
	}
	return "CustomResourceState"
}

// constructor writes the function that registers a new resource.
func (f *file) constructor(r *pschema.Resource, name string) {
	f.comment("New"+name+" registers a new "+name+" with the given name, arguments and options.", r.DeprecationMessage)
	f.function("New"+name, r.DeprecationMessage, "ctx *pulumi.Context, name string, args *"+name+"Args, opts ...pulumi.ResourceOption", "(*"+name+", error)")
	f.printf("\tif args == nil {\n")
	if required := mandatory(r.Inputs); len(required) > 0 {
		f.use("errors")
		f.printf("\t\treturn nil, errors.New(\"missing one or more required arguments\")\n\t}\n\n")
		for _, p := range required {
			f.printf("\tif args.%s == nil {\n\t\treturn nil, errors.New(%q)\n\t}\n", fieldName(p.Name),
				fmt.Sprintf("invalid value for required argument '%s'", fieldName(p.Name)))
		}
	} else {
		f.printf("\t\targs = &%sArgs{}\n\t}\n\n", name)
	}
	for _, p := range r.Inputs {
		f.prepare(p)
	}
	f.resourceOptions(r)
	f.printf("\topts = %sPkgResourceDefaultOpts(opts)\n", f.internal())
	ref := f.packageRef("nil, err")
	f.printf("\tvar resource %s\n\terr %s ctx.%s(%q, name, args, &resource%s, opts...)\n", name, assign(ref), registration(r, ref), r.Token, ref)
	f.printf("\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn &resource, nil\n}\n\n")
}

// mandatory are the inputs that must be given and are nil where they are not.
func mandatory(inputs []*pschema.Property) []*pschema.Property {
	var out []*pschema.Property
	for _, p := range inputs {
		if p.Required && p.Const == nil && p.Default == nil && (!p.Plain || !hasPtr(p.Type)) {
			out = append(out, p)
		}
	}
	return out
}

func registration(r *pschema.Resource, ref string) string {
	kind := "Register"
	if ref != "" {
		kind += "Package"
	}
	if r.IsComponent {
		return kind + "RemoteComponentResource"
	}
	return kind + "Resource"
}

// packageRef writes what finds the reference of a parameterized package, and
// returns the argument that passes it; "" for other packages.
func (f *file) packageRef(onError string) string {
	if !f.sdk.parameterized() {
		return ""
	}
	f.printf("\tref, err := %sPkgGetPackageRef(ctx)\n\tif err != nil {\n\t\treturn %s\n\t}\n", f.internal(), onError)
	return ", ref"
}

func assign(ref string) string {
	if ref != "" {
		return "="
	}
	return ":="
}

// prepare writes what is done to one argument before it is sent: constants,
// defaults, secrets.
func (f *file) prepare(p *pschema.Property) {
	field := "args." + fieldName(p.Name)
	if p.Const != nil && !p.Plain {
		f.printf("\t%s = %s\n", field, f.wrapped(p.Type, literal(p.Const), !p.Required))
	}
	if p.Default != nil && !p.Plain && scalarDefault(p.Type) {
		f.printf("\tif %s == nil {\n%s\t}\n", field, indented(indented(f.assignDefault(p, func(value string) string {
			return fmt.Sprintf("%s = %s\n", field, f.wrapped(p.Type, value, !p.Required))
		}))))
	}
	if p.Secret && !p.Plain {
		f.printf("\tif %s != nil {\n\t\t%s = %sToSecret(%s).(%s)\n\t}\n", field, field, f.pulumi(), field, f.input(p.Use, !p.Required))
	}
}

// resourceOptions writes the options that come with the type.
func (f *file) resourceOptions(r *pschema.Resource) {
	if len(r.Aliases) > 0 {
		f.printf("\topts = append(opts, pulumi.Aliases([]pulumi.Alias{\n")
		for _, alias := range r.Aliases {
			f.printf("\t\t{Type: pulumi.String(%q)},\n", alias)
		}
		f.printf("\t}))\n")
	}
	f.namesOption("AdditionalSecretOutputs", r.Outputs, func(p *pschema.Property) bool { return p.Secret })
	f.namesOption("ReplaceOnChanges", r.Outputs, func(p *pschema.Property) bool { return p.ReplaceOnChanges })
}

func (f *file) namesOption(option string, properties []*pschema.Property, in func(*pschema.Property) bool) {
	var names []string
	for _, p := range properties {
		if in(p) {
			names = append(names, strconv.Quote(p.Name))
		}
	}
	if len(names) > 0 {
		f.printf("\topts = append(opts, pulumi.%s([]string{%s}))\n", option, strings.Join(names, ", "))
	}
}

// lookup writes the function that finds an existing resource by its ID, and
// the state that may help.
func (f *file) lookup(r *pschema.Resource, name string) {
	var state []*pschema.Property
	if r.StateInputs != nil {
		state = r.StateInputs.Properties()
	}
	f.comment("Get"+name+" reads an existing "+name+" by its ID. State may help to find it.", r.DeprecationMessage)
	f.function("Get"+name, r.DeprecationMessage, "ctx *pulumi.Context, name string, id pulumi.IDInput, state *"+name+"State, opts ...pulumi.ResourceOption", "(*"+name+", error)")
	read := "ReadResource"
	ref := f.packageRef("nil, err")
	if ref != "" {
		read = "ReadPackageResource"
	}
	f.printf("\tvar resource %s\n\terr %s ctx.%s(%q, name, id, state, &resource%s, opts...)\n", name, assign(ref), read, r.Token, ref)
	f.printf("\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn &resource, nil\n}\n\n")
	f.plainStruct(camel(name)+"State", state, false)
	f.printf("// %sState are the properties that the lookup of an existing %s may be given.\n", name, name)
	f.inputStruct(name+"State", state, false)
	f.elementType(name+"State", camel(name)+"State")
}

// resourceOutput writes the input and output types of references to a
// resource.
func (f *file) resourceOutput(r *pschema.Resource, name string) {
	f.inputInterface(name)
	f.elementType("*"+name, "*"+name)
	f.converters("i", "*"+name, name)
	f.outputType(name, "*"+name)
	for _, p := range r.Outputs {
		f.comment(p.Description, p.DeprecationMessage)
		lifted := f.output(p.Type, !p.Required)
		f.printf("func (o %sOutput) %s() %s {\n", name, fieldName(p.Name), lifted)
		f.lambda("o.ApplyT(", "func(v *"+name+") "+lifted, "return v."+fieldName(p.Name), ").("+lifted+")")
		f.printf("}\n\n")
	}
}
