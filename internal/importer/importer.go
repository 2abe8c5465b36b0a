// Package importer brings live resources into a Terraform root module:
// discover → read → minimise → link → write, each a package of its own below
// this one. This package passes the values from stage to stage and keeps one
// resource's failure from touching another.
//
// It does not find or configure the provider, and does not write to disk.
package importer

import (
	"context"
	"io"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/link"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Request says what to import.
type Request struct {
	// Provider is running and configured.
	Provider tfprovider.Provider
	Address  tfaddr.Provider
	Version  string // "" for a local binary
	// Config is the provider block to write.
	Config ProviderConfig
	// Sources are asked in turn, for the types of Selection.
	Sources   []discover.Source
	Selection *discover.Selection
	// Rules declare links; nil makes none.
	Rules    *link.Rules
	Smallest bool
	// Concurrency bounds the calls to the provider at a time. It rises to
	// MostConcurrency where the provider answers out of this machine.
	Concurrency, MostConcurrency int
	// ImportBlocks asks for import blocks beside the state, which takes a
	// call or two for each object.
	ImportBlocks bool
	// EarlierNames returns, for each object, the name that an earlier import
	// gave it, or "". nil has none.
	EarlierNames func([]Known) []string
	// Taken reports whether a block of the user's own has an address. nil takes
	// none.
	Taken func(tfaddr.Resource) bool
	// Managers returns, for each object, what manages it already in the module,
	// so that it is left out. nil manages nothing.
	Managers func([]Known) []Manager
	// Rand draws the lineage of the state.
	Rand io.Reader
}

// Run imports. The module is whole, its state included, without what failed,
// which its report names; errors in the list mean that there is no module.
func Run(ctx context.Context, req Request) (write.Module, diag.List) {
	run := &run{req: req}
	module, diags := run.module(ctx)
	if ctx.Err() != nil {
		return write.Module{}, append(diags, interrupted(context.Cause(ctx)))
	}
	return module, diags
}

// run is one import.
type run struct {
	req     Request
	catalog *tfschema.Catalog
	secrets secrets
}

func (r *run) module(ctx context.Context) (write.Module, diag.List) {
	catalog, diags := r.req.Provider.Schema(ctx)
	if diags.HasErrors() {
		return write.Module{}, diags
	}
	r.catalog = catalog
	watch := startStopwatch()
	discovered, more := discover.Run(ctx, discover.Scope{Catalog: catalog, Selection: r.req.Selection}, r.req.Sources)
	watch.lap("discover")
	if diags = append(diags, more...); diags.HasErrors() || ctx.Err() != nil {
		return write.Module{}, diags
	}
	outcomes, concurrency := read.ReadRising(ctx, r.req.Provider, discovered.Found, read.Rising{
		Concurrency: r.req.Concurrency, Most: r.req.MostConcurrency,
		Fills: func(ctx context.Context, o read.Object) map[string]cty.Value {
			return minimise.Fills(ctx, r.req.Provider, o)
		},
	})
	outcomes = read.Steady(ctx, r.req.Provider, outcomes, concurrency)
	watch.lap("read")
	objects, managed := distinct(outcomes).leaveOut(r.req.Managers)
	minimal := minimise.Minimise(ctx, r.req.Provider, objects.list, minimise.Options{
		Smallest: r.req.Smallest, Concurrency: concurrency,
	})
	watch.lap("minimise")
	if ctx.Err() != nil {
		return write.Module{}, diags
	}
	r.secrets = gatherSecrets(r.catalog, discovered.Found, outcomes, minimal)
	assembled, more := r.assemble(ctx, minimal)
	watch.lap("link")
	if diags = append(diags, more...); diags.HasErrors() {
		return write.Module{}, diags
	}
	var imports []write.Import
	if r.req.ImportBlocks {
		imports = r.imports(ctx, assembled, concurrency)
	}
	module, more := assembled.module(ctx, r.req)
	if diags = append(diags, more...); diags.HasErrors() {
		return write.Module{}, diags
	}
	module.Imports, module.Secrets = imports, r.secrets.all()
	module.Report = r.report(discovered, outcomes, objects.repeats, assembled, diags)
	for _, m := range managed {
		module.Report.Resources = append(module.Report.Resources, m.report(r.secrets))
	}
	watch.lap("write")
	module.Report.Timings = watch.seconds
	return module, diags
}
