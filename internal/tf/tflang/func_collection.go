package tflang

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

func collectionFunctions() map[string]function.Function {
	return map[string]function.Function{
		"coalesce":  coalesceFunc(),
		"index":     indexFunc(),
		"length":    lengthFunc(),
		"list":      retiredFunc("list", "tolist([ ... ])"),
		"lookup":    lookupFunc(),
		"map":       retiredFunc("map", "tomap({ ... })"),
		"matchkeys": matchKeysFunc(),
		"one":       oneFunc(),
		"transpose": transposeFunc(),
	}
}

// lengthFunc counts elements, attributes, or the characters of a string. The
// marks of elements do not matter to it.
func lengthFunc() function.Function {
	value := anyParam("value")
	value.AllowNull = false
	return function.New(&function.Spec{
		Params: []function.Parameter{value},
		Type: func(args []cty.Value) (cty.Type, error) {
			ty := args[0].Type()
			if ty == cty.String || ty == cty.DynamicPseudoType || ty.IsCollectionType() || ty.IsTupleType() || ty.IsObjectType() {
				return cty.Number, nil
			}
			return cty.Number, errors.New("argument must be a string, a collection type, or a structural type")
		},
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, ty := args[0], args[0].Type()
			switch {
			case ty == cty.String:
				return stdlib.Strlen(v)
			case ty.IsTupleType():
				return cty.NumberIntVal(int64(ty.Length())).WithMarks(v.Marks()), nil
			case ty.IsObjectType():
				return cty.NumberIntVal(int64(len(ty.AttributeTypes()))).WithMarks(v.Marks()), nil
			case ty.IsCollectionType():
				return v.Length(), nil
			}
			return cty.UnknownVal(cty.Number).WithMarks(v.Marks()), nil
		},
	})
}

// coalesceFunc returns the first argument that is neither null nor "".
func coalesceFunc() function.Function {
	vals := anyParam("vals")
	vals.AllowMarked = false
	return function.New(&function.Spec{
		VarParam: &vals,
		Type: func(args []cty.Value) (cty.Type, error) {
			types := make([]cty.Type, len(args))
			for i, v := range args {
				types[i] = v.Type()
			}
			ty, _ := convert.UnifyUnsafe(types)
			if ty == cty.NilType {
				return ty, errors.New("all arguments must have the same type")
			}
			return ty, nil
		},
		RefineResult: notNull,
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			for i, v := range args {
				v, err := convert.Convert(v, ty)
				if err != nil {
					return cty.NilVal, function.NewArgError(i, err)
				}
				if !v.IsKnown() {
					return cty.UnknownVal(ty), nil
				}
				if !v.IsNull() && !(v.Type() == cty.String && v.AsString() == "") {
					return v, nil
				}
			}
			return cty.NilVal, errors.New("no non-null, non-empty-string arguments")
		},
	})
}

// indexFunc finds the first index of a value in a list or tuple.
func indexFunc() function.Function {
	params := []function.Parameter{param("list", cty.DynamicPseudoType), param("value", cty.DynamicPseudoType)}
	return scalarFunc(cty.Number, params, func(args []cty.Value) (cty.Value, error) {
		ty := args[0].Type()
		if !ty.IsListType() && !ty.IsTupleType() {
			return cty.NilVal, function.NewArgErrorf(0, "argument must be a list or tuple")
		}
		if args[0].LengthInt() == 0 {
			return cty.NilVal, function.NewArgErrorf(0, "cannot search an empty list")
		}
		for i, v := range args[0].AsValueSlice() {
			equal, err := stdlib.Equal(v, args[1])
			if err != nil {
				return cty.NilVal, err
			}
			if !equal.IsKnown() {
				return cty.UnknownVal(cty.Number), nil
			}
			if equal.True() {
				return cty.NumberIntVal(int64(i)), nil
			}
		}
		return cty.NilVal, errors.New("item not found")
	})
}

// matchKeysFunc keeps the values whose keys, at the same index, are in the
// search set.
func matchKeysFunc() function.Function {
	list := cty.List(cty.DynamicPseudoType)
	return function.New(&function.Spec{
		Params: []function.Parameter{param("values", list), param("keys", list), param("searchset", list)},
		Type: func(args []cty.Value) (cty.Type, error) {
			if ty, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()}); ty == cty.NilType {
				return ty, errors.New("keys and searchset must be of the same type")
			}
			return args[0].Type(), nil
		},
		RefineResult: notNull,
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			if !args[0].IsWhollyKnown() || !args[1].IsWhollyKnown() {
				return cty.UnknownVal(ty), nil
			}
			if args[0].LengthInt() != args[1].LengthInt() {
				return cty.NilVal, errors.New("length of keys and values should be equal")
			}
			return matchKeys(args[0].AsValueSlice(), args[1], args[2], ty)
		},
	})
}

func matchKeys(values []cty.Value, keys, wanted cty.Value, ty cty.Type) (cty.Value, error) {
	common, _ := convert.UnifyUnsafe([]cty.Type{keys.Type(), wanted.Type()})
	keys, err := convert.Convert(keys, common)
	if err != nil {
		return cty.NilVal, function.NewArgError(1, err)
	}
	if wanted, err = convert.Convert(wanted, common); err != nil {
		return cty.NilVal, function.NewArgError(2, err)
	}
	if !wanted.IsWhollyKnown() {
		return cty.UnknownVal(ty), nil
	}
	search := wanted.AsValueSlice()
	var kept []cty.Value
	for i, key := range keys.AsValueSlice() {
		if slices.ContainsFunc(search, func(s cty.Value) bool { return s.RawEquals(key) }) {
			kept = append(kept, values[i])
		}
	}
	if len(kept) == 0 {
		return cty.ListValEmpty(ty.ElementType()), nil
	}
	return cty.ListVal(kept), nil
}

// oneFunc returns the only element of a collection, or null for none.
func oneFunc() function.Function {
	tooMany := function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
	return function.New(&function.Spec{
		Params: []function.Parameter{param("list", cty.DynamicPseudoType)},
		Type: func(args []cty.Value) (cty.Type, error) {
			ty := args[0].Type()
			switch {
			case ty.IsListType() || ty.IsSetType():
				return ty.ElementType(), nil
			case ty.IsTupleType() && ty.Length() == 0:
				return cty.DynamicPseudoType, nil
			case ty.IsTupleType() && ty.Length() == 1:
				return ty.TupleElementType(0), nil
			}
			return cty.NilType, tooMany
		},
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			length := args[0].Length()
			if !length.IsKnown() {
				return cty.UnknownVal(ty), nil
			}
			switch elems := args[0].AsValueSlice(); len(elems) {
			case 0:
				return cty.NullVal(ty), nil
			case 1:
				return elems[0], nil
			}
			return cty.NilVal, tooMany
		},
	})
}

// transposeFunc swaps the keys and the values of a map of lists of strings.
func transposeFunc() function.Function {
	ty := cty.Map(cty.List(cty.String))
	return scalarFunc(ty, []function.Parameter{param("values", ty)}, func(args []cty.Value) (cty.Value, error) {
		if !args[0].IsWhollyKnown() {
			return cty.UnknownVal(ty), nil
		}
		swapped := map[string][]cty.Value{}
		for it := args[0].ElementIterator(); it.Next(); { // in key order, so the lists are sorted
			key, list := it.Element()
			path := cty.Path{cty.IndexStep{Key: key}}
			if list.IsNull() {
				return cty.NilVal, function.NewArgErrorf(0, "cannot use null list for %s", ctyx.PathString(path))
			}
			for _, v := range list.AsValueSlice() {
				if v.IsNull() {
					return cty.NilVal, function.NewArgErrorf(0, "cannot use null string in %s", ctyx.PathString(path))
				}
				swapped[v.AsString()] = append(swapped[v.AsString()], key)
			}
		}
		out := make(map[string]cty.Value, len(swapped))
		for key, list := range swapped {
			out[key] = cty.ListVal(list)
		}
		if len(out) == 0 {
			return cty.MapValEmpty(cty.List(cty.String)), nil
		}
		return cty.MapVal(out), nil
	})
}

// retiredFunc is a function that Terraform 0.12 took away; its name is kept
// for the sake of the message.
func retiredFunc(name, instead string) function.Function {
	vals := anyParam("vals")
	err := fmt.Errorf("the %q function was removed; use %s instead", name, instead)
	return function.New(&function.Spec{
		VarParam: &vals,
		Type:     func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, err },
		Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, err },
	})
}
