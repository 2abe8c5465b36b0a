package bridge

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/apparentlymart/go-versions/versions"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/parameter"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// Parameterize finds the Terraform provider that the bridge is to be. Nothing
// is started for that.
func (b *bridge) Parameterize(ctx context.Context, req *pulumirpc.ParameterizeRequest) (*pulumirpc.ParameterizeResponse, error) {
	param, err := b.parse(req)
	if err != nil {
		return nil, pserve.Error(codes.InvalidArgument, reported(err))
	}
	ctx, cancel := b.interruptible(ctx)
	defer cancel()
	made, diags := b.find(ctx, param, req.GetValue().GetVersion())
	b.engine.Warn(ctx, "", diags)
	if err := pserve.Error(codes.FailedPrecondition, diags); err != nil {
		return nil, err
	}
	response := &pulumirpc.ParameterizeResponse{Name: made.name, Version: made.version}
	if err := pserve.Agreed(req, response); err != nil {
		_ = made.close(ctx) // nothing of it runs
		return nil, err
	}
	b.made.Store(made)
	return response, nil
}

// parse takes the parameter in either of its forms.
func (b *bridge) parse(req *pulumirpc.ParameterizeRequest) (parameter.Parameter, error) {
	switch form := req.GetParameters().(type) {
	case *pulumirpc.ParameterizeRequest_Args:
		return parameter.ParseArgs(form.Args.GetArgs(), b.process.WorkDir)
	case *pulumirpc.ParameterizeRequest_Value:
		param, err := parameter.ParseValue(form.Value.GetValue(), b.process.WorkDir)
		if err == nil {
			err = stillThere(param)
		}
		return param, err
	default:
		return parameter.Parameter{}, noParameter()
	}
}

// stillThere explains a local provider that an SDK knows and this machine
// does not have.
func stillThere(param parameter.Parameter) error {
	if param.Path == "" {
		return nil
	}
	if _, err := os.Stat(param.Path); errors.Is(err, fs.ErrNotExist) {
		return localGone(param.Path)
	}
	return nil
}

// find makes a package of the provider that param names. asked is the package's version in an SDK, or "".
func (b *bridge) find(ctx context.Context, param parameter.Parameter, asked string) (*bridged, diag.List) {
	env, err := b.process.environment()
	if err != nil {
		return nil, diag.FromError("BR0001", "No place for providers", err)
	}
	host, diags := tfhost.New(env)
	if diags.HasErrors() {
		return nil, diags
	}
	found, more := host.Find(ctx, param.Request())
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	name, err := param.PackageName(found.Provider.Type)
	if err != nil {
		return nil, append(diags, diag.FromError("BR0001", "No name for the package", err)...)
	}
	version := packageVersion(found, param, asked)
	return &bridged{
		bridge: b, parameter: param.Resolved(version), name: name, version: version,
		host: host, found: found, terraform: host.Launch(b.life, found), cacheDir: env.CacheDir,
		assets: assetsBeside(env), keeping: newKeeping(),
	}, diags
}

// packageVersion is the provider's version. Where it has none, as a binary
// under development has, the SDK or the user says it.
func packageVersion(found tfhost.Found, param parameter.Parameter, asked string) string {
	const none = "0.0.0"
	for _, text := range []string{found.Version, asked, param.Version} {
		if v, err := versions.ParseVersion(text); err == nil {
			return v.String()
		}
	}
	return none
}
