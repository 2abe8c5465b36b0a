package host

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Wanted says which plugin is meant.
type Wanted struct {
	// Name is the plugin's, a language's for a language plugin. It may be ""
	// beside a Path, which then tells the name.
	Name string
	// Constraint says which versions in the cache, and in the project, will do.
	Constraint plugin.Constraint
	// Server is where the plugin was installed from, if that is a git
	// repository: the cache knows it by that. Else it is of no account.
	Server string
	// Path is an executable, or a directory with one or with a
	// PulumiPlugin.yaml, in the place of all that could be found; or "".
	Path string
	// EnvVarMappings has a resource plugin see variables of the environment
	// under other names: the values are these names.
	EnvVarMappings map[string]string
}

// Origin is how a plugin was found.
type Origin uint8

// The origins, in the order in which they are searched.
const (
	// FromCaller is a plugin that Wanted.Path names.
	FromCaller Origin = iota
	// Attached is one that runs already, and is not ours.
	Attached
	// FromProject is one that the project has in a directory.
	FromProject
	// FromPath is an executable on the PATH, whatever its version.
	FromPath
	// Shipped is one that came along with a program.
	Shipped
	// FromCache is an installed one.
	FromCache
)

// Found is a plugin on this machine.
type Found struct {
	Kind plugin.Kind
	Name string
	// Path is the plugin's executable, or its directory where it has none and
	// is run by a language plugin. It is "" for a plugin that is attached.
	Path   string
	Origin Origin
	// CalledBy is the path that the executable is told it has, by which a
	// plugin of ours knows what it stands for; "" stands for Path.
	CalledBy string
	// Entry is the plugin in the cache; it is zero for other origins.
	Entry plugin.Entry

	manifest string            // of a plugin that is a directory
	port     int               // of one that is attached
	mappings map[string]string // of its environment
}

// Dir is the plugin's directory: where its executable or its manifest is.
func (f Found) Dir() string {
	if f.manifest != "" {
		return filepath.Dir(f.manifest)
	}
	return filepath.Dir(f.Path)
}

// Finder knows the places where plugins are.
type Finder struct {
	// Env holds PATH, PULUMI_IGNORE_AMBIENT_PLUGINS,
	// PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH, PULUMI_DEBUG_PROVIDERS and
	// PULUMI_DEBUG_LANGUAGES.
	Env Environment
	// Project are the plugins that the project has itself.
	Project []ProjectPlugin
	// Programs are executables beside which plugins may stand; this one's. The
	// pulumi program on the PATH counts as well.
	Programs []string
	Cache    plugin.Cache
}

// Find returns the plugin that is meant. A warning says where another one than
// the installed one is taken. One that is not there is an error with
// [CodeNotFound].
func (f Finder) Find(kind plugin.Kind, w Wanted) (Found, diag.List) {
	if w.Path != "" {
		return open(kind, w.Name, w.Path, FromCaller)
	}
	for _, find := range []func(plugin.Kind, Wanted) (Found, bool, diag.List){
		f.attached, f.inProject, f.ambient, f.inCache, f.standIn,
	} {
		found, ok, diags := find(kind, w)
		if ok || diags.HasErrors() {
			return found, diags
		}
	}
	return Found{}, diag.List{f.notFound(kind, w)}
}

// open takes an executable, or looks into a directory for one or for a
// manifest.
func open(kind plugin.Kind, name, path string, origin Origin) (Found, diag.List) {
	info, err := os.Stat(path)
	if err != nil {
		return Found{}, diag.List{noSuchPath(kind, name, path)}
	}
	if path, err = filepath.Abs(path); err != nil {
		return Found{}, diag.FromError(codeEnvironment, "Cannot find "+path, err)
	}
	if name == "" {
		name = nameAt(kind, path, info.IsDir())
	}
	found := Found{Kind: kind, Name: name, Path: path, Origin: origin}
	if !info.IsDir() {
		return found, nil
	}
	if executable, ok := executableIn(path, plugin.Executable(kind, name)); ok {
		found.Path = executable
		return found, nil
	}
	manifest := project.Plugin
	if kind == plugin.Analyzer {
		manifest = project.Policy
	}
	file, ok := project.In(path, manifest)
	if !ok || kind == plugin.Language {
		return Found{}, diag.List{emptyDirectory(kind, name, path, manifest.FileName())}
	}
	found.manifest = file
	return found, nil
}

// nameAt is what the plugin at path is called by its executable, or else by
// its directory.
func nameAt(kind plugin.Kind, path string, isDir bool) string {
	prefix := plugin.Executable(kind, "")
	files := []string{path}
	if isDir {
		files, _ = filepath.Glob(filepath.Join(path, prefix+"*")) // fails only for bad patterns
	}
	for _, file := range files {
		if name, ok := strings.CutPrefix(filepath.Base(file), prefix); ok {
			return strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd")
		}
	}
	return filepath.Base(path)
}

func (f Finder) inProject(kind plugin.Kind, w Wanted) (Found, bool, diag.List) {
	for _, p := range f.Project {
		if p.Kind == kind && p.Name == w.Name && p.stands(w.Constraint) {
			found, diags := open(kind, w.Name, p.Dir, FromProject)
			return found, !diags.HasErrors(), diags
		}
	}
	return Found{}, false, nil
}

// ambient looks on the PATH, and beside programs that ship plugins. A plugin
// on the PATH that is another one than is shipped is worth a warning: it
// stands for every version.
func (f Finder) ambient(kind plugin.Kind, w Wanted) (Found, bool, diag.List) {
	file := plugin.Executable(kind, w.Name)
	shipped, isShipped := f.shipped(kind, w, false)
	if !plugin.Switched(f.Env.Lookup, "PULUMI_IGNORE_AMBIENT_PLUGINS") {
		if path, ok := f.onPath(file); ok {
			found := Found{Kind: kind, Name: w.Name, Path: path, Origin: FromPath}
			if sameFile(path, shipped.Path) {
				found.CalledBy = shipped.CalledBy
				return found, true, nil
			}
			return found, true, diag.List{takenFromPath(file, path, shipped.Path)}
		}
	}
	return shipped, isShipped, nil
}

// standIn is a shipped plugin in the place of one that is nowhere.
func (f Finder) standIn(kind plugin.Kind, w Wanted) (Found, bool, diag.List) {
	found, ok := f.shipped(kind, w, true)
	return found, ok, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func (f Finder) inCache(kind plugin.Kind, w Wanted) (Found, bool, diag.List) {
	constraint := w.Constraint
	if v, ok := constraint.Version(); ok && f.Env.Lookup("PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH") != "" {
		constraint = plugin.AtLeast(v)
	}
	entry, ok, err := f.Cache.Find(kind, w.cacheName(kind), constraint)
	if err != nil || !ok {
		return Found{}, false, unreadableCache(err)
	}
	found, diags := openEntry(entry, w.Name, w.concrete(kind).Subdir())
	return found, !diags.HasErrors(), diags
}

// openEntry looks into the directory of an installed plugin.
func openEntry(e plugin.Entry, name, subdir string) (Found, diag.List) {
	found, diags := open(e.Kind, name, filepath.Join(e.Dir, filepath.FromSlash(subdir)), FromCache)
	found.Entry = e
	return found, diags
}

// concrete is w as a plugin of no particular version.
func (w Wanted) concrete(kind plugin.Kind) plugin.Concrete {
	return plugin.Concrete{Kind: kind, Name: w.Name, Server: w.Server}
}

func (w Wanted) cacheName(kind plugin.Kind) string { return w.concrete(kind).CacheName() }

// notFound tells a plugin that is nowhere from one whose installation did not
// end, and from one of another version.
func (f Finder) notFound(kind plugin.Kind, w Wanted) *diag.Diagnostic {
	entries, err := f.Cache.Entries()
	if err != nil {
		entries = nil // it was read a moment ago
	}
	var others []string
	for _, e := range entries {
		switch {
		case e.Kind != kind || e.Name != w.cacheName(kind):
		case e.State != plugin.Installed && w.Constraint.Meets(e.Version):
			return halfInstalled(kind, w, e)
		default:
			others = append(others, e.Version.String())
		}
	}
	return notFound(kind, w, others)
}

// markUsed notes the start of an installed plugin, for who cleans the cache
// up. Failing to is of no account.
func (f Finder) markUsed(found Found) {
	if found.Origin == FromCache {
		e := found.Entry
		_ = os.WriteFile(f.Cache.LastUsed(plugin.Concrete{Kind: e.Kind, Name: e.Name, Version: e.Version}), nil, 0o600)
	}
}
