package lifecycle

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Invoke calls a function: it reads a data source, calls what the provider
// defines, or opens an ephemeral resource. Where an argument is not known
// yet, no output is.
func (p *Provider) Invoke(ctx context.Context, req InvokeRequest) (InvokeResponse, error) {
	f, err := p.pkg.Function(req.Token)
	if err != nil {
		return InvokeResponse{}, err
	}
	given, failures := p.filePaths(ctx, req.Args)
	if len(failures) > 0 {
		return InvokeResponse{Failures: failures}, nil
	}
	req.Args = given
	args, failures, err := p.fill(ctx, p.functionForm(f), req.Args)
	if err != nil || len(failures) > 0 {
		return InvokeResponse{Failures: failures}, err
	}
	c := call{Provider: p, Function: f}
	result, err := c.result(ctx, args)
	if err != nil {
		return InvokeResponse{}, err
	}
	return InvokeResponse{Return: c.keepSecrets(result, req.Args)}, nil
}

// functionForm is what the arguments of a function fill in.
func (p *Provider) functionForm(f *mapping.Function) form {
	return form{object: f.Inputs, validate: func(ctx context.Context, args cty.Value) diag.List {
		switch f.Kind {
		case mapping.FunctionDataSource:
			return p.terraform.ValidateDataSourceConfig(ctx, f.Terraform, args)
		case mapping.FunctionEphemeral:
			return p.terraform.ValidateEphemeralConfig(ctx, f.Terraform, args)
		default: // has nothing to ask before the call
			return nil
		}
	}}
}

// unknownOutputs is a result of which nothing is known.
func unknownOutputs(o *mapping.Object) property.Map {
	members := map[string]property.Value{}
	for _, p := range o.Properties {
		members[p.Name] = property.New(property.Computed).WithSecret(p.Secret)
	}
	return property.NewMap(members)
}

// call is one call of a function.
type call struct {
	*Provider
	*mapping.Function
}

// result is what the call gives, with no secrets but those of the schema.
func (c call) result(ctx context.Context, args cty.Value) (property.Map, error) {
	switch {
	case !args.IsWhollyKnown():
		return unknownOutputs(c.Outputs), nil
	case c.Kind == mapping.FunctionDataSource:
		return c.read(ctx, args)
	case c.Kind == mapping.FunctionEphemeral:
		return c.open(ctx, args)
	default:
		return c.compute(ctx, args)
	}
}

// keepSecrets marks what is secret in a result, whether it is known or not:
// what a data source gives back of its arguments, all of an ephemeral resource,
// which is made to be stored nowhere, and all that a function makes of a secret.
func (c call) keepSecrets(result, args property.Map) property.Map {
	switch {
	case c.Kind == mapping.FunctionDataSource:
		return translate.KeepSecrets(c.Outputs, result, args)
	case c.Kind == mapping.FunctionEphemeral, args.HasSecrets():
		return allSecret(result)
	default:
		return result
	}
}

func (c call) heed(ctx context.Context, diags diag.List) error {
	return c.report(ctx, "", c.Inputs, diags)
}

// read reads a data source.
func (c call) read(ctx context.Context, config cty.Value) (property.Map, error) {
	meta, diags := c.meta(ctx)
	if diags.HasErrors() {
		return property.Map{}, c.heed(ctx, diags)
	}
	resp, diags := c.terraform.ReadDataSource(ctx, tfprovider.ReadDataRequest{TypeName: c.Terraform, Config: config, Meta: meta})
	if err := c.heed(ctx, diags); err != nil {
		return property.Map{}, err
	}
	if resp.Deferred != "" {
		return property.Map{}, deferred(reading, resp.Deferred)
	}
	return translate.FromTerraform(c.Outputs, resp.State), nil
}

// open opens an ephemeral resource.
func (c call) open(ctx context.Context, config cty.Value) (property.Map, error) {
	resp, diags := c.ephemerals.open(ctx, c.Terraform, config)
	if err := c.heed(ctx, diags); err != nil {
		return property.Map{}, err
	}
	if resp.Deferred != "" {
		return property.Map{}, deferred(opening, resp.Deferred)
	}
	return translate.FromTerraform(c.Outputs, resp.Result), nil
}

func allSecret(m property.Map) property.Map {
	members := m.AsMap()
	for name, v := range members {
		members[name] = v.WithSecret(true)
	}
	return property.NewMap(members)
}

// resultName is the output that a result stands under that is no object.
const resultName = "result"

// compute calls a function that the provider defines.
func (c call) compute(ctx context.Context, object cty.Value) (property.Map, error) {
	result, diags := c.terraform.CallFunction(ctx, c.Terraform, c.positional(object))
	if err := c.heed(ctx, c.byName(diags)); err != nil {
		return property.Map{}, err
	}
	if c.Wrapped {
		result = cty.ObjectVal(map[string]cty.Value{resultName: result})
	}
	return translate.FromTerraform(c.Outputs, result), nil
}

// byName returns diagnostics whose paths, which lead into the arguments in
// order, lead into the object that they come from.
func (c call) byName(diags diag.List) diag.List {
	out := make(diag.List, len(diags))
	for i, d := range diags {
		named := *d
		named.Path = c.argumentPath(d.Path)
		out[i] = &named
	}
	return out
}

// argumentPath begins with a name in place of a position. The variadic
// parameter is an array of the arguments that it takes.
func (c call) argumentPath(path cty.Path) cty.Path {
	if len(path) == 0 {
		return nil
	}
	step, ok := path[0].(cty.IndexStep)
	if !ok || step.Key.Type() != cty.Number {
		return nil
	}
	position, _ := step.Key.AsBigFloat().Int64()
	i, single := int(position), len(c.Signature.Parameters)
	if i < single {
		return append(cty.GetAttrPath(c.Inputs.Properties[i].Terraform), path[1:]...)
	}
	if c.Signature.Variadic == nil {
		return nil
	}
	return append(cty.GetAttrPath(c.Inputs.Properties[single].Terraform).IndexInt(i-single), path[1:]...)
}

// positional brings arguments in the order of the parameters. A variadic one
// is last, as a collection of all that there are.
func (c call) positional(object cty.Value) []cty.Value {
	var args []cty.Value
	for i, p := range c.Inputs.Properties {
		v := object.GetAttr(p.Terraform)
		if i < len(c.Signature.Parameters) {
			args = append(args, v)
		} else if !v.IsNull() {
			args = append(args, v.AsValueSlice()...)
		}
	}
	return args
}
