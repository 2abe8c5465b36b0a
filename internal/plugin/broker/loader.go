package broker

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Schemas gives the schemas of packages. It is used concurrently.
type Schemas interface {
	// Schema returns the schema of the package that a resource plugin provides,
	// or is parameterized as: a JSON document. The descriptor's source is the
	// plugin's name.
	Schema(ctx context.Context, d plugin.Descriptor) (string, diag.List)
}

type loader struct {
	codegen.UnimplementedLoaderServer
	schemas Schemas
	verdict *verdict
}

// GetSchema answers with a package's schema.
func (l *loader) GetSchema(ctx context.Context, req *codegen.GetSchemaRequest) (*codegen.GetSchemaResponse, error) {
	if req.GetPackage() == "pulumi" {
		return &codegen.GetSchemaResponse{Schema: []byte(pulumiSchema)}, nil
	}
	d, err := descriptor(req)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	schema, diags := l.schemas.Schema(ctx, d)
	if err := l.verdict.over(ctx, diags); err != nil {
		return nil, err
	}
	return &codegen.GetSchemaResponse{Schema: []byte(schema)}, nil
}

func descriptor(req *codegen.GetSchemaRequest) (plugin.Descriptor, error) {
	d := plugin.Descriptor{Kind: plugin.Resource, Source: req.GetPackage(), Server: req.GetDownloadUrl()}
	if req.GetVersion() != "" {
		v, err := plugin.ParseVersion(req.GetVersion())
		if err != nil {
			return d, err
		}
		d.Constraint = plugin.Exactly(v)
	}
	if p := req.GetParameterization(); p != nil {
		value, err := parameter(p)
		if err != nil {
			return d, err
		}
		d.Parameterization.Value = value
	}
	return d, nil
}

// parameterized is what requests have in common that name a parameterization.
type parameterized interface {
	GetName() string
	GetVersion() string
	GetValue() []byte
}

func parameter(p parameterized) (*plugin.Parameter, error) {
	v, err := plugin.ParseVersion(p.GetVersion())
	if err != nil {
		return nil, err
	}
	return &plugin.Parameter{Name: p.GetName(), Version: v, Value: p.GetValue()}, nil
}
