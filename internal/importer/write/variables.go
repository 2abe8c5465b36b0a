package write

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

func sortedVariables(list []Variable) []Variable {
	return slices.SortedFunc(slices.Values(list), func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
}

// isPrivate reports whether a variable's value stays out of source files.
func (v Variable) isPrivate() bool { return v.Sensitive || v.StandIn || v.Guarded }

// IsPrivate reports the same of a variable of an earlier import.
func (v VariableReport) IsPrivate() bool {
	return Variable{Sensitive: v.Sensitive, StandIn: v.StandIn, Guarded: v.Guarded}.isPrivate()
}

// variables are the variable blocks, by name.
func variables(list []Variable) []*tfconfig.Block {
	var out []*tfconfig.Block
	for _, v := range sortedVariables(list) {
		body := &tfconfig.Body{}
		set := func(name string, expr tfconfig.Expr) {
			body.Attributes = append(body.Attributes, tfconfig.Attribute{Name: name, Expr: expr})
		}
		if v.Description != "" {
			set("description", tfconfig.Text(v.Description))
		}
		set("type", typeExpr(v.Type))
		if v.Sensitive && !v.Import {
			set("sensitive", tfconfig.Flag(true))
		}
		if !v.isPrivate() && v.Value != cty.NilVal {
			set("default", valueExpr(v.Value))
		}
		out = append(out, &tfconfig.Block{Type: "variable", Labels: []string{v.Name}, Body: body})
	}
	return out
}

const (
	secretsHeader = "Secret values. This file is ignored by git: keep it so."
	standInHeader = "The provider cannot read this value. Replace it with the real one."
	filledHeader  = "The provider cannot read this value. It was filled in by hand."
)

// secrets is the file of private values, or nil where there are none.
func secrets(list []Variable) *tfconfig.Body {
	body := &tfconfig.Body{}
	for _, v := range sortedVariables(list) {
		if !v.isPrivate() || v.Value == cty.NilVal {
			continue
		}
		attr := tfconfig.Attribute{Name: v.Name, Expr: valueExpr(v.Value)}
		switch {
		case v.FilledIn:
			attr.Comment = filledHeader
		case v.StandIn:
			attr.Comment = standInHeader
		}
		body.Attributes = append(body.Attributes, attr)
	}
	if len(body.Attributes) == 0 {
		return nil
	}
	first := &body.Attributes[0]
	first.Comment = strings.TrimSuffix(secretsHeader+"\n"+first.Comment, "\n")
	return body
}

// valueExpr writes a known value without functions, as files of values want
// it. Marks are dropped.
func valueExpr(v cty.Value) tfconfig.Expr {
	v, _ = v.Unmark()
	ty := v.Type()
	switch {
	case v.IsNull() || !v.IsKnown() || ty.IsPrimitiveType():
		if !v.IsKnown() {
			v = cty.NullVal(cty.DynamicPseudoType)
		}
		return tfconfig.Literal{Value: v}
	case ty.IsMapType() || ty.IsObjectType():
		var out tfconfig.Object
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			out.Items = append(out.Items, tfconfig.ObjectItem{Key: key.AsString(), Value: valueExpr(elem)})
		}
		return out
	case ty.IsListType() || ty.IsSetType() || ty.IsTupleType():
		var out tfconfig.List
		for it := v.ElementIterator(); it.Next(); {
			_, elem := it.Element()
			out.Items = append(out.Items, valueExpr(elem))
		}
		return out
	}
	return tfconfig.Literal{Value: cty.NullVal(cty.DynamicPseudoType)}
}

// typeExpr writes a type constraint.
func typeExpr(ty cty.Type) tfconfig.Expr {
	switch {
	case ty == cty.String:
		return tfconfig.Ref("string")
	case ty == cty.Number:
		return tfconfig.Ref("number")
	case ty == cty.Bool:
		return tfconfig.Ref("bool")
	case ty.IsListType():
		return tfconfig.Call{Function: "list", Args: []tfconfig.Expr{typeExpr(ty.ElementType())}}
	case ty.IsSetType():
		return tfconfig.Call{Function: "set", Args: []tfconfig.Expr{typeExpr(ty.ElementType())}}
	case ty.IsMapType():
		return tfconfig.Call{Function: "map", Args: []tfconfig.Expr{typeExpr(ty.ElementType())}}
	case ty.IsTupleType():
		var items tfconfig.List
		for _, elem := range ty.TupleElementTypes() {
			items.Items = append(items.Items, typeExpr(elem))
		}
		return tfconfig.Call{Function: "tuple", Args: []tfconfig.Expr{items}}
	case ty.IsObjectType():
		return objectTypeExpr(ty)
	}
	return tfconfig.Ref("any")
}

func objectTypeExpr(ty cty.Type) tfconfig.Expr {
	var object tfconfig.Object
	attrs := ty.AttributeTypes()
	names := make([]string, 0, len(attrs))
	for name := range attrs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		object.Items = append(object.Items, tfconfig.ObjectItem{Key: name, Value: typeExpr(attrs[name])})
	}
	return tfconfig.Call{Function: "object", Args: []tfconfig.Expr{object}}
}
