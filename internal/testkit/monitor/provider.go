package monitor

import (
	"context"
	"fmt"
	"strings"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
)

// provider is a package's plugin, which is configured when it is first needed.
type provider struct {
	client     pulumirpc.ResourceProviderClient
	configured sync.Once
	err        error
}

// provider finds a registered package and configures it with nothing.
func (m *Monitor) provider(ctx context.Context, ref string) (*provider, error) {
	m.mu.Lock()
	p, ok := m.packages[ref]
	m.mu.Unlock()
	if !ok {
		return nil, status.Errorf(codes.InvalidArgument, "no package %q was registered", ref)
	}
	p.configured.Do(func() {
		_, p.err = p.client.Configure(ctx, &pulumirpc.ConfigureRequest{
			Args: &structpb.Struct{}, AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true,
		})
	})
	return p, p.err
}

// create checks inputs and makes the resource of them.
func (p *provider) create(ctx context.Context, urn string, req *pulumirpc.RegisterResourceRequest) (Resource, error) {
	checked, err := p.client.Check(ctx, &pulumirpc.CheckRequest{
		Urn: urn, Name: req.GetName(), Type: req.GetType(), News: req.GetObject(), RandomSeed: []byte(urn),
	})
	if err != nil {
		return Resource{}, err
	}
	if failures := checked.GetFailures(); len(failures) > 0 {
		return Resource{}, status.Error(codes.InvalidArgument, describe(urn, failures))
	}
	created, err := p.client.Create(ctx, &pulumirpc.CreateRequest{
		Urn: urn, Name: req.GetName(), Type: req.GetType(), Properties: checked.GetInputs(),
	})
	if err != nil {
		return Resource{}, err
	}
	return Resource{
		Type: req.GetType(), Name: req.GetName(), URN: urn, ID: created.GetId(),
		Inputs: checked.GetInputs(), Outputs: created.GetProperties(),
	}, nil
}

func describe(urn string, failures []*pulumirpc.CheckFailure) string {
	reasons := make([]string, len(failures))
	for i, f := range failures {
		reasons[i] = fmt.Sprintf("%s: %s", f.GetProperty(), f.GetReason())
	}
	return urn + ": " + strings.Join(reasons, "; ")
}
