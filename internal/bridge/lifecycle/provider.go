package lifecycle

import (
	"context"
	"errors"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Log takes what the user should see although nothing failed. Its methods
// may be called concurrently.
type Log interface {
	// Report is called with a warning about the resource of a URN, or about
	// the provider itself where urn is "".
	Report(ctx context.Context, urn string, d *diag.Diagnostic)
}

// Provider is a Pulumi provider over a running Terraform one. Its methods may
// be called concurrently. Errors that the user can act on unwrap to
// [*diag.Diagnostic]s, whose paths are in Pulumi's names.
type Provider struct {
	terraform tfprovider.Provider
	pkg       *mapping.Package
	log       Log
	files     translate.Files

	ephemerals *ephemerals
	listings   listings

	mu     sync.Mutex
	config cty.Value // as configured; cty.NilVal before
}

// New returns a provider. It takes over terraform, which Close ends. Files are
// for assets that are none; nil refuses these.
func New(terraform tfprovider.Provider, pkg *mapping.Package, log Log, files translate.Files) *Provider {
	p := &Provider{terraform: terraform, pkg: pkg, log: log, files: files}
	p.ephemerals = newEphemerals(terraform, func(ctx context.Context, d *diag.Diagnostic) { log.Report(ctx, "", d) })
	return p
}

// Cancel asks the Terraform provider to end its calls early. It does not wait
// for them.
func (p *Provider) Cancel(ctx context.Context) error { return p.terraform.Stop(ctx) }

// Close closes ephemeral resources and ends the Terraform provider. Later
// calls fail. It may be called twice.
func (p *Provider) Close(ctx context.Context) error {
	diags := p.ephemerals.close(ctx)
	p.listings.close()
	return errors.Join(diags.Err(), p.terraform.Close())
}

// meta is the provider_meta that goes with calls about resources and data
// sources. Programs have no place to write one, so that it is null, and absent
// where the provider does not ask for one.
func (p *Provider) meta(ctx context.Context) (cty.Value, diag.List) {
	catalog, diags := p.terraform.Schema(ctx)
	if diags.HasErrors() {
		return cty.NilVal, diags
	}
	schema, err := catalog.Schema(tfschema.KindProviderMeta, "")
	if err != nil || len(schema.Block.Attributes) == 0 {
		return cty.NilVal, nil
	}
	return cty.NullVal(schema.Block.ImpliedType()), nil
}
