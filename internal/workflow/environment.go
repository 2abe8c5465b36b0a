// Package workflow joins features into what the command line offers: a
// provider is found, started and asked, and the outcome goes to disk. It
// prints nothing; cli does.
package workflow

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Environment is what a run of the program has around it.
type Environment struct {
	// Vars is the process's environment, as "key=value". Providers get it
	// whole, since their credentials live there.
	Vars []string
	// CacheDir holds provider packages and schemas; "" means "formation" in
	// the user's cache directory.
	CacheDir string
	// Offline forbids network access to registries and mirrors.
	Offline bool
	// ProviderLog gets what providers write to stderr. May be nil.
	ProviderLog io.Writer
	// Version is this program's, for user agents and written files.
	Version string
}

// Lookup returns an environment variable, or "".
func (e Environment) Lookup(name string) string {
	for i := len(e.Vars) - 1; i >= 0; i-- { // the last one counts
		if value, ok := strings.CutPrefix(e.Vars[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// forProviders is the environment of provider processes: the user's, and
// what makes providers faster where the user has not chosen.
func (e Environment) forProviders() []string {
	out := slices.Clip(e.Vars)
	// Left alone, the provider SDKs log every step of every call for the
	// client to filter, which costs more than the calls. Their parts are told
	// one by one, or they put together what the whole then drops.
	level := "off"
	if e.ProviderLog != nil {
		level = "warn"
	}
	names := []string{"TF_LOG_PROVIDER"}
	if e.Lookup("TF_LOG_SDK") == "" {
		names = append(names, "TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_HELPER_SCHEMA", "TF_LOG_SDK_MUX")
	}
	for _, name := range names {
		if e.Lookup(name) == "" {
			out = append(out, name+"="+level)
		}
	}
	// Calls leave much garbage behind, and the SDKs hold on to a part of it
	// until the end, which the collector looks at in vain again and again. Up
	// to a size that any machine has it collects less often than by default,
	// above that more often.
	if e.Lookup("GOGC") == "" && e.Lookup("GOMEMLIMIT") == "" {
		out = append(out, "GOGC=400", "GOMEMLIMIT=1GiB")
	}
	return out
}

func (e Environment) cacheDir() (string, error) {
	if e.CacheDir != "" {
		return e.CacheDir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "formation"), err
}

// Host finds providers and runs them, each process once. Close ends them.
type Host struct {
	env      Environment
	cacheDir string
	registry *tfregistry.Registry
	reattach map[tfaddr.Provider]*tfprovider.Reattach

	mu   sync.Mutex
	open []tfprovider.Provider
}

// NewHost reads the CLI configuration that tofu and terraform read.
func NewHost(env Environment) (*Host, diag.List) {
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

// configure validates and gives a provider its configuration; cty.NilVal
// stands for an empty one.
func configure(ctx context.Context, p tfprovider.Provider, config cty.Value) diag.List {
	catalog, diags := p.Schema(ctx)
	if diags.HasErrors() {
		return diags
	}
	if config == cty.NilVal {
		schema, err := catalog.Schema(tfschema.KindProvider, "")
		if err != nil {
			return append(diags, diag.FromError("WF0003", "Cannot read the provider's schema", err)...)
		}
		config = schema.Block.EmptyValue()
	}
	if diags = append(diags, p.ValidateProviderConfig(ctx, config)...); diags.HasErrors() {
		return diags
	}
	return append(diags, p.Configure(ctx, config)...)
}
