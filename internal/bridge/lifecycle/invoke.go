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
	switch {
	case err != nil || len(failures) > 0:
		return InvokeResponse{Failures: failures}, err
	case !args.IsWhollyKnown():
		return InvokeResponse{Return: unknownResult(f, req.Args)}, nil
	}
	c := call{Provider: p, Function: f}
	switch f.Kind {
	case mapping.FunctionDataSource:
		return c.read(ctx, args, req.Args)
	case mapping.FunctionEphemeral:
		return c.open(ctx, args)
	default:
		return c.compute(ctx, args, req.Args)
	}
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

// unknownResult is a result of which nothing is known. What would be secret in
// it is so already.
func unknownResult(f *mapping.Function, args property.Map) property.Map {
	members := map[string]property.Value{}
	for _, p := range f.Outputs.Properties {
		members[p.Name] = property.New(property.Computed).WithSecret(p.Secret)
	}
	out := property.NewMap(members)
	switch f.Kind {
	case mapping.FunctionDataSource:
		return translate.KeepSecrets(f.Outputs, out, args)
	case mapping.FunctionEphemeral:
		return allSecret(out)
	default:
		return computed(out, args)
	}
}

// call is one call of a function.
type call struct {
	*Provider
	*mapping.Function
}

func (c call) heed(ctx context.Context, diags diag.List) error {
	return c.report(ctx, "", c.Inputs, diags)
}

// read reads a data source. What is secret in the arguments is so where they
// come back.
func (c call) read(ctx context.Context, config cty.Value, args property.Map) (InvokeResponse, error) {
	meta, diags := c.meta(ctx)
	if diags.HasErrors() {
		return InvokeResponse{}, c.heed(ctx, diags)
	}
	resp, diags := c.terraform.ReadDataSource(ctx, tfprovider.ReadDataRequest{TypeName: c.Terraform, Config: config, Meta: meta})
	if err := c.heed(ctx, diags); err != nil {
		return InvokeResponse{}, err
	}
	if resp.Deferred != "" {
		return InvokeResponse{}, deferred(reading, resp.Deferred)
	}
	result := translate.FromTerraform(c.Outputs, resp.State)
	return InvokeResponse{Return: translate.KeepSecrets(c.Outputs, result, args)}, nil
}

// open opens an ephemeral resource, all of which is secret: it is made to be
// stored nowhere.
func (c call) open(ctx context.Context, config cty.Value) (InvokeResponse, error) {
	resp, diags := c.ephemerals.open(ctx, c.Terraform, config)
	if err := c.heed(ctx, diags); err != nil {
		return InvokeResponse{}, err
	}
	if resp.Deferred != "" {
		return InvokeResponse{}, deferred(opening, resp.Deferred)
	}
	return InvokeResponse{Return: allSecret(translate.FromTerraform(c.Outputs, resp.Result))}, nil
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
func (c call) compute(ctx context.Context, object cty.Value, args property.Map) (InvokeResponse, error) {
	result, diags := c.terraform.CallFunction(ctx, c.Terraform, c.positional(object))
	if err := c.heed(ctx, c.byName(diags)); err != nil {
		return InvokeResponse{}, err
	}
	if c.Wrapped {
		result = cty.ObjectVal(map[string]cty.Value{resultName: result})
	}
	return InvokeResponse{Return: computed(translate.FromTerraform(c.Outputs, result), args)}, nil
}

// computed is a result of a function that the provider defines: what it makes
// of a secret is secret.
func computed(result, args property.Map) property.Map {
	if args.HasSecrets() {
		return allSecret(result)
	}
	return result
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
