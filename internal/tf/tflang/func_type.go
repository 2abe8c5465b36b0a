package tflang

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// typeFunc describes the type of a value as the consoles of Terraform and
// OpenTofu print it: structural types over several lines. It is meant for a
// reader; there, its result is not a value that configuration can use.
func typeFunc() function.Function {
	value := anyParam("value")
	value.AllowMarked = false
	return scalarFunc(cty.String, []function.Parameter{value}, func(args []cty.Value) (cty.Value, error) {
		var b strings.Builder
		writeType(&b, args[0].Type(), 0)
		return cty.StringVal(b.String()), nil
	})
}

const typeIndent = "    "

func writeType(b *strings.Builder, ty cty.Type, depth int) {
	switch {
	case ty == cty.DynamicPseudoType:
		b.WriteString("dynamic")
	case ty.IsPrimitiveType():
		b.WriteString(ty.FriendlyName())
	case ty.IsListType():
		writeElement(b, "list", ty, depth)
	case ty.IsSetType():
		writeElement(b, "set", ty, depth)
	case ty.IsMapType():
		writeElement(b, "map", ty, depth)
	case ty.IsTupleType():
		writeTuple(b, ty.TupleElementTypes(), depth)
	case ty.IsObjectType():
		writeObject(b, ty.AttributeTypes(), depth)
	default:
		b.WriteString(ty.FriendlyName())
	}
}

func writeElement(b *strings.Builder, kind string, ty cty.Type, depth int) {
	elem := ty.ElementType()
	b.WriteString(kind + "(")
	if !elem.IsObjectType() && !elem.IsTupleType() {
		writeType(b, elem, depth)
		b.WriteString(")")
		return
	}
	b.WriteString("\n" + strings.Repeat(typeIndent, depth+1))
	writeType(b, elem, depth+1)
	b.WriteString(",\n" + strings.Repeat(typeIndent, depth) + ")")
}

func writeTuple(b *strings.Builder, elems []cty.Type, depth int) {
	if len(elems) == 0 {
		b.WriteString("tuple([])")
		return
	}
	b.WriteString("tuple([\n")
	for _, ty := range elems {
		b.WriteString(strings.Repeat(typeIndent, depth+1))
		writeType(b, ty, depth+1)
		b.WriteString(",\n")
	}
	b.WriteString(strings.Repeat(typeIndent, depth) + "])")
}

func writeObject(b *strings.Builder, attrs map[string]cty.Type, depth int) {
	if len(attrs) == 0 {
		b.WriteString("object({})")
		return
	}
	b.WriteString("object({\n")
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		b.WriteString(strings.Repeat(typeIndent, depth+1))
		b.WriteString(name + ": ")
		writeType(b, attrs[name], depth+1)
		b.WriteString(",\n")
	}
	b.WriteString(strings.Repeat(typeIndent, depth) + "})")
}
