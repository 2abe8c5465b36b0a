package tfprovider

import (
	"fmt"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

func function(name string, f *wire.Function) (*tfschema.Function, error) {
	parameters, err := each(f.GetParameters(), parameter)
	if err != nil {
		return nil, err
	}
	out := &tfschema.Function{
		Name: name, Parameters: parameters, Summary: f.GetSummary(),
		Description: f.GetDescription(), Deprecated: f.GetDeprecationMessage(),
	}
	if v := f.GetVariadicParameter(); v != nil {
		if out.Variadic, err = parameter(v); err != nil {
			return nil, err
		}
	}
	if out.Return, err = decodeType(f.GetReturn().GetType()); err != nil {
		return nil, fmt.Errorf("return value: %w", err)
	}
	return out, nil
}

func parameter(p *wire.Function_Parameter) (*tfschema.Parameter, error) {
	ty, err := decodeType(p.GetType())
	if err != nil {
		return nil, fmt.Errorf("parameter %q: %w", p.GetName(), err)
	}
	return &tfschema.Parameter{
		Name: p.GetName(), Type: ty, AllowNull: p.GetAllowNullValue(),
		AllowUnknown: p.GetAllowUnknownValues(), Description: p.GetDescription(),
	}, nil
}
