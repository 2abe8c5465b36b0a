package estateprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server makes the provider's protocol server. The framework at 1.19.0 serves
// GenerateResourceConfig and does not say so: its server capabilities leave the
// flag out on their way to the wire. With announce set this server says so.
func Server(crash func(message string), announce bool) tfprotov6.ProviderServer {
	server := providerserver.NewProtocol6(New(crash))()
	lists, ok := server.(tfprotov6.ProviderServerWithListResource) //nolint:staticcheck // until its methods move
	if !announce || !ok {
		return server
	}
	return announcing{lists}
}

// announcing adds the capability that the framework forgets.
type announcing struct {
	tfprotov6.ProviderServerWithListResource
}

func (a announcing) GetMetadata(
	ctx context.Context, req *tfprotov6.GetMetadataRequest,
) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := a.ProviderServerWithListResource.GetMetadata(ctx, req)
	if err == nil && resp.ServerCapabilities != nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}

func (a announcing) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := a.ProviderServerWithListResource.GetProviderSchema(ctx, req)
	if err == nil && resp.ServerCapabilities != nil {
		resp.ServerCapabilities.GenerateResourceConfig = true
	}
	return resp, err
}
