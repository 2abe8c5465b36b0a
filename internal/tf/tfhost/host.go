// Package tfhost finds providers and runs them: what a run of a program has
// around it goes in, started providers come out.
package tfhost

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// Host finds providers and runs them, each process once. Close ends them.
type Host struct {
	env      Environment
	cacheDir string
	registry *tfregistry.Registry
	reattach map[tfaddr.Provider]*tfprovider.Reattach

	mu   sync.Mutex
	open []tfprovider.Provider
}

// New reads the CLI configuration that tofu and terraform read.
func New(env Environment) (*Host, diag.List) {
	cacheDir, err := env.cacheDir()
	if err != nil {
		return nil, diag.List{noCacheDir(err)}
	}
	config, diags := tfregistry.LoadCLIConfig(env.Lookup)
	if diags.HasErrors() {
		return nil, diags
	}
	reattach, more := env.reattachments()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	registry, more := tfregistry.New(tfregistry.Options{
		CLIConfig: config, CacheDir: cmp.Or(env.PackageDir, filepath.Join(cacheDir, "providers")), CacheVar: env.PackageVar,
		Offline: env.Offline, Env: env.Lookup, UserAgent: env.UserAgent(),
	})
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return &Host{env: env, cacheDir: cacheDir, registry: registry, reattach: reattach}, diags
}

// Registry is what providers are found with.
func (h *Host) Registry() *tfregistry.Registry { return h.registry }

// Found is a provider on this machine: installed, or running already.
type Found struct {
	tfregistry.Installed
	reattach *tfprovider.Reattach
	// local says that the user pointed at the binary.
	local bool
}

// Reattached reports whether the provider runs already. There is no binary
// then, nor a version.
func (f Found) Reattached() bool { return f.reattach != nil }

// Find installs a provider where it is not on this machine yet. It starts
// nothing.
func (h *Host) Find(ctx context.Context, req tfregistry.Request) (Found, diag.List) {
	if attached, ok := h.reattach[req.Provider]; ok {
		return Found{Installed: tfregistry.Installed{Provider: req.Provider}, reattach: attached}, nil
	}
	installed, diags := h.registry.Ensure(ctx, req)
	return Found{Installed: installed, local: req.LocalPath != ""}, diags
}

// name is what diagnostics call a provider. The address of a binary that the
// user points at may be a guess, so it goes by its path.
func (f Found) name() string {
	if f.local {
		return f.Path
	}
	return f.Provider.String()
}

// Opened is a provider that can be asked.
type Opened struct {
	tfprovider.Provider
	Installed tfregistry.Installed
}

// Launch makes a provider that can be asked of one that was found. Its process
// starts when something needs it, and it is not configured yet. Ctx ending
// later tells the provider to stop what it is doing.
func (h *Host) Launch(ctx context.Context, found Found) Opened {
	config := tfprovider.Config{
		Name: found.name(), Path: found.Path, Reattach: found.reattach,
		Env: h.env.forProviders(), Stderr: h.env.ProviderLog, Recall: h.env.Brief, Kept: h.env.Kept,
	}
	p := h.launch(config, found.Installed)
	h.mu.Lock()
	h.open = append(h.open, p)
	h.mu.Unlock()
	context.AfterFunc(ctx, func() { _ = p.Stop(context.WithoutCancel(ctx)) })
	return Opened{Provider: p, Installed: found.Installed}
}

// Open is Find and Launch.
func (h *Host) Open(ctx context.Context, req tfregistry.Request) (Opened, diag.List) {
	found, diags := h.Find(ctx, req)
	if diags.HasErrors() {
		return Opened{}, diags
	}
	return h.Launch(ctx, found), diags
}

// Confirm has every provider that was launched and is not closed confirm its
// kept schema; see [tfprovider.Provider.Confirm].
func (h *Host) Confirm(ctx context.Context) (diags diag.List) {
	h.mu.Lock()
	open := slices.Clone(h.open)
	h.mu.Unlock()
	for _, p := range open {
		diags = append(diags, p.Confirm(ctx)...)
	}
	return diags
}

// Close ends every provider.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.open {
		_ = p.Close() // the processes end either way
	}
	h.open = nil
}

func noCacheDir(err error) *diag.Diagnostic {
	return diag.Errorf("TH0001", "No cache directory", "%s. Set XDG_CACHE_HOME or HOME.", err)
}

func badReattach(variable string, err error) *diag.Diagnostic {
	return diag.Errorf("TH0002", "Malformed reattach information in "+variable, "%s.", err)
}
