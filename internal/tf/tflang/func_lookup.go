package tflang

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// lookupFunc finds a key in a map or object, with an optional default. Only
// the marks of what was looked at reach the result: the map's, the key's and
// the element's.
func lookupFunc() function.Function {
	inputMap, key, fallback := param("inputMap", cty.DynamicPseudoType), param("key", cty.String), anyParam("default")
	inputMap.AllowMarked, key.AllowMarked = true, true
	return function.New(&function.Spec{
		Params:   []function.Parameter{inputMap, key},
		VarParam: &fallback,
		Type:     lookupType,
		Impl:     lookup,
	})
}

func lookupType(args []cty.Value) (cty.Type, error) {
	if len(args) > 3 {
		return cty.NilType, fmt.Errorf("lookup() takes two or three arguments, got %d", len(args))
	}
	ty := args[0].Type()
	switch {
	case ty.IsMapType():
		if len(args) == 3 {
			if _, err := convert.Convert(args[2], ty.ElementType()); err != nil {
				return cty.NilType, function.NewArgErrorf(2, "the default value must have the same type as the map elements")
			}
		}
		return ty.ElementType(), nil
	case ty.IsObjectType():
		return lookupAttributeType(ty, args)
	}
	return cty.NilType, function.NewArgErrorf(0, "lookup() requires a map as the first argument")
}

func lookupAttributeType(ty cty.Type, args []cty.Value) (cty.Type, error) {
	key, marks := args[1].Unmark()
	switch {
	case !key.IsKnown():
		return cty.DynamicPseudoType, nil
	case ty.HasAttribute(key.AsString()):
		return ty.AttributeType(key.AsString()), nil
	case len(args) == 3:
		return args[2].Type(), nil
	}
	return cty.DynamicPseudoType, function.NewArgErrorf(0, "the given object has no attribute %s", redacted(key.AsString(), marks))
}

func lookup(args []cty.Value, ty cty.Type) (cty.Value, error) {
	in, inMarks := args[0].Unmark()
	key, keyMarks := args[1].Unmark()
	if found, ok := lookUp(in, key); ok {
		return found.WithMarks(inMarks, keyMarks), nil
	}
	if len(args) < 3 {
		return cty.DynamicVal, fmt.Errorf("lookup failed to find key %s", redacted(key.AsString(), keyMarks))
	}
	fallback, err := convert.Convert(args[2], ty)
	if err != nil {
		return cty.NilVal, function.NewArgError(2, err)
	}
	return fallback.WithMarks(inMarks, keyMarks), nil
}

func lookUp(in, key cty.Value) (cty.Value, bool) {
	if in.Type().IsObjectType() {
		if !in.Type().HasAttribute(key.AsString()) {
			return cty.NilVal, false
		}
		return in.GetAttr(key.AsString()), true
	}
	if !in.HasIndex(key).True() {
		return cty.NilVal, false
	}
	return in.Index(key), true
}
