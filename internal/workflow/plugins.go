package workflow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/release"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// PluginEnvironment is what work with plugins and packages has around it.
type PluginEnvironment struct {
	// Vars is the process's environment, as "key=value". Plugins get it whole,
	// since credentials live there.
	Vars host.Environment
	// WorkDir is where the user is. The project is there or above; or nowhere.
	WorkDir string
	// Program is this program's executable: our own plugins are beside it.
	Program string
	// Offline keeps this program off the network, and what it starts.
	Offline bool
	// Parallel is how many plugins are installed at once; 0 means 4, and less
	// all of them.
	Parallel int
	// LanguageVersionTools has language plugins install the language itself.
	LanguageVersionTools bool
	// Verbosity asks plugins to log, from 1 to 11; 0 asks for nothing.
	Verbosity int
	// Listener hears what plugins, and those who install dependencies, say.
	Listener host.Listener
}

// Plugins is everything about plugins and packages, joined. Close ends it.
type Plugins struct {
	Installer *install.Installer
	Host      *host.Host
	Packages  *packages.Packages
	// Project is the project, plugin or policy pack that the user is in; nil
	// outside.
	Project *project.Manifest

	env    PluginEnvironment
	broker *broker.Server
	mu     sync.Mutex
	said   diag.List
}

// OpenPlugins joins the parts that work with plugins. Where it returns an
// error there is nothing to close.
func OpenPlugins(ctx context.Context, env PluginEnvironment) (*Plugins, diag.List) {
	if env.Offline {
		env.Vars = env.Vars.Offline()
	}
	p := &Plugins{env: env}
	cache, err := plugin.OpenCache(env.Vars.Lookup)
	if err != nil {
		return nil, diag.List{noPluginCache(err)}
	}
	manifest, finder, diags := env.finder(cache)
	if diags.HasErrors() {
		return nil, diags
	}
	p.Project = manifest
	sources, registry, more := env.sources()
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	if p.broker, err = broker.Listen(ctx); err != nil {
		return nil, append(diags, noBroker(err)...)
	}
	if p.Host, err = host.New(ctx, env.hostOptions(manifest, finder, p.broker.Address())); err != nil {
		_ = p.broker.Close()
		return nil, append(diags, noBroker(err)...)
	}
	store := env.store()
	p.Installer = install.New(install.Options{
		Cache: cache, Sources: sources, Registry: registry, Language: languages{p.Host, env}, Linker: lateLinker{p},
		Ambient: ambient(finder), Own: env.own(), Parallel: env.Parallel, Env: env.Vars.Lookup,
	})
	p.Packages = packages.New(packages.Options{
		Installer: p.Installer, Host: p.Host, Store: store, Project: manifest, WorkDir: env.WorkDir, Registry: registry,
		Loader: p.broker.Address(),
	})
	p.broker.Serve(broker.Services{
		Schemas: p.Packages, Mappings: broker.NewInstalledMappings(p.Host, store, p.acquire), Resolver: p.Packages, Report: p.report,
	})
	return p, diags
}

// Close ends all plugins that still run, and returns what there was to say
// about them that had no other place.
func (p *Plugins) Close() diag.List {
	err := errors.Join(p.Host.Close(), p.broker.Close())
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.said = append(p.said, notEnded(err))
	}
	return p.said
}

func (p *Plugins) report(diags diag.List) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, diags...)
}

// acquire installs a plugin that another one would like to ask.
func (p *Plugins) acquire(ctx context.Context, name string) diag.List {
	_, diags := p.Installer.Install(ctx, install.Request{
		Descriptors: []plugin.Descriptor{{Kind: plugin.Resource, Source: name}}, Project: p.Project, Ambient: true, Automatic: true,
	})
	return diags
}

// lateLinker is the linker of an installer that is made before the packages
// which stand on it.
type lateLinker struct{ plugins *Plugins }

// Link implements install.Linker.
func (l lateLinker) Link(ctx context.Context, m *project.Manifest, installed []install.Installed) diag.List {
	return l.plugins.Packages.Link(ctx, m, installed)
}

// OpenPluginCache makes an installer that can look into the cache and remove
// from it, and no more: that needs neither network nor project.
func OpenPluginCache(vars host.Environment) (*install.Installer, diag.List) {
	cache, err := plugin.OpenCache(vars.Lookup)
	if err != nil {
		return nil, diag.List{noPluginCache(err)}
	}
	return install.New(install.Options{Cache: cache, Env: vars.Lookup}), nil
}

// finder finds the project, and the plugins that there are for it.
func (e PluginEnvironment) finder(cache plugin.Cache) (*project.Manifest, host.Finder, diag.List) {
	finder := host.Finder{Env: e.Vars, Programs: []string{e.Program}, Cache: cache}
	path, ok := nearestManifest(e.WorkDir)
	if !ok {
		return nil, finder, nil
	}
	manifest, diags := project.Load(path)
	if manifest == nil {
		return nil, finder, diags
	}
	own, more := host.ProjectPlugins(manifest)
	finder.Project = own
	return manifest, finder, append(diags, more...)
}

// nearestManifest finds the project, plugin or policy pack that a directory is
// in.
func nearestManifest(dir string) (path string, ok bool) {
	for _, kind := range []project.Kind{project.Program, project.Plugin, project.Policy} {
		if found, there := project.Find(dir, kind); there && len(filepath.Dir(found)) > len(filepath.Dir(path)) {
			path, ok = found, true
		}
	}
	return path, ok
}

func (e PluginEnvironment) sources() (*source.Sources, source.Registry, diag.List) {
	sources, diags := source.New(source.Options{
		Env: e.Vars.Lookup, Environ: e.Vars, Offline: e.Offline, UserAgent: "formation/" + release.Version(),
	})
	if diags.HasErrors() {
		return nil, nil, diags
	}
	registry, err := source.UserRegistry(sources.Client(), e.Vars.Lookup)
	if err != nil {
		return nil, nil, append(diags, diag.FromError("WF0061", "Cannot use the registry of packages", err)...)
	}
	return sources, registry, diags
}

func (e PluginEnvironment) hostOptions(m *project.Manifest, finder host.Finder, broker string) host.Options {
	opts := host.Options{
		Finder: finder, WorkDir: e.WorkDir, Broker: broker, Verbosity: e.Verbosity, Listener: e.Listener,
	}
	backend := ""
	if m != nil {
		backend = m.Backend
		opts.ProjectDir = m.Dir()
		opts.Project = host.ProjectInfo{Name: m.Name, RuntimeOptions: m.Runtime.Options}
	}
	opts.Env = e.Vars.LoggedIn(backend)
	return opts
}

// own are the plugins beside this program; none where that cannot be told.
func (e PluginEnvironment) own() install.Own {
	version, err := semver.Parse(release.Semantic())
	program, linkErr := filepath.EvalSymlinks(e.Program)
	if err != nil || linkErr != nil {
		return install.Own{}
	}
	return install.Own{Dir: filepath.Dir(program), Version: version}
}

// store keeps what plugins answered in the user's cache directory; nowhere
// where there is none.
func (e PluginEnvironment) store() broker.Store {
	dir := e.Vars.Lookup("XDG_CACHE_HOME")
	if dir == "" {
		dir, _ = os.UserCacheDir()
	}
	if dir == "" {
		return broker.Store{}
	}
	return broker.Store{Dir: filepath.Join(dir, "formation", "answers")}
}

// ambient finds plugins that no installation is needed for.
func ambient(finder host.Finder) func(plugin.Kind, string) (string, bool) {
	finder.Project, finder.Cache = nil, plugin.Cache{}
	return func(kind plugin.Kind, name string) (string, bool) {
		found, diags := finder.Find(kind, host.Wanted{Name: name})
		if diags.HasErrors() || found.Origin != host.FromPath && found.Origin != host.Shipped {
			return "", false
		}
		return found.Path, true
	}
}

// ProjectPlugins describes the plugins that the project's packages and its
// program need.
func (p *Plugins) ProjectPlugins(ctx context.Context) ([]plugin.Descriptor, diag.List) {
	if p.Project == nil {
		return nil, diag.List{noProject(p.env.WorkDir)}
	}
	var all []plugin.Descriptor
	var diags diag.List
	for _, entry := range p.Project.Packages {
		d, more := install.DescribePackage(entry)
		if diags = append(diags, more...); !more.HasErrors() {
			all = append(all, d)
		}
	}
	required, more := languages{p.Host, p.env}.RequiredPackages(ctx, p.Project)
	return slices.Concat(all, required.Packages, required.Plugins), append(diags, more...)
}

// Needed tells where the plugins are that the project needs; listed are those
// in the cache. Nothing outside of this machine is asked.
func (p *Plugins) Needed(ctx context.Context, listed []install.Listed) ([]install.Needed, diag.List) {
	wanted, diags := p.ProjectPlugins(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	needed, more := p.Installer.Needed(listed, p.Project, wanted)
	return needed, append(diags, more...)
}
