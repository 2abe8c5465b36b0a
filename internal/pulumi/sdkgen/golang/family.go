package golang

import (
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// familyKind is what a family puts around its elements.
type familyKind uint8

const (
	arrayFamily familyKind = iota
	mapFamily
	ptrFamily
)

func (k familyKind) suffix() string {
	switch k {
	case arrayFamily:
		return "Array"
	case mapFamily:
		return "Map"
	}
	return "Ptr"
}

// family is an input type, its concrete type and an output type for the
// arrays, maps or pointers of something.
type family struct {
	kind familyKind
	name string
	of   pschema.Type // the collection, or for a pointer the object
	elem pschema.Type
}

// want makes sure that a family is written.
func (m *module) want(f family) {
	m.sdk.mu.Lock()
	defer m.sdk.mu.Unlock()
	m.families[f.name] = f
}

// completeFamilies finds those that families themselves ask for, in whichever
// module, and puts all of them in order.
func (s *sdk) completeFamilies() {
	for again := true; again; {
		again = false
		for _, m := range s.sorted() {
			again = m.completeFamilies() || again
		}
	}
}

// completeFamilies reports whether there was a family that is new.
func (m *module) completeFamilies() (found bool) {
	known := map[string]bool{}
	for _, fam := range m.ordered {
		known[fam.name] = true
	}
	for len(known) < len(m.families) {
		for _, name := range slices.Sorted(maps.Keys(m.families)) {
			if known[name] {
				continue
			}
			known[name], found = true, true
			m.ordered = append(m.ordered, m.families[name])
			m.file().ask(m.families[name])
		}
	}
	return found
}

// ask asks for the families that a family refers to.
func (f *file) ask(fam family) {
	object, ok := fam.elem.(*pschema.Object)
	if fam.kind != ptrFamily || !ok {
		f.output(fam.elem, false)
		return
	}
	for _, p := range object.Properties() {
		f.output(p.Type, true)
	}
}

func (f *file) writeFamily(fam family) {
	if fam.kind == ptrFamily {
		f.writePtr(fam)
		return
	}
	elemInput, elemOutput := f.lifted(fam.elem, false, "Input"), f.lifted(fam.elem, false, "Output")
	if enum, ok := simple(fam.elem).(*pschema.Enum); ok {
		elemInput = f.named(enum)
	}
	plain := f.plain(fam.of, false)
	f.inputInterface(fam.name)
	f.declareType(fam.name, "")
	if fam.kind == arrayFamily {
		f.printf("type %s []%s\n\n", fam.name, elemInput)
	} else {
		f.printf("type %s map[string]%s\n\n", fam.name, elemInput)
	}
	f.elementType(fam.name, plain)
	f.converters("i", fam.name, fam.name)
	f.outputType(fam.name, plain)
	index, key, cast := "Index(i pulumi.IntInput)", "i", "[vs[1].(int)]"
	if fam.kind == mapFamily {
		index, key, cast = "MapIndex(k pulumi.StringInput)", "k", "[vs[1].(string)]"
	}
	f.printf("// %s gives one element.\nfunc (o %sOutput) %s %s {\n", index[:indexName(index)], fam.name, index, elemOutput)
	f.printf("\treturn pulumi.All(o, %s).ApplyT(func(vs []interface{}) %s {\n\t\treturn vs[0].(%s)%s\n\t}).(%s)\n}\n\n",
		key, f.plain(fam.elem, false), plain, cast, elemOutput)
}

func indexName(signature string) int {
	for i, r := range signature {
		if r == '(' {
			return i
		}
	}
	return len(signature)
}

// writePtr writes the optional form of an object.
func (f *file) writePtr(fam family) {
	object, ok := fam.elem.(*pschema.Object)
	if !ok {
		return
	}
	base := f.sdk.typeName(object.Token)
	concrete := camel(base) + "PtrType"
	f.inputInterface(fam.name)
	f.printf("type %s %sArgs\n\n", concrete, base)
	f.printf("// %s makes an optional value of a pointer.\n", fam.name)
	f.function(fam.name, "", "v *"+base+"Args", fam.name+"Input")
	f.printf("\treturn (*%s)(v)\n}\n\n", concrete)
	f.elementType("*"+concrete, "*"+base)
	f.converters("i", "*"+concrete, fam.name)
	f.toPtr("i", base+"Args", base)
	f.printf(`// To%[1]sPtrOutput makes the value an optional one.
func (o %[1]sOutput) To%[1]sPtrOutput() %[1]sPtrOutput {
	return o.To%[1]sPtrOutputWithContext(context.Background())
}

// To%[1]sPtrOutputWithContext makes the value an optional one.
func (o %[1]sOutput) To%[1]sPtrOutputWithContext(ctx context.Context) %[1]sPtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, v %[1]s) *%[1]s {
		return &v
	}).(%[1]sPtrOutput)
}

`, base)
	f.outputType(fam.name, "*"+base)
	f.elem(base)
	for _, p := range object.Properties() {
		f.comment(p.Description, p.DeprecationMessage)
		plain := f.plain(p.Type, true)
		value := "v." + fieldName(p.Name)
		if p.Required && hasPtr(p.Type) {
			value = "&" + value
		}
		f.printf("func (o %sPtrOutput) %s() %s {\n", base, fieldName(p.Name), f.output(p.Type, true))
		f.printf("\treturn o.ApplyT(func(v *%s) %s {\n\t\tif v == nil {\n\t\t\treturn nil\n\t\t}\n\t\treturn %s\n\t}).(%s)\n}\n\n",
			base, plain, value, f.output(p.Type, true))
	}
}

// toPtr converts concrete arguments to the optional output.
func (f *file) toPtr(receiver, concrete, base string) {
	f.printf(`// To%[3]sPtrOutput makes an optional output of the value.
func (%[1]s %[2]s) To%[3]sPtrOutput() %[3]sPtrOutput {
	return %[1]s.To%[3]sPtrOutputWithContext(context.Background())
}

// To%[3]sPtrOutputWithContext makes an optional output of the value.
func (%[1]s %[2]s) To%[3]sPtrOutputWithContext(ctx context.Context) %[3]sPtrOutput {
	return pulumi.ToOutputWithContext(ctx, %[1]s).(%[3]sOutput).To%[3]sPtrOutputWithContext(ctx)
}

`, receiver, concrete, base)
}

// elem takes the pointer off an optional output.
func (f *file) elem(base string) {
	f.printf(`// Elem gives the value, or the zero one where there is none.
func (o %[1]sPtrOutput) Elem() %[1]sOutput {
	return o.ApplyT(func(v *%[1]s) %[1]s {
		if v != nil {
			return *v
		}
		var ret %[1]s
		return ret
	}).(%[1]sOutput)
}

`, base)
}

// inputInterface writes the interface that inputs of a name implement.
func (f *file) inputInterface(name string) {
	f.use("context")
	f.declareType(name+"Input", "")
	f.printf(`// %[1]sInput is what can be given for a %[1]s.
type %[1]sInput interface {
	%[2]sInput

	To%[1]sOutput() %[1]sOutput
	To%[1]sOutputWithContext(context.Context) %[1]sOutput
}

`, name, f.pulumi())
}

// elementType writes the method that ties a wrapper to its plain type.
func (f *file) elementType(receiver, plain string) {
	f.use("reflect")
	f.printf("// ElementType is the type of the value inside.\nfunc (%s) ElementType() reflect.Type {\n\treturn reflect.TypeOf((*%s)(nil)).Elem()\n}\n\n", receiver, plain)
}

// converters writes the methods that make an output of a concrete input.
func (f *file) converters(receiver, concrete, name string) {
	f.use("context")
	f.pulumi()
	f.printf(`// To%[3]sOutput makes an output of the value.
func (%[1]s %[2]s) To%[3]sOutput() %[3]sOutput {
	return %[1]s.To%[3]sOutputWithContext(context.Background())
}

// To%[3]sOutputWithContext makes an output of the value.
func (%[1]s %[2]s) To%[3]sOutputWithContext(ctx context.Context) %[3]sOutput {
	return pulumi.ToOutputWithContext(ctx, %[1]s).(%[3]sOutput)
}

`, receiver, concrete, name)
}

// outputType writes the output type of a name.
func (f *file) outputType(name, plain string) {
	f.use("context")
	f.declareType(name+"Output", "")
	f.printf("// %[1]sOutput is a %[1]s that may not be known yet.\ntype %[1]sOutput struct{ *%[2]sOutputState }\n\n", name, f.pulumi())
	f.elementType(name+"Output", plain)
	f.printf(`// To%[1]sOutput gives the output itself.
func (o %[1]sOutput) To%[1]sOutput() %[1]sOutput {
	return o
}

// To%[1]sOutputWithContext gives the output itself.
func (o %[1]sOutput) To%[1]sOutputWithContext(context.Context) %[1]sOutput {
	return o
}

`, name)
}
