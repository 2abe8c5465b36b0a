package golang

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// module is one Go package of the SDK.
type module struct {
	sdk *sdk
	// key is the schema's module, "" for the root, or where the schema puts it
	// for Go: several may be in one Go package.
	key string
	// dir is the directory in the Go module, importPath the whole path.
	dir, importPath string
	name            string

	// above is the module that this one is a part of, shared the part for what
	// several parts of it use; nil where a module is in one piece.
	above, shared *module
	// below are the module's parts, in order, and declarations what those that
	// are parts declare for programs.
	below        []*module
	declarations []declaration

	sdkgen.Members
	// classes are the resources by their Go names.
	classes map[string]*pschema.Resource

	// imports are the modules of the SDK that this one refers to.
	imports map[*module]bool

	// families are the collections and pointers of types that were asked for,
	// by name.
	families map[string]family
	// ordered are the families in the order in which they are written.
	ordered []family
}

// moduleKey is where the schema puts a token's member for Go.
func (s *sdk) moduleKey(token string) string {
	key := s.pkg.Module(token)
	if mapped, ok := s.info.ModuleToPackage[key]; ok {
		return mapped
	}
	return key
}

// module returns the Go package of a key, new or known.
func (s *sdk) module(key string) *module {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.modules[key]; ok {
		return m
	}
	m := &module{sdk: s, key: key, imports: map[*module]bool{}, families: map[string]family{}}
	m.dir = s.dir(key)
	s.dirs[m.dir] = true
	m.importPath = path.Join(s.info.ModulePath, m.dir)
	m.name = s.info.RootPackageName
	if key != "" {
		m.name = goPackageName(path.Base(key))
	}
	s.modules[key] = m
	return m
}

// dir is the directory of a module in the SDK.
func (s *sdk) dir(key string) string { return path.Join(s.info.rootDir(), strings.ToLower(key)) }

// moduleOf is the Go package of a token.
func (s *sdk) moduleOf(token string) *module {
	if m := s.placed[token]; m != nil {
		return m
	}
	return s.module(s.moduleKey(token))
}

// divide sorts the package's members into Go packages.
func (s *sdk) divide() {
	s.module("")
	sdkgen.Divide(s.pkg, "go", func(token string) *sdkgen.Members { return &s.moduleOf(token).Members })
	for _, m := range s.sorted() {
		m.classes = map[string]*pschema.Resource{}
		for _, r := range m.Resources {
			m.classes[s.resourceName(r.Token)] = r
		}
		s.spread(m)
	}
}

// sorted lists the Go packages by key.
func (s *sdk) sorted() []*module {
	keys := make([]string, 0, len(s.modules))
	for key := range s.modules {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	out := make([]*module, len(keys))
	for i, key := range keys {
		out[i] = s.modules[key]
	}
	return out
}

// importCycle is a circle of modules that import each other, the first of them
// at its end as well; nil where there is none.
func (s *sdk) importCycle() []string {
	search := cycleSearch{done: map[*module]bool{}}
	for _, m := range s.sorted() {
		if circle := search.from(m); circle != nil {
			return circle
		}
	}
	return nil
}

type cycleSearch struct {
	path []*module
	done map[*module]bool
}

func (s *cycleSearch) from(m *module) []string {
	if at := slices.Index(s.path, m); at >= 0 {
		var names []string
		for _, other := range append(s.path[at:], m) {
			names = append(names, cmp.Or(other.key, "index"))
		}
		return names
	}
	if s.done[m] {
		return nil
	}
	s.done[m] = true
	s.path = append(s.path, m)
	for _, other := range sortedModules(m.imports) {
		if circle := s.from(other); circle != nil {
			return circle
		}
	}
	s.path = s.path[:len(s.path)-1]
	return nil
}

func sortedModules(all map[*module]bool) []*module {
	return slices.SortedFunc(maps.Keys(all), func(a, b *module) int { return cmp.Compare(a.key, b.key) })
}
