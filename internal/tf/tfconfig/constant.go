package tfconfig

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// ConstantValue works out an expression that refers to nothing, as a value
// of type ty. One that refers to something, or calls a function other than
// jsonencode, is an error.
func ConstantValue(expr Expr, ty cty.Type) (cty.Value, error) {
	v, err := constant(expr)
	if err != nil {
		return cty.NilVal, err
	}
	return convert.Convert(v, ty)
}

func constant(expr Expr) (cty.Value, error) {
	switch e := expr.(type) {
	case Literal:
		return e.Value, nil
	case List:
		items, err := constants(e.Items)
		return cty.TupleVal(items), err
	case Object:
		return constantObject(e)
	case JSONEncode:
		v, err := constant(e.Value)
		if err != nil {
			return cty.NilVal, err
		}
		return stdlib.JSONEncode(v)
	case Template:
		return constantTemplate(e)
	default:
		return cty.NilVal, fmt.Errorf("a %T is not constant", expr)
	}
}

func constants(exprs []Expr) ([]cty.Value, error) {
	out := make([]cty.Value, len(exprs))
	for i, e := range exprs {
		v, err := constant(e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func constantObject(e Object) (cty.Value, error) {
	vals := make(map[string]cty.Value, len(e.Items))
	for _, item := range e.Items {
		v, err := constant(item.Value)
		if err != nil {
			return cty.NilVal, err
		}
		vals[item.Key] = v
	}
	return cty.ObjectVal(vals), nil
}

func constantTemplate(e Template) (cty.Value, error) {
	parts, err := constants(e.Parts)
	if err != nil {
		return cty.NilVal, err
	}
	var b strings.Builder
	for _, part := range parts {
		if part.Type() != cty.String || part.IsNull() {
			return cty.NilVal, fmt.Errorf("a template with a part that is no string")
		}
		b.WriteString(part.AsString())
	}
	return cty.StringVal(b.String()), nil
}
