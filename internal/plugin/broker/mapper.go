package broker

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Mappings tells how packages relate to providers of other ecosystems. It is
// used concurrently.
type Mappings interface {
	// Mapping returns what a converter understands; it is empty where nobody
	// has a mapping. Plugins that could not be asked are warnings.
	Mapping(ctx context.Context, q Question) ([]byte, diag.List)
}

// Question asks for a mapping.
type Question struct {
	// Provider is the name in the ecosystem, such as "aws" in Terraform's.
	Provider string
	// Ecosystem is the one that the provider is of; "" stands for "terraform".
	Ecosystem string
	// Plugin is the resource plugin that is expected to know; "" stands for one
	// that is called as the provider is.
	Plugin string
	// Parameterization is what that plugin needs in order to know. It is of no
	// account for others.
	Parameterization plugin.Parameterization
}

type mapper struct {
	codegen.UnimplementedMapperServer
	mappings Mappings
	verdict  *verdict
}

// GetMapping answers with a mapping, or with an empty one.
func (m *mapper) GetMapping(ctx context.Context, req *codegen.GetMappingRequest) (*codegen.GetMappingResponse, error) {
	q := Question{Provider: req.GetProvider(), Ecosystem: req.GetEcosystem(), Plugin: req.GetPulumiProvider()}
	if hint := req.GetParameterizationHint(); hint != nil && q.Plugin != "" {
		value, err := parameter(hint)
		if err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
		q.Parameterization.Value = value
	}
	data, diags := m.mappings.Mapping(ctx, q)
	if err := m.verdict.over(ctx, diags); err != nil {
		return nil, err
	}
	return &codegen.GetMappingResponse{Data: data}, nil
}
