package tflang

import (
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

func conversionFunctions() map[string]function.Function {
	return map[string]function.Function{
		"tobool":          conversionFunc(cty.Bool),
		"tolist":          conversionFunc(cty.List(cty.DynamicPseudoType)),
		"tomap":           conversionFunc(cty.Map(cty.DynamicPseudoType)),
		"tonumber":        conversionFunc(cty.Number),
		"toset":           conversionFunc(cty.Set(cty.DynamicPseudoType)),
		"tostring":        conversionFunc(cty.String),
		"type":            typeFunc(),
		"sensitive":       remarkFunc(func(v cty.Value) cty.Value { return v.Mark(Sensitive) }),
		"nonsensitive":    remarkFunc(nonsensitive),
		"issensitive":     isSensitiveFunc(),
		"ephemeralasnull": ephemeralAsNullFunc(),
	}
}

// conversionFunc converts explicitly to want, which may have unknown parts.
func conversionFunc(want cty.Type) function.Function {
	v := anyParam("v")
	v.AllowUnknown = false
	return function.New(&function.Spec{
		Params: []function.Parameter{v},
		Type: func(args []cty.Value) (cty.Type, error) {
			got := args[0].Type()
			if !got.Equals(want) && convert.GetConversionUnsafe(got, want) == nil {
				return cty.NilType, function.NewArgErrorf(0, "cannot convert %s to %s", got.FriendlyName(), want.FriendlyNameForConstraint())
			}
			return want, nil
		},
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			out, err := convert.Convert(args[0], ty)
			if err != nil {
				return cty.NilVal, conversionError(args[0], want)
			}
			return out, nil
		},
	})
}

func conversionError(v cty.Value, want cty.Type) error {
	to := want.FriendlyNameForConstraint()
	bare := ctyx.Unmark(v)
	switch {
	case Has(v, Ephemeral):
		return function.NewArgErrorf(0, "cannot convert this ephemeral %s to %s", bare.Type().FriendlyName(), to)
	case Has(v, Sensitive):
		return function.NewArgErrorf(0, "cannot convert this sensitive %s to %s", bare.Type().FriendlyName(), to)
	case bare.Type() == cty.String && !bare.IsNull() && want == cty.Bool:
		return function.NewArgErrorf(0, `cannot convert %s to bool; only the strings "true" or "false" are allowed`, strconv.Quote(bare.AsString()))
	case bare.Type() == cty.String && !bare.IsNull() && want == cty.Number:
		return function.NewArgErrorf(0, "cannot convert %s to number; a decimal number is wanted", strconv.Quote(bare.AsString()))
	}
	return function.NewArgErrorf(0, "cannot convert %s to %s", bare.Type().FriendlyName(), to)
}

// remarkFunc changes what a value is marked with, and nothing else.
func remarkFunc(remark func(cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{anyParam("value")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return remark(args[0]), nil },
	})
}

func nonsensitive(v cty.Value) cty.Value {
	bare, marks := v.Unmark()
	delete(marks, Sensitive)
	return bare.WithMarks(marks)
}

// isSensitiveFunc cannot tell for an unknown value, whose marks may depend on
// what it turns out to be.
func isSensitiveFunc() function.Function {
	return scalarFunc(cty.Bool, []function.Parameter{anyParam("value")}, func(args []cty.Value) (cty.Value, error) {
		if !args[0].IsKnown() && !args[0].HasMark(Sensitive) {
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.BoolVal(args[0].HasMark(Sensitive)), nil
	})
}

// ephemeralAsNullFunc replaces every ephemeral part of a value by null.
func ephemeralAsNullFunc() function.Function {
	return remarkFunc(func(v cty.Value) cty.Value {
		out, err := cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
			if !part.HasMark(Ephemeral) {
				return part, nil
			}
			bare, marks := part.Unmark()
			delete(marks, Ephemeral)
			if !bare.IsKnown() {
				return cty.UnknownVal(bare.Type()).WithMarks(marks), nil
			}
			return cty.NullVal(bare.Type()).WithMarks(marks), nil
		})
		if err != nil { // the callback above raises none
			return v
		}
		return out
	})
}
