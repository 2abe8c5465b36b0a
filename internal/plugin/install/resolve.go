package install

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Resolution is what a descriptor is resolved into. Either Local or Plugin is
// set.
type Resolution struct {
	// Local is a plugin in a place of its own: an executable, or a directory.
	// Absolute.
	Local string
	// AsIs says that nothing is to be done for the local plugin: it is on the
	// PATH, or the project puts it in the place of an installed one.
	AsIs bool
	// Plugin is a plugin in the cache, or of which one knows how it gets there.
	Plugin plugin.Concrete
	// State is the plugin's when it was resolved.
	State plugin.State
	// Parameterization and Extension make the package of the plugin.
	Parameterization, Extension plugin.Parameterization
}

// Resolve finds out which plugin a descriptor means, without installing it.
// asker is the project where it stands; or nil. In this order, a descriptor
// means:
//
//   - what the asker's `packages` and `plugins` say about a name;
//   - a path;
//   - an installed plugin that meets the constraint;
//   - a git repository, or a plugin of the server named beside it;
//   - a name that was known before there were registries;
//   - what the registry says; without a registry, a release of Pulumi.
//
// Warnings may come with a result.
func (i *Installer) Resolve(ctx context.Context, d plugin.Descriptor, asker *project.Manifest) (Resolution, diag.List) {
	return i.resolve(ctx, d, asker, false)
}

func (i *Installer) resolve(ctx context.Context, d plugin.Descriptor, asker *project.Manifest, ambient bool) (Resolution, diag.List) {
	out, m, diags := i.resolveHere(d, asker, ambient)
	if diags.HasErrors() || m == nil {
		return out, diags
	}
	return i.resolveElsewhere(ctx, m.descriptor, m.likely, out)
}

// meaning is what a descriptor means where nothing on this machine has it: what
// the asker says of it, and the plugin that is likely.
type meaning struct {
	descriptor plugin.Descriptor
	likely     plugin.Concrete
}

// resolveHere looks on this machine only. Where it finds nothing it returns
// what is to be looked for elsewhere, and what is known of the result.
func (i *Installer) resolveHere(d plugin.Descriptor, asker *project.Manifest, ambient bool) (Resolution, *meaning, diag.List) {
	if local, ok := replacement(asker, d); ok {
		return Resolution{Local: local, AsIs: true, Parameterization: d.Parameterization, Extension: d.Extension}, nil, nil
	}
	d, diags := projectAware(d, asker)
	if diags.HasErrors() {
		return Resolution{}, nil, diags
	}
	id, known, err := source.Guess(d)
	if err != nil {
		return Resolution{}, nil, diag.FromError(codeInternal, "Invalid source", err)
	}
	out := Resolution{Parameterization: d.Parameterization, Extension: d.Extension}
	if id.Path != "" {
		out.Local, err = absolute(asker, id.Path)
		return out, nil, diag.FromError(codeInternal, "Cannot find "+id.Path, err)
	}
	path, there := "", false
	if ambient {
		path, there = i.ambient(id.Plugin)
	}
	bare := id.Plugin.Name == d.Source
	if (known || bare) && (!there || isStandIn(path, id.Plugin)) {
		if found, ok, diags := i.installed(id.Plugin, d.Constraint); ok || diags.HasErrors() {
			out.Plugin, out.State = found, plugin.Installed
			return out, nil, diags
		}
	}
	if there {
		out.Local, out.AsIs = path, true
		return out, nil, nil
	}
	return out, &meaning{d, id.Plugin}, nil
}

func (i *Installer) ambient(p plugin.Concrete) (string, bool) {
	if i.opts.Ambient == nil || plugin.IsGitServer(p.Server) {
		return "", false
	}
	return i.opts.Ambient(p.Kind, p.Name)
}

// isStandIn reports whether what is ambient is a program of another name, in
// the place of a plugin that others publish. That one goes first where it is
// installed.
func isStandIn(path string, p plugin.Concrete) bool {
	return !strings.HasPrefix(filepath.Base(path), p.Executable())
}

// resolveElsewhere asks places other than this machine. likely is the plugin
// that d seems to mean.
func (i *Installer) resolveElsewhere(ctx context.Context, d plugin.Descriptor, likely plugin.Concrete, out Resolution) (Resolution, diag.List) {
	if d := unpublished(likely); d != nil {
		return Resolution{}, diag.List{d}
	}
	id, diags := i.opts.Sources.Ask(ctx, i.opts.Registry, d)
	if source.Unreachable(diags) {
		if found, ok, _ := i.installed(likely, d.Constraint); ok {
			out.Plugin, out.State = found, plugin.Installed
			return out, diag.List{registryPassedOver(d, found, diags)}
		}
	}
	if diags.HasErrors() {
		return Resolution{}, diags
	}
	constraint := d.Constraint
	if !id.Parameterization.IsZero() {
		// The version named is the package's, and this one is the plugin's.
		constraint, out.Parameterization = plugin.Exactly(id.Plugin.Version), id.Parameterization
	}
	if found, ok, diags := i.installed(id.Plugin, constraint); ok || diags.HasErrors() {
		out.Plugin, out.State = found, plugin.Installed
		return out, diags
	}
	version, named := constraint.Version()
	switch {
	case named:
	case id.Versioned:
		version = id.Plugin.Version
	default:
		if version, diags = i.opts.Sources.Latest(ctx, id.Plugin); diags.HasErrors() {
			return Resolution{}, diags
		}
	}
	out.Plugin = id.Plugin
	out.Plugin.Version = version
	state, err := i.opts.Cache.State(out.Plugin)
	out.State = state
	return out, append(diags, diag.FromError(codeInternal, "Cannot read the plugin cache", err)...)
}

// installed looks into the cache for a version of p that meets a constraint.
func (i *Installer) installed(p plugin.Concrete, c plugin.Constraint) (plugin.Concrete, bool, diag.List) {
	entry, ok, err := i.opts.Cache.Find(p.Kind, p.CacheName(), c)
	if err != nil {
		return p, false, diag.List{unreadableCache(i.opts.Cache.Root, err)}
	}
	p.Version = entry.Version
	return p, ok, nil
}

// replacement is the directory that the asker's `plugins` put in the place of
// the plugin that d names.
func replacement(asker *project.Manifest, d plugin.Descriptor) (dir string, ok bool) {
	if asker == nil || asker.Kind != project.Program {
		return "", false
	}
	for _, option := range ownPlugins(asker)[d.Kind] {
		v, err := plugin.ParseVersion(option.Version)
		if option.Name == d.Source && (option.Version == "" || err == nil && d.Constraint.Meets(v)) {
			return option.Abs(asker), true
		}
	}
	return "", false
}

// ownPlugins are those that a project brings itself.
func ownPlugins(m *project.Manifest) map[plugin.Kind][]project.PluginOption {
	return map[plugin.Kind][]project.PluginOption{
		plugin.Resource: m.Plugins.Providers, plugin.Language: m.Plugins.Languages, plugin.Analyzer: m.Plugins.Analyzers,
	}
}

// projectAware returns what the asker's `packages` say about the name in d. A
// local path there stands for every version; another entry for a descriptor
// that says no more than the name.
func projectAware(d plugin.Descriptor, asker *project.Manifest) (plugin.Descriptor, diag.List) {
	if asker == nil || d.Kind != plugin.Resource {
		return d, nil
	}
	entry, ok := asker.Package(d.Source)
	if !ok {
		return d, nil
	}
	declared, diags := DescribePackage(entry)
	if diags.HasErrors() {
		return d, diags
	}
	ref, err := source.Parse(declared.Source)
	_, versioned := d.Constraint.Version()
	if err == nil && ref.Path == "" && (versioned || d.Server != "") {
		return d, nil
	}
	if !d.Parameterization.IsZero() || !d.Extension.IsZero() {
		declared.Parameterization, declared.Extension = d.Parameterization, d.Extension
	}
	return declared, diags
}

// absolute resolves a path against the asker's directory.
func absolute(asker *project.Manifest, path string) (string, error) {
	if asker != nil {
		path = asker.Abs(path)
	}
	return filepath.Abs(path)
}
