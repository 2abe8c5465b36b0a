package workflow

import (
	"context"
	"errors"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// SchemaRequest asks for what a provider has, or for one type of it.
type SchemaRequest struct {
	Provider tfregistry.Request
	// Type is a resource type, or another kind's where Kind says so; "" asks
	// for the list of everything.
	Type string
	Kind tfschema.Kind
}

// SchemaListing names what a provider has.
type SchemaListing struct {
	Provider    string   `json:"provider"`
	Version     string   `json:"version,omitempty"`
	Resources   []string `json:"resource_types"`
	Listable    []string `json:"list_resource_types"`
	DataSources []string `json:"data_sources"`
	Ephemeral   []string `json:"ephemeral_resource_types"`
	Functions   []string `json:"functions"`
}

// Schema looks a provider's schema up. Exactly one of the results is set
// where there are no errors. The provider is asked unless it was before in this
// environment, on which what it has may depend.
func Schema(ctx context.Context, env tfhost.Environment, req SchemaRequest) (*SchemaListing, *tfschema.Schema, diag.List) {
	env.Kept = tfprovider.KeptHere
	host, diags := tfhost.New(env)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	defer host.Close()
	p, more := host.Open(ctx, req.Provider)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, nil, diags
	}
	catalog, more := p.Schema(ctx)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, nil, diags
	}
	if req.Type == "" && req.Kind == tfschema.KindResource {
		return listing(p, catalog), nil, diags
	}
	schema, err := catalog.Schema(req.Kind, req.Type)
	var unknown *tfschema.UnknownTypeError
	if errors.As(err, &unknown) {
		return nil, nil, append(diags, noSuchType(unknown, catalog.Names(req.Kind)))
	}
	return nil, schema, append(diags, diag.FromError("WF0003", "Cannot read the provider's schema", err)...)
}

func listing(p tfhost.Opened, catalog *tfschema.Catalog) *SchemaListing {
	names := func(kind tfschema.Kind) []string { return append([]string{}, catalog.Names(kind)...) }
	return &SchemaListing{
		Provider: p.Installed.Provider.String(), Version: p.Installed.Version,
		Resources: names(tfschema.KindResource), Listable: names(tfschema.KindList),
		DataSources: names(tfschema.KindDataSource), Ephemeral: names(tfschema.KindEphemeral),
		Functions: slices.Concat([]string{}, catalog.FunctionNames()),
	}
}
