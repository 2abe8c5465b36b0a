package lifecycle

import (
	"context"
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

var errNotYet = errors.New("not written yet")

// CheckConfig validates the provider's configuration.
func (p *Provider) CheckConfig(ctx context.Context, req ConfigRequest) (CheckResponse, error) {
	return CheckResponse{}, errNotYet
}

// DiffConfig says what a change of the provider's configuration means.
func (p *Provider) DiffConfig(ctx context.Context, req ConfigRequest) (DiffResponse, error) {
	return DiffResponse{}, errNotYet
}

// Configure configures the provider, once. Missing keys are a
// [*MissingKeysError]. The map is the engine's args; where it sends none, its
// variables without their namespace, as strings.
func (p *Provider) Configure(ctx context.Context, config property.Map) error { return errNotYet }

// Check validates the inputs of a resource and names it.
func (p *Provider) Check(ctx context.Context, req CheckRequest) (CheckResponse, error) {
	return CheckResponse{}, errNotYet
}

// Diff says what an update would change.
func (p *Provider) Diff(ctx context.Context, req DiffRequest) (DiffResponse, error) {
	return DiffResponse{}, errNotYet
}

// Create makes a resource, or says what it would be. Beside an
// [*InitFailedError] there is one nevertheless.
func (p *Provider) Create(ctx context.Context, req CreateRequest) (CreateResponse, error) {
	return CreateResponse{}, errNotYet
}

// Read reads a resource again, or for the first time.
func (p *Provider) Read(ctx context.Context, req ReadRequest) (ReadResponse, error) {
	return ReadResponse{}, errNotYet
}

// Update changes a resource. An [*InitFailedError] has what became of it.
func (p *Provider) Update(ctx context.Context, req UpdateRequest) (UpdateResponse, error) {
	return UpdateResponse{}, errNotYet
}

// Delete destroys a resource. Beside an error it is still there.
func (p *Provider) Delete(ctx context.Context, req DeleteRequest) error { return errNotYet }

// Invoke calls a function.
func (p *Provider) Invoke(ctx context.Context, req InvokeRequest) (InvokeResponse, error) {
	return InvokeResponse{}, errNotYet
}

// Call calls a method; there is terraformConfig of the provider's resource.
func (p *Provider) Call(ctx context.Context, req CallRequest) (InvokeResponse, error) {
	return InvokeResponse{}, errNotYet
}

// List returns one page of what exists.
func (p *Provider) List(ctx context.Context, req ListRequest) (ListResponse, error) {
	return ListResponse{}, errNotYet
}

// Cancel asks the Terraform provider to end its calls early. It does not wait.
func (p *Provider) Cancel(ctx context.Context) error { return errNotYet }

// Close closes ephemeral resources and ends the Terraform provider. Later
// calls fail. It may be called twice.
func (p *Provider) Close(ctx context.Context) error { return errNotYet }
