package workflow

import (
	"context"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// launcher starts the providers of a module: those that its lock file pins,
// else what its constraints allow.
type launcher struct {
	host        *tfhost.Host
	lock        tfregistry.LockFile
	constraints map[tfaddr.Provider][]string
}

func newLauncher(host *tfhost.Host, lock tfregistry.LockFile) *launcher {
	return &launcher{host: host, lock: lock, constraints: map[tfaddr.Provider][]string{}}
}

// require is told of a constraint, before anything is launched.
func (l *launcher) require(p tfaddr.Provider, constraint string) error {
	l.constraints[p] = append(l.constraints[p], constraint)
	return l.lock.Allows(p, constraint)
}

func (l *launcher) launch(ctx context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List) {
	pinned, locked := l.lock.Request(p)
	if !locked {
		pinned = tfregistry.Request{Provider: p, Constraint: strings.Join(l.constraints[p], ", ")}
	}
	opened, diags := l.host.Open(ctx, pinned)
	if diags.HasErrors() {
		return nil, diags
	}
	return hosted{opened.Provider}, append(diags, l.lock.Verify(opened.Installed)...)
}

// lender gives the proof of an import the provider that runs already, and what
// the user's own files need beside it processes of its own.
type lender struct {
	*launcher
	importing *importing
}

func (l lender) require(p tfaddr.Provider, constraint string) error {
	if p == l.importing.provider.Installed.Provider {
		return nil
	}
	return l.launcher.require(p, constraint)
}

func (l lender) launch(ctx context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List) {
	i := l.importing
	if p != i.provider.Installed.Provider {
		return l.launcher.launch(ctx, p)
	}
	another := func(ctx context.Context) (tfprovider.Provider, diag.List) {
		opened, diags := l.host.Open(ctx, i.req.Provider)
		return hosted{opened.Provider}, diags
	}
	return &borrowed{Provider: hosted{i.provider}, config: i.config.value, another: another}, nil
}

// borrowed is a provider that runs and is configured already.
type borrowed struct {
	tfprovider.Provider
	config  cty.Value // [cty.NilVal] is nothing
	another func(context.Context) (tfprovider.Provider, diag.List)
}

// Configure does nothing where the configuration is the one that the provider
// has. For one of the user's own, under an alias, it is another process: what
// was imported is still to be asked of this one.
func (b *borrowed) Configure(ctx context.Context, config cty.Value) diag.List {
	if b.config == cty.NilVal && isEmpty(config) || b.config != cty.NilVal && config.RawEquals(b.config) {
		return nil
	}
	provider, diags := b.another(ctx)
	if diags.HasErrors() {
		return diags
	}
	b.Provider = provider
	return append(diags, provider.Configure(ctx, config)...)
}

// isEmpty reports whether a configuration has nothing in it.
func isEmpty(config cty.Value) bool {
	if config.IsNull() {
		return true
	}
	if !config.IsKnown() || !config.Type().IsObjectType() {
		return false
	}
	for _, v := range config.AsValueMap() {
		if v.IsNull() || v.IsKnown() && v.CanIterateElements() && v.LengthInt() == 0 {
			continue
		}
		return false
	}
	return true
}
