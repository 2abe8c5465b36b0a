// Package tfhost finds providers and runs them: what a run of a program has
// around it goes in, started providers come out.
package tfhost

import (
	"context"
	"path/filepath"
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
	reattach, err := tfprovider.ParseReattach(env.Lookup(tfprovider.ReattachEnv))
	if err != nil {
		return nil, append(diags, badReattach(err))
	}
	registry, more := tfregistry.New(tfregistry.Options{
		CLIConfig: config, CacheDir: filepath.Join(cacheDir, "providers"), Offline: env.Offline,
		Env: env.Lookup, UserAgent: "formation/" + env.Version,
	})
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return &Host{env: env, cacheDir: cacheDir, registry: registry, reattach: reattach}, diags
}

// Opened is a provider that can be asked.
type Opened struct {
	tfprovider.Provider
	Installed tfregistry.Installed
}

// Open installs and starts a provider. It is not configured yet. Ctx ending
// later tells the provider to stop what it is doing.
func (h *Host) Open(ctx context.Context, req tfregistry.Request) (Opened, diag.List) {
	config := tfprovider.Config{Name: req.Provider.String(), Env: h.env.forProviders(), Stderr: h.env.ProviderLog}
	var installed tfregistry.Installed
	var diags diag.List
	if attached, ok := h.reattach[req.Provider]; ok {
		config.Reattach, installed.Provider = attached, req.Provider
	} else if installed, diags = h.registry.Ensure(ctx, req); diags.HasErrors() {
		return Opened{}, diags
	}
	config.Path = installed.Path
	if installed.BinaryHash != "" {
		config.CacheFile = filepath.Join(h.cacheDir, "schemas", installed.BinaryHash)
	}
	p := tfprovider.Launch(config)
	h.mu.Lock()
	h.open = append(h.open, p)
	h.mu.Unlock()
	context.AfterFunc(ctx, func() { _ = p.Stop(context.WithoutCancel(ctx)) })
	return Opened{Provider: p, Installed: installed}, diags
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

func badReattach(err error) *diag.Diagnostic {
	return diag.Errorf("TH0002", "Malformed reattach information", "%s.", err)
}
