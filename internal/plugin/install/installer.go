package install

import (
	"context"
	"os"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Language does what plugins and projects in a language need done: their
// language plugin, in the end. Calls may be concurrent for different
// manifests.
type Language interface {
	// RequiredPackages tells what the manifest's program needs
	// (LanguageRuntime.GetRequiredPackages).
	RequiredPackages(ctx context.Context, m *project.Manifest) (plugin.Requirements, diag.List)
	// InstallDependencies installs what the language itself needs, such as
	// node_modules (LanguageRuntime.InstallDependencies). It may be called
	// again where it did not end.
	InstallDependencies(ctx context.Context, m *project.Manifest) diag.List
}

// Linker generates the SDKs of packages into a plugin or project and links
// them there. It may be called again where it did not end.
type Linker interface {
	Link(ctx context.Context, m *project.Manifest, packages []Installed) diag.List
}

// Options configures an [Installer].
type Options struct {
	Cache   plugin.Cache
	Sources *source.Sources
	// Registry says what names stand for; or nil.
	Registry source.Registry
	// Language and Linker may be nil: what needs them fails then and says so.
	Language Language
	Linker   Linker
	// Ambient finds a plugin that is there without an installation, on the
	// PATH or beside a program; or nil. See [Request.Ambient].
	Ambient func(kind plugin.Kind, name string) (path string, ok bool)
	// Own is where our plugins are and what their version is; the zero Own
	// keeps none in the cache. See [Installer.Keep].
	Own Own
	// Parallel is how many plugins are worked on at once; 0 means 4, and less
	// all of them.
	Parallel int
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
}

// Installer installs plugins. Its methods may be called concurrently, and
// several processes may share one cache.
type Installer struct {
	opts Options
	// step is told of every step, for tests that end the process there.
	step func(string)
}

// New makes an installer. It touches nothing.
func New(opts Options) *Installer {
	if opts.Parallel == 0 {
		opts.Parallel = 4
	}
	if opts.Env == nil {
		opts.Env = os.Getenv
	}
	return &Installer{opts: opts, step: func(string) {}}
}

// Request asks for packages to be installed.
type Request struct {
	Descriptors []plugin.Descriptor
	// Project is where they are asked for: it may say what a name means, and
	// relative paths start at it. Nil means nowhere in particular.
	Project *project.Manifest
	// Reinstall installs anew what is installed.
	Reinstall bool
	// Ambient accepts plugins that Options.Ambient finds in the place of
	// installed ones.
	Ambient bool
	// Automatic says that something needs the plugin and nobody asked for the
	// installation: PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION forbids it.
	Automatic bool
}

// Installed is a package that is ready to run.
type Installed struct {
	// Name is the package's name in the `packages` that ask for it; or "".
	Name       string
	Descriptor plugin.Descriptor
	Resolution
	// Path is where the plugin is: its executable, or the directory that its
	// PulumiPlugin.yaml is in.
	Path string
	// Fresh says that it was not installed before.
	Fresh bool
}

// Install installs packages and all that they depend on. It is idempotent.
// The result has the order of the request; what could not be installed has no
// Path in it, and an error says why.
func (i *Installer) Install(ctx context.Context, req Request) ([]Installed, diag.List) {
	g := i.newGraph(req)
	wants := make([]*want, len(req.Descriptors))
	for n, d := range req.Descriptors {
		wants[n] = &want{descriptor: d, asker: req.Project}
	}
	diags := g.run(ctx, wants)
	return results(wants), diags
}

// ProjectRequest asks for everything that a project needs.
type ProjectRequest struct {
	Project *project.Manifest
	// State are the providers of an exported stack, which it needs as well.
	State []project.ProviderState
	// NoDependencies leaves out what the language installs, NoPlugins what
	// the program and the state need beyond the project's `packages`.
	NoDependencies, NoPlugins bool
	Reinstall                 bool
}

// InstallProject installs the packages that a project names and links their
// SDKs, then what its language needs, then the plugins that its program and
// its state need. The result holds these in this order. Plugins of ours among
// them are in the cache then.
func (i *Installer) InstallProject(ctx context.Context, req ProjectRequest) ([]Installed, diag.List) {
	g := i.newGraph(Request{Project: req.Project, Reinstall: req.Reinstall, Ambient: true})
	root := &node{
		key: req.Project.Dir(), label: "project " + req.Project.Name, path: req.Project.Dir(), manifest: req.Project, project: true,
		skipDependencies: req.NoDependencies, skipRequired: req.NoPlugins,
	}
	diags := g.run(ctx, []*want{{node: root, asker: req.Project}})
	var state []*want
	for _, provider := range req.State {
		if provider.Plugin != builtinPackage && !req.NoPlugins {
			state = append(state, &want{descriptor: DescribeProvider(provider), asker: req.Project})
		}
	}
	if ctx.Err() == nil {
		diags = append(diags, g.run(ctx, state)...)
	}
	out, more := i.Keep(ctx, results(slices.Concat(root.links, root.late, root.required, state)))
	return out, append(diags, more...)
}

func results(wants []*want) []Installed {
	var out []Installed
	for _, w := range wants {
		out = append(out, w.installed())
	}
	return out
}
