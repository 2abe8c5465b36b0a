package golang

import (
	"fmt"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// writeEnum writes an enum as a type of its underlying scalar, with
// constants. Its values are inputs by themselves.
func (f *file) writeEnum(t *pschema.Enum) {
	name := f.sdk.typeName(t.Token)
	s := scalarOf(t.Elem)
	f.commentOr(t.Description, name+" is the enum "+t.Token+".", "")
	f.declareType(name, "")
	f.printf("type %s %s\n\n", name, s.plain)
	f.enumValues(name, t.Values)
	f.inputInterface(name)
	f.elementType(name, name)
	f.converters("e", name, name)
	f.toEnumPtr(name)
	f.enumScalar(name, s)
	f.outputType(name, name)
	f.enumOutput(name, s)
	f.enumPtr(name, s)
}

func (f *file) enumValues(name string, values []pschema.EnumValue) {
	f.printf("const (\n")
	rows := make([]row, len(values))
	taken := sdkgen.Taken{}
	for i, v := range values {
		label, _ := sdkgen.ValueName(v)
		constant := taken.Free(enumValueName(name, label))
		f.declare(declaration{kind: valueDeclaration, name: constant, deprecated: v.DeprecationMessage})
		rows[i] = row{f.text(v.Description, v.DeprecationMessage), []string{constant, "= " + name + "(" + literal(v.Value) + ")"}}
	}
	f.rows(rows)
	f.printf(")\n\n")
}

func (f *file) toEnumPtr(name string) {
	f.printf(`// To%[1]sPtrOutput makes an optional output of the value.
func (e %[1]s) To%[1]sPtrOutput() %[1]sPtrOutput {
	return e.To%[1]sPtrOutputWithContext(context.Background())
}

// To%[1]sPtrOutputWithContext makes an optional output of the value.
func (e %[1]s) To%[1]sPtrOutputWithContext(ctx context.Context) %[1]sPtrOutput {
	return e.To%[1]sOutputWithContext(ctx).To%[1]sPtrOutputWithContext(ctx)
}

`, name)
}

// enumScalar lets an enum's value stand where its scalar is asked for.
func (f *file) enumScalar(name string, s scalar) {
	f.printf(`// To%[2]sOutput makes an output of the bare value.
func (e %[1]s) To%[2]sOutput() pulumi.%[2]sOutput {
	return pulumi.ToOutput(pulumi.%[2]s(e)).(pulumi.%[2]sOutput)
}

// To%[2]sOutputWithContext makes an output of the bare value.
func (e %[1]s) To%[2]sOutputWithContext(ctx context.Context) pulumi.%[2]sOutput {
	return pulumi.ToOutputWithContext(ctx, pulumi.%[2]s(e)).(pulumi.%[2]sOutput)
}

// To%[2]sPtrOutput makes an optional output of the bare value.
func (e %[1]s) To%[2]sPtrOutput() pulumi.%[2]sPtrOutput {
	return pulumi.%[2]s(e).To%[2]sPtrOutputWithContext(context.Background())
}

// To%[2]sPtrOutputWithContext makes an optional output of the bare value.
func (e %[1]s) To%[2]sPtrOutputWithContext(ctx context.Context) pulumi.%[2]sPtrOutput {
	return pulumi.%[2]s(e).To%[2]sOutputWithContext(ctx).To%[2]sPtrOutputWithContext(ctx)
}

`, name, s.name)
}

func (f *file) enumOutput(name string, s scalar) {
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

// To%[2]sOutput gives the bare value.
func (o %[1]sOutput) To%[2]sOutput() pulumi.%[2]sOutput {
	return o.To%[2]sOutputWithContext(context.Background())
}

// To%[2]sOutputWithContext gives the bare value.
func (o %[1]sOutput) To%[2]sOutputWithContext(ctx context.Context) pulumi.%[2]sOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e %[1]s) %[3]s {
		return %[3]s(e)
	}).(pulumi.%[2]sOutput)
}

// To%[2]sPtrOutput gives the bare value as an optional one.
func (o %[1]sOutput) To%[2]sPtrOutput() pulumi.%[2]sPtrOutput {
	return o.To%[2]sPtrOutputWithContext(context.Background())
}

// To%[2]sPtrOutputWithContext gives the bare value as an optional one.
func (o %[1]sOutput) To%[2]sPtrOutputWithContext(ctx context.Context) pulumi.%[2]sPtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e %[1]s) *%[3]s {
		v := %[3]s(e)
		return &v
	}).(pulumi.%[2]sPtrOutput)
}

`, name, s.name, s.plain)
}

// enumPtr writes the optional form of an enum.
func (f *file) enumPtr(name string, s scalar) {
	ptr := name + "Ptr"
	concrete := camel(ptr)
	f.inputInterface(ptr)
	f.printf("type %s %s\n\n", concrete, s.plain)
	f.printf("// %s makes an optional value of a bare one.\n", ptr)
	f.function(ptr, "", "v "+s.plain, ptr+"Input")
	f.printf("\treturn (*%s)(&v)\n}\n\n", concrete)
	f.elementType("*"+concrete, "*"+name)
	f.converters("in", "*"+concrete, ptr)
	f.outputType(ptr, "*"+name)
	f.elem(name)
	f.printf("%s", fmt.Sprintf(`// To%[2]sPtrOutput gives the bare value.
func (o %[1]sPtrOutput) To%[2]sPtrOutput() pulumi.%[2]sPtrOutput {
	return o.To%[2]sPtrOutputWithContext(context.Background())
}

// To%[2]sPtrOutputWithContext gives the bare value.
func (o %[1]sPtrOutput) To%[2]sPtrOutputWithContext(ctx context.Context) pulumi.%[2]sPtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e *%[1]s) *%[3]s {
		if e == nil {
			return nil
		}
		v := %[3]s(*e)
		return &v
	}).(pulumi.%[2]sPtrOutput)
}

`, name, s.name, s.plain))
}
