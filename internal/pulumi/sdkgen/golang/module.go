package golang

import (
	"path"
	"sort"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// module is one Go package of the SDK.
type module struct {
	sdk *sdk
	// key is the schema's module, "" for the root.
	key string
	// dir is the directory in the Go module, importPath the whole path.
	dir, importPath string
	name            string

	sdkgen.Members

	// families are the collections and pointers of types that were asked for,
	// by name.
	families map[string]family
	// ordered are the families in the order in which they are written.
	ordered []family
}

// module returns the Go package of a schema's module, new or known.
func (s *sdk) module(key string) *module {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.modules[key]; ok {
		return m
	}
	sub := key
	if mapped, ok := s.info.ModuleToPackage[key]; ok {
		sub = mapped
	}
	m := &module{sdk: s, key: key, families: map[string]family{}}
	m.dir = path.Join(s.info.rootDir(), strings.ToLower(sub))
	m.importPath = path.Join(s.info.ModulePath, m.dir)
	m.name = s.info.RootPackageName
	if sub != "" {
		m.name = goPackageName(path.Base(sub))
	}
	s.modules[key] = m
	return m
}

// moduleOf is the Go package of a token.
func (s *sdk) moduleOf(token string) *module { return s.module(s.pkg.Module(token)) }

// divide sorts the package's members into Go packages.
func (s *sdk) divide() {
	s.module("")
	sdkgen.Divide(s.pkg, "go", func(token string) *sdkgen.Members { return &s.moduleOf(token).Members })
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
