package tfconfig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Tree is a module with the modules it calls.
type Tree struct {
	// Path is the chain of call names from the root, which has none.
	Path []string
	// Call is how the parent calls it; nil for the root.
	Call *ModuleCall
	// Module is nil where it could not be read; Missing then says why.
	Module   *Module
	Missing  *diag.Diagnostic
	Parent   *Tree
	Children map[string]*Tree
}

// Address returns `module.a.module.b`, or "" for the root.
func (t *Tree) Address() string {
	if len(t.Path) == 0 {
		return ""
	}
	return "module." + strings.Join(t.Path, ".module.")
}

// LoadTree reads the module in dir and all that it calls. Modules are found
// at local paths, and where `init` has installed them (.terraform/modules);
// others stay in the tree without a Module. Diagnostics of all modules come
// in one list, and a module that is not there is no error of it.
func LoadTree(dir string, opts Options) (*Tree, diag.List) {
	l := &treeLoader{opts: opts, root: dir}
	diags := l.manifest()
	module, more := LoadModule(dir, opts)
	diags = append(diags, more...)
	tree := &Tree{Module: module}
	if module != nil {
		diags = append(diags, l.children(tree, map[string]bool{absolute(dir): true})...)
	}
	return tree, diags
}

// AllSources joins the texts of all files of the tree.
func (t *Tree) AllSources() diag.Sources {
	out := diag.Sources{}
	t.Walk(func(t *Tree) {
		if t.Module != nil {
			for name, text := range t.Module.Sources {
				out[name] = text
			}
		}
	})
	return out
}

// Walk calls f for t and then for its children, in the order of names.
func (t *Tree) Walk(f func(*Tree)) {
	f(t)
	for _, name := range sortedNames(t.Children) {
		t.Children[name].Walk(f)
	}
}

type treeLoader struct {
	opts      Options
	root      string
	installed map[string]installedModule // by dotted path
}

// installedModule is an entry of .terraform/modules/modules.json.
type installedModule struct{ Key, Source, Dir string }

func (l *treeLoader) manifest() diag.List {
	path := l.opts.DataPath(l.root, "modules", "modules.json")
	text, err := os.ReadFile(path)
	if missing(err) {
		return nil
	}
	var file struct{ Modules []installedModule }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		return diag.List{badManifest(path, err)}
	}
	l.installed = map[string]installedModule{}
	for _, m := range file.Modules {
		l.installed[m.Key] = m
	}
	return nil
}

// children reads what parent calls; above holds the directories of parent
// and of what it is inside.
func (l *treeLoader) children(parent *Tree, above map[string]bool) diag.List {
	var diags diag.List
	parent.Children = map[string]*Tree{}
	for _, name := range sortedNames(parent.Module.Calls) {
		call := parent.Module.Calls[name]
		child := &Tree{Path: append(append([]string{}, parent.Path...), name), Call: call, Parent: parent}
		parent.Children[name] = child
		dir, known := l.locate(child)
		switch place := absolute(dir); {
		case !known:
			child.Missing = moduleNotInstalled(name, call.Source, call.SourceRange)
		case above[place]:
			child.Missing = moduleInItself(name, call.SourceRange)
			diags = append(diags, child.Missing)
		default:
			diags = append(diags, l.child(child, dir, place, above)...)
		}
	}
	return diags
}

func (l *treeLoader) child(child *Tree, dir, place string, above map[string]bool) diag.List {
	module, diags := loadModule(dir, l.opts)
	if module == nil {
		child.Missing = moduleNotReadable(child.Call.Name, dir, child.Call.SourceRange)
		return append(diags, child.Missing)
	}
	child.Module = module
	above[place] = true
	defer delete(above, place)
	return append(diags, l.children(child, above)...)
}

func (l *treeLoader) locate(child *Tree) (dir string, known bool) {
	source := child.Call.Source
	if isLocal(source) {
		return filepath.Join(child.Parent.Module.Dir, filepath.FromSlash(slashed(source))), true
	}
	entry, ok := l.installed[strings.Join(child.Path, ".")]
	if !ok || !strings.HasSuffix(entry.Source, source) {
		return "", false
	}
	if filepath.IsAbs(entry.Dir) {
		return entry.Dir, true
	}
	return filepath.Join(l.root, filepath.FromSlash(entry.Dir)), true
}

// slashed is a path with the slashes that it has on any system.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// isLocal reports whether a module's source is a path.
func isLocal(source string) bool {
	source = slashed(source)
	return source == "." || source == ".." || strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../")
}

func absolute(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return abs
}
