package tfprovider

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// In all messages: cty.NilVal for an object means "not there" and is sent as
// null (or not at all, for identities); values have no marks, for which the
// wire has no place; Private is opaque to the client.

// RawState is a state object before the provider's current schema is known
// to fit: exactly one of the two members is set.
type RawState struct {
	JSON    []byte
	Flatmap map[string]string
}

// UpgradeStateRequest is UpgradeResourceState.Request.
type UpgradeStateRequest struct {
	TypeName string
	Version  int64
	Raw      RawState
}

// UpgradeIdentityRequest is UpgradeResourceIdentity.Request.
type UpgradeIdentityRequest struct {
	TypeName string
	Version  int64
	JSON     []byte
}

// ReadRequest is ReadResource.Request.
type ReadRequest struct {
	TypeName string
	State    cty.Value
	Private  []byte
	Identity cty.Value
	Meta     cty.Value
}

// ReadDataRequest is ReadDataSource.Request.
type ReadDataRequest struct {
	TypeName string
	Config   cty.Value
	Meta     cty.Value
}

// ReadResponse is what ReadResource or ReadDataSource answered. A null State
// means that the object is gone.
type ReadResponse struct {
	State cty.Value
	// Known says that nothing in State is unknown. False says nothing.
	Known bool
	// AsSent says that State is the one of the request. False says nothing.
	AsSent   bool
	Private  []byte
	Identity cty.Value
	Deferred DeferReason
}

// PlanRequest is PlanResourceChange.Request. Prior is null on create,
// ProposedNew null on destroy.
type PlanRequest struct {
	TypeName    string
	Prior       cty.Value
	ProposedNew cty.Value
	// ProposesPrior says that ProposedNew is Prior, so that both have one form.
	ProposesPrior bool
	Config        cty.Value
	PriorPrivate  []byte
	PriorIdentity cty.Value
	Meta          cty.Value
}

// PlanResponse is PlanResourceChange.Response. LegacyTypeSystem says that
// the provider's SDK cannot tell null from zero, so that the rules for
// plans do not bind it.
type PlanResponse struct {
	Planned cty.Value
	// Known says that nothing in Planned is unknown. False says nothing.
	Known bool
	// AsPrior and AsWritten are what Planned has of Prior and of Config.
	AsPrior, AsWritten Kept
	Private            []byte
	RequiresReplace    []cty.Path
	Identity           cty.Value
	LegacyTypeSystem   bool
	Deferred           DeferReason
	// Forms are what the values of the plan look like on the wire.
	Forms PlanForms
}

// PlanForms are the forms that prior, configuration and plan had on the wire,
// so that an apply of the plan need not put them together again. The zero value
// has none.
type PlanForms struct{ prior, config, planned *wire.DynamicValue }

// ApplyRequest is ApplyResourceChange.Request. Forms are those of the plan, if
// Prior, Config and Planned are the very values of that plan.
type ApplyRequest struct {
	TypeName        string
	Prior           cty.Value
	Planned         cty.Value
	Config          cty.Value
	PlannedPrivate  []byte
	PlannedIdentity cty.Value
	Meta            cty.Value
	Forms           PlanForms
}

// ApplyResponse is ApplyResourceChange.Response.
type ApplyResponse struct {
	State cty.Value
	// Known says that nothing in State is unknown. False says nothing.
	Known bool
	// AsPlanned is what State has of Planned.
	AsPlanned        Kept
	Private          []byte
	Identity         cty.Value
	LegacyTypeSystem bool
}

// ImportRequest is ImportResourceState.Request: an ID or an Identity.
type ImportRequest struct {
	TypeName string
	ID       string
	Identity cty.Value
}

// Imported is one resource that an import found. Its type may differ from
// the one asked for.
type Imported struct {
	TypeName string
	State    cty.Value
	Private  []byte
	Identity cty.Value
	Deferred DeferReason
}

// MoveRequest is MoveResourceState.Request.
type MoveRequest struct {
	SourceProvider              string // host/namespace/type
	SourceTypeName              string
	SourceSchemaVersion         int64
	SourceState                 RawState
	SourcePrivate               []byte
	SourceIdentity              []byte // JSON
	SourceIdentitySchemaVersion int64
	TargetTypeName              string
}

// MoveResponse is MoveResourceState.Response.
type MoveResponse struct {
	State    cty.Value
	Private  []byte
	Identity cty.Value
}

// ListRequest is ListResource.Request. Limit 0 asks for everything.
type ListRequest struct {
	TypeName      string
	Config        cty.Value
	IncludeObject bool
	Limit         int64
}

// ListEvent is one thing that exists. Object is cty.NilVal unless it was
// asked for and given.
type ListEvent struct {
	Identity    cty.Value
	DisplayName string
	Object      cty.Value
	Diagnostics diag.List
}

// EphemeralResponse is what OpenEphemeralResource or RenewEphemeralResource
// answered. A zero RenewAt needs no renewal. Result is set by Open only.
type EphemeralResponse struct {
	Result   cty.Value
	Private  []byte
	RenewAt  time.Time
	Deferred DeferReason
}

// DeferReason says why a provider put a call off; "" when it did not.
type DeferReason string

// The reasons, as Deferred.Reason has them.
const (
	DeferredUnknownReason  DeferReason = "unknown"
	DeferredResourceConfig DeferReason = "resource_config_unknown"
	DeferredProviderConfig DeferReason = "provider_config_unknown"
	DeferredAbsentPrereq   DeferReason = "absent_prereq"
)
