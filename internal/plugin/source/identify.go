package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// Identity is what a source stands for, its version aside.
type Identity struct {
	// Path is a place on this machine; with it, there is no plugin.
	Path string
	// Plugin has the name and server. Its version counts where Versioned.
	Plugin    plugin.Concrete
	Versioned bool
	// Parameterization is what a registry says that the package is made with.
	Parameterization plugin.Parameterization
}

// Guess tells what a descriptor's source stands for without asking anybody.
// ok is false where a registry should be asked; the plugin's name is the
// likely one then. Errors are diagnostics.
func Guess(d plugin.Descriptor) (id Identity, ok bool, err error) {
	ref, err := Parse(d.Source)
	if err != nil {
		return Identity{}, false, err
	}
	if ref.Version != "" {
		return Identity{}, false, twoVersions(ref.Version, d.Constraint.String())
	}
	id.Plugin = plugin.Concrete{Kind: d.Kind, Server: d.Server, Checksums: d.Checksums}
	switch {
	case ref.Path != "":
		return Identity{Path: ref.Path}, true, nil
	case ref.Git != nil:
		id.Plugin.Name, id.Plugin.Server = ref.Git.Name(), ref.Server
		if err := plugin.CheckName(id.Plugin.Name); err != nil {
			return Identity{}, false, invalidSource(ref.Git.Remote(), err)
		}
		return id, true, nil
	}
	name := lastPart(ref.Name)
	id.Plugin.Name = name
	if name != ref.Name && d.Kind != plugin.Resource {
		return Identity{}, false, invalidSource(d.Source, fmt.Errorf("registries hold packages, and no plugins of kind %s", d.Kind))
	}
	if d.Server != "" {
		return id, true, nil
	}
	if name == ref.Name {
		id.Plugin.Server, ok = usualServer(d.Kind, name)
	}
	return id, ok, nil
}

// Ask asks a registry what a descriptor's source stands for. Without a
// registry a name alone is a release of Pulumi; r may be nil.
func (s *Sources) Ask(ctx context.Context, r Registry, d plugin.Descriptor) (Identity, diag.List) {
	id, known, err := Guess(d)
	if err != nil || known {
		return id, diag.FromError("PS0007", "Invalid source", err)
	}
	bare := lastPart(d.Source) == d.Source
	if r == nil {
		if bare {
			return id, nil
		}
		return Identity{}, diag.List{noRegistry(d.Source)}
	}
	var found Package
	if v, named := d.Constraint.Version(); named {
		found, err = Lookup(ctx, r, d.Source, &v)
	} else {
		found, err = Lookup(ctx, r, d.Source, nil)
	}
	if err != nil {
		return Identity{}, lookupFailed(d.Source, r, err)
	}
	id.Plugin.Name, id.Plugin.Version, id.Plugin.Server, id.Versioned = found.Name, found.Version, found.Server, true
	if base := found.Base; base != nil {
		if !d.Parameterization.IsZero() {
			return Identity{}, diag.List{parameterizedTwice(found)}
		}
		id.Plugin.Name, id.Plugin.Version = base.Name, base.Version
		id.Parameterization.Value = &plugin.Parameter{Name: found.Name, Version: found.Version, Value: base.Parameter}
	}
	return id, nil
}

func lastPart(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1:]
		}
	}
	return name
}

// Unreachable reports whether diagnostics say that a place could not be asked,
// and not what it answered.
func Unreachable(diags diag.List) bool {
	for _, d := range diags {
		if d.Code == codeUnreachable {
			return true
		}
	}
	return false
}

const codeUnreachable = "PS0030"

// lookupFailed says why a name could not be looked up.
func lookupFailed(name string, r Registry, err error) diag.List {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), isDiagnostic(err):
		return asDiagnostics(plugin.Concrete{}, err)
	case errors.Is(err, ErrNotRegistered):
		return diag.List{notRegistered(name, err)}
	case fetch.IsTransient(err), errors.Is(err, fetch.ErrOffline):
		return diag.List{registryUnreachable(name, r, err)}
	}
	return diag.List{registryFailed(name, r, err)}
}
