package tflang

import (
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// ProviderFunction makes a callable function of a provider's signature; call
// is the provider's CallFunction with the arguments in order. Marks stay on
// this side and reach the result.
func ProviderFunction(sig *tfschema.Function, call func(args []cty.Value) (cty.Value, error)) function.Function {
	spec := &function.Spec{
		Description: sig.Summary,
		Type:        function.StaticReturnType(sig.Return),
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			if !argumentsKnown(sig, args) {
				return cty.UnknownVal(ty), nil
			}
			return call(args)
		},
	}
	for _, p := range sig.Parameters {
		spec.Params = append(spec.Params, signatureParam(p))
	}
	if sig.Variadic != nil {
		p := signatureParam(sig.Variadic)
		spec.VarParam = &p
	}
	return function.New(spec)
}

func signatureParam(p *tfschema.Parameter) function.Parameter {
	return function.Parameter{
		Name: p.Name, Type: p.Type, Description: p.Description,
		AllowNull: p.AllowNull, AllowUnknown: p.AllowUnknown, AllowDynamicType: p.AllowUnknown,
	}
}

// argumentsKnown applies to whole values what cty applies to their tops: an
// unknown inside an argument may only reach a parameter that allows it.
func argumentsKnown(sig *tfschema.Function, args []cty.Value) bool {
	for i, arg := range args {
		p := sig.Variadic
		if i < len(sig.Parameters) {
			p = sig.Parameters[i]
		}
		if p != nil && !p.AllowUnknown && !arg.IsWhollyKnown() {
			return false
		}
	}
	return true
}

// LazyFunction is a function whose signature is fetched on its first call. A
// fetch that fails is the error of every call.
func LazyFunction(fetch func() (function.Function, error)) function.Function {
	once := sync.OnceValues(fetch)
	args := anyParam("args")
	return function.New(&function.Spec{
		VarParam: &args,
		Type: func(args []cty.Value) (cty.Type, error) {
			real, args, err := resolveCall(once, args)
			if err != nil {
				return cty.DynamicPseudoType, err
			}
			return real.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			real, args, err := resolveCall(once, args)
			if err != nil {
				return cty.DynamicVal, err
			}
			return real.Call(args)
		},
	})
}

// resolveCall converts the arguments to the types of the real parameters, as
// HCL does for a function whose signature it knows.
func resolveCall(once func() (function.Function, error), args []cty.Value) (function.Function, []cty.Value, error) {
	real, err := once()
	if err != nil {
		return real, nil, err
	}
	params, variadic := real.Params(), real.VarParam()
	out := make([]cty.Value, len(args))
	for i, arg := range args {
		out[i] = arg
		ty := cty.DynamicPseudoType
		switch {
		case i < len(params):
			ty = params[i].Type
		case variadic != nil:
			ty = variadic.Type
		}
		if out[i], err = convert.Convert(arg, ty); err != nil {
			return real, nil, function.NewArgError(i, err)
		}
	}
	return real, out, nil
}
