package crdprovider

import (
	"context"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// provider is the plugin. pserve keeps calls in their order, so that what
// Parameterize sets is set for those that need it.
type provider struct {
	pulumirpc.UnimplementedResourceProviderServer
	workDir string

	mu        sync.RWMutex
	parameter parameter
	kinds     map[string]*kind // by token; nil before Parameterize

	objects store
}

// Options is what [pserve.Serve] needs to know of the plugin, beside what the
// process has around it.
func Options() pserve.Options {
	return pserve.Options{Name: Name, Version: Version, Parameterized: true, Accepts: accepts()}
}

// Factory makes plugins that find files relative to workDir.
func Factory(workDir string) pserve.Factory {
	return func(*pserve.Host) pserve.Plugin {
		return &provider{workDir: workDir, objects: store{objects: map[storeKey]property.Map{}}}
	}
}

func accepts() pserve.Capabilities { return pserve.Capabilities{Secrets: true, Resources: true} }

// Stop implements pserve.Plugin: no call takes long.
func (p *provider) Stop() {}

// Close implements pserve.Plugin.
func (p *provider) Close() error { return nil }

// Parameterize makes the types that definitions say.
func (p *provider) Parameterize(_ context.Context, req *pulumirpc.ParameterizeRequest) (*pulumirpc.ParameterizeResponse, error) {
	param, err := p.parse(req)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	kinds, err := newKinds(param)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	response := &pulumirpc.ParameterizeResponse{Name: param.Name, Version: param.Version}
	if err := pserve.Agreed(req, response); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parameter, p.kinds = param, kinds
	return response, nil
}

func (p *provider) parse(req *pulumirpc.ParameterizeRequest) (parameter, error) {
	if value := req.GetValue(); value != nil {
		return parseValue(value.GetValue())
	}
	return parseArgs(req.GetArgs().GetArgs(), p.workDir)
}

// GetSchema answers with the types that there are.
func (p *provider) GetSchema(context.Context, *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	spec := bareSchema()
	if p.kinds != nil {
		spec = packageSchema(p.parameter, p.kinds)
	}
	text, err := pschema.Encode(spec)
	return &pulumirpc.GetSchemaResponse{Schema: string(text)}, err
}

// CheckConfig takes every configuration: none counts.
func (p *provider) CheckConfig(_ context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: req.GetNews()}, nil
}

// DiffConfig finds no difference that matters.
func (p *provider) DiffConfig(context.Context, *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}, nil
}

// Configure has nothing to configure.
func (p *provider) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	return accepts().ConfigureResponse(), nil
}

// kind finds a type by its token.
func (p *provider) kind(token string) (*kind, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	k, ok := p.kinds[token]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no definition of %s is in package %s %s", token, p.parameter.Name, p.parameter.Version)
	}
	return k, nil
}

// values are the forms of property values that cross the wire.
func values() pvalue.Options { return pvalue.Options{Secrets: true, Resources: true} }

// decode reads the properties of a request.
func decode(message *structpb.Struct) (property.Map, error) {
	out, err := pvalue.Decode(message, values())
	if err != nil {
		return out, status.Error(codes.InvalidArgument, err.Error())
	}
	return out, nil
}
