package lifecycle

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
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
}

// New returns a provider. It takes over terraform, which Close ends.
func New(terraform tfprovider.Provider, pkg *mapping.Package, log Log) *Provider {
	return &Provider{terraform: terraform, pkg: pkg, log: log}
}
