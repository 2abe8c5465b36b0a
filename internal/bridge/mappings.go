package bridge

import (
	"context"
	"io"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/mapjson"
)

// terraformKey reports whether a converter asks about Terraform.
func terraformKey(key string) bool { return key == "terraform" || key == "tf" }

// GetMappings names the Terraform provider that there is a mapping for.
func (b *bridge) GetMappings(ctx context.Context, req *pulumirpc.GetMappingsRequest) (*pulumirpc.GetMappingsResponse, error) {
	made := b.made.Load()
	if made == nil || !terraformKey(req.GetKey()) {
		return &pulumirpc.GetMappingsResponse{}, nil
	}
	pkg, err := made.mapped(ctx)
	if err != nil {
		return nil, refused(err)
	}
	return &pulumirpc.GetMappingsResponse{Providers: []string{pkg.Prefix}}, nil
}

// GetMapping answers with the mapping for converters. Programs name a provider
// by what its types' names begin with, or by the last part of its address. For
// another one there is nothing.
func (b *bridge) GetMapping(ctx context.Context, req *pulumirpc.GetMappingRequest) (*pulumirpc.GetMappingResponse, error) {
	made := b.made.Load()
	if made == nil || !terraformKey(req.GetKey()) {
		return &pulumirpc.GetMappingResponse{}, nil
	}
	pkg, err := made.mapped(ctx)
	if err != nil {
		return nil, refused(err)
	}
	switch req.GetProvider() {
	case "", pkg.Prefix, pkg.ProviderName:
	default:
		return &pulumirpc.GetMappingResponse{}, nil
	}
	data, _, err := made.get(ctx, answer{kind: "mapping", prepare: prepareMapping})
	if err != nil {
		return nil, refused(err)
	}
	return &pulumirpc.GetMappingResponse{Provider: pkg.Prefix, Data: []byte(data)}, nil
}

func prepareMapping(_ context.Context, pkg *mapping.Package) (func(io.Writer) error, bool, error) {
	return func(w io.Writer) error {
		data, err := mapjson.Generate(pkg)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}, true, nil
}
