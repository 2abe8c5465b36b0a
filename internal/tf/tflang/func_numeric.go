package tflang

import (
	"errors"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

func numericFunctions() map[string]function.Function {
	return map[string]function.Function{
		"sum":     sumFunc(),
		"alltrue": quantifierFunc(false),
		"anytrue": quantifierFunc(true),
	}
}

// sumFunc adds the numbers of a list, set or tuple, which must not be empty.
func sumFunc() function.Function {
	return scalarFunc(cty.Number, []function.Parameter{param("list", cty.DynamicPseudoType)}, func(args []cty.Value) (cty.Value, error) {
		list, ty := args[0], args[0].Type()
		if !ty.IsListType() && !ty.IsSetType() && !ty.IsTupleType() {
			return cty.NilVal, function.NewArgErrorf(0, "argument must be list, set, or tuple; received %s", ty.FriendlyName())
		}
		if list.LengthInt() == 0 {
			return cty.NilVal, function.NewArgErrorf(0, "cannot sum an empty list")
		}
		if !list.IsWhollyKnown() {
			return cty.UnknownVal(cty.Number), nil
		}
		return sum(list.AsValueSlice())
	})
}

func sum(values []cty.Value) (total cty.Value, err error) {
	// Adding opposite infinities is the one addition that has no result.
	defer func() {
		if r := recover(); r != nil {
			if _, nan := r.(big.ErrNaN); !nan {
				panic(r)
			}
			total, err = cty.NilVal, errors.New("cannot compute the sum of opposing infinities")
		}
	}()
	for i, v := range values {
		n, convErr := convert.Convert(v, cty.Number)
		if convErr != nil || n.IsNull() {
			return cty.NilVal, function.NewArgErrorf(0, "argument must be list, set, or tuple of number values")
		}
		if i == 0 {
			total = n
		} else {
			total = total.Add(n)
		}
	}
	return total, nil
}

// quantifierFunc looks for decisive in a list of booleans, where null counts
// as false: alltrue is decided by a false element, anytrue by a true one.
func quantifierFunc(decisive bool) function.Function {
	return scalarFunc(cty.Bool, []function.Parameter{param("list", cty.List(cty.Bool))}, func(args []cty.Value) (cty.Value, error) {
		unknown := false
		for _, v := range args[0].AsValueSlice() {
			if !v.IsKnown() {
				if unknown = true; !decisive {
					break // alltrue gives up at the first unknown element
				}
				continue
			}
			if (!v.IsNull() && v.True()) == decisive {
				return cty.BoolVal(decisive), nil
			}
		}
		if unknown {
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.BoolVal(!decisive), nil
	})
}
