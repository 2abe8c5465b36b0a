// Package tfprovider is a running Terraform provider as a client sees it:
// one interface over protocols 5 and 6.
//
// Values cross the interface as cty values of the type that the schema
// implies; msgpack, JSON and the protobuf messages stay inside. What comes back
// has no marks. What a provider answers, its crash included, comes back as
// diagnostics.
package tfprovider

import (
	"context"
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Provider is a running provider. Its methods may be called concurrently.
// Where a returned list has errors, the response is its zero value unless a
// method says otherwise. RPCs that an older provider lacks give a diagnostic
// with code [CodeUnsupported], or the documented fallback.
type Provider interface {
	// Schema returns the provider's schema, decoded on use.
	// Source: GetProviderSchema, GetResourceIdentitySchemas.
	Schema(ctx context.Context) (*tfschema.Catalog, diag.List)
	// Confirm waits until the process has said whether a kept schema is its
	// own; see [KeptConfirmed]. Where it is not, there is an error with code
	// [CodeSchemaChanged], which later calls have as well: nothing that came of
	// that schema counts.
	Confirm(ctx context.Context) diag.List

	ValidateProviderConfig(ctx context.Context, config cty.Value) diag.List
	ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List
	ValidateDataSourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List
	ValidateListConfig(ctx context.Context, typeName string, config cty.Value) diag.List
	ValidateEphemeralConfig(ctx context.Context, typeName string, config cty.Value) diag.List

	// Configure must precede every method below. It is remembered and said
	// again to a process that takes the place of another, which crashed or has
	// grown too large.
	Configure(ctx context.Context, config cty.Value) diag.List

	UpgradeResourceState(ctx context.Context, req UpgradeStateRequest) (cty.Value, diag.List)
	UpgradeResourceIdentity(ctx context.Context, req UpgradeIdentityRequest) (cty.Value, diag.List)
	ReadResource(ctx context.Context, req ReadRequest) (ReadResponse, diag.List)
	PlanResourceChange(ctx context.Context, req PlanRequest) (PlanResponse, diag.List)
	// ApplyResourceChange returns what the provider left behind also beside
	// errors: a failed apply has a new state that must be kept.
	ApplyResourceChange(ctx context.Context, req ApplyRequest) (ApplyResponse, diag.List)
	ImportResourceState(ctx context.Context, req ImportRequest) ([]Imported, diag.List)
	MoveResourceState(ctx context.Context, req MoveRequest) (MoveResponse, diag.List)
	// GenerateResourceConfig turns a state object into configuration.
	GenerateResourceConfig(ctx context.Context, typeName string, state cty.Value) (cty.Value, diag.List)

	ReadDataSource(ctx context.Context, req ReadDataRequest) (ReadResponse, diag.List)
	// ListResource streams what exists; no identity comes twice, not even
	// after a crash. The sequence ends after the last event, after as many
	// identities as the request's limit, or after an event with errors that
	// says why the stream broke. Other calls may be made between two events.
	ListResource(ctx context.Context, req ListRequest) iter.Seq[ListEvent]
	// CallFunction converts arguments to the parameters' types. Where an
	// argument is unknown and the function does not take that, the result is
	// unknown and the provider is not asked. The path of an error about one
	// argument is the index of it, from 0.
	CallFunction(ctx context.Context, name string, args []cty.Value) (cty.Value, diag.List)

	OpenEphemeral(ctx context.Context, typeName string, config cty.Value) (EphemeralResponse, diag.List)
	RenewEphemeral(ctx context.Context, typeName string, private []byte) (EphemeralResponse, diag.List)
	CloseEphemeral(ctx context.Context, typeName string, private []byte) diag.List

	// Stop asks the provider to end its running calls early.
	Stop(ctx context.Context) error
	// Close ends the process. Later calls fail. It may be called twice.
	Close() error
}
