package tfprovider

import (
	"context"
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// CallFunction implements [Provider].
func (c *client) CallFunction(ctx context.Context, name string, args []cty.Value) (cty.Value, diag.List) {
	const rpc = "CallFunction"
	signature, diags := c.signature(ctx, name)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	encoded, known, problem := encodeArguments(signature, args)
	switch {
	case problem != nil:
		return cty.NilVal, append(diags, problem)
	case !known:
		return cty.UnknownVal(signature.Return), diags
	}
	resp := &wire.CallFunctionResponse{}
	diags = append(diags, invoke(ctx, c, rpc, func(m wire.Methods) string { return m.CallFunction }, true,
		&wire.CallFunctionRequest{Name: name, Arguments: encoded}, resp)...)
	if e := resp.GetError(); e != nil {
		diags = append(diags, functionFailed(name, len(args), e))
	}
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	result, moreDiags := c.decode(rpc, resp.GetResult(), signature.Return)
	return result, append(diags, moreDiags...)
}

func (c *client) signature(ctx context.Context, name string) (*tfschema.Function, diag.List) {
	catalog, diags := c.Schema(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	signature, err := catalog.Function(name)
	var unknown *tfschema.UnknownTypeError
	switch {
	case errors.As(err, &unknown):
		return nil, append(diags, unknownType(err))
	case err != nil:
		return nil, append(diags, malformed(c.name, "GetProviderSchema", err))
	}
	return signature, diags
}

// encodeArguments converts arguments to the parameters' types. Known is
// false where the function does not take one that is unknown.
func encodeArguments(f *tfschema.Function, args []cty.Value) (out []*wire.DynamicValue, known bool, problem *diag.Diagnostic) {
	if len(args) < len(f.Parameters) || (len(args) > len(f.Parameters) && f.Variadic == nil) {
		return nil, false, wrongArity(f, len(args))
	}
	known = true
	for i, arg := range args {
		parameter := f.Variadic
		if i < len(f.Parameters) {
			parameter = f.Parameters[i]
		}
		if arg = ctyx.Unmark(arg); !arg.IsWhollyKnown() && !parameter.AllowUnknown {
			known = false
			continue
		}
		data, err := encodeArgument(parameter, arg)
		if err != nil {
			return nil, false, wrongArgument(f, i, parameter.Name, err)
		}
		out = append(out, &wire.DynamicValue{Msgpack: data})
	}
	return out, known, nil
}

func encodeArgument(p *tfschema.Parameter, arg cty.Value) ([]byte, error) {
	if arg.IsNull() && !p.AllowNull {
		return nil, errors.New("it must not be null")
	}
	converted, err := convert.Convert(arg, p.Type)
	if err != nil {
		return nil, fmt.Errorf("it does not have the type of the parameter: %w", err)
	}
	return ctyx.EncodeMsgpack(converted, p.Type)
}
