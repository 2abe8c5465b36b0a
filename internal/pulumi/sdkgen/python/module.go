package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// module is one Python package of the SDK.
type module struct {
	sdk *sdk
	// names are its names below the SDK's own package, from the top down.
	names []string

	sdkgen.Members
}

// module returns the Python package of a schema's module, new or known, and
// makes sure of those above it.
func (s *sdk) module(names []string) *module {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lockedModule(names)
}

func (s *sdk) lockedModule(names []string) *module {
	key := strings.Join(names, ".")
	if m, ok := s.modules[key]; ok {
		return m
	}
	m := &module{sdk: s, names: names}
	s.modules[key] = m
	if len(names) > 0 {
		s.lockedModule(names[:len(names)-1])
	}
	return m
}

func (s *sdk) moduleOf(token string) *module {
	return s.module(s.info.moduleNames(s.pkg.Module(token)))
}

// divide sorts the package's members into Python packages.
func (s *sdk) divide() {
	s.module(nil)
	sdkgen.Divide(s.pkg, "python", func(token string) *sdkgen.Members { return &s.moduleOf(token).Members })
}

// sorted lists the Python packages by name.
func (s *sdk) sorted() []*module {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*module, 0, len(s.modules))
	for _, key := range slices.Sorted(maps.Keys(s.modules)) {
		out = append(out, s.modules[key])
	}
	return out
}

// children are the names of the modules right below m.
func (m *module) children() []string {
	var out []string
	for _, other := range m.sdk.sorted() {
		if len(other.names) == len(m.names)+1 && slices.Equal(other.names[:len(m.names)], m.names) {
			out = append(out, other.names[len(m.names)])
		}
	}
	return out
}

// fqn is the module's full name.
func (m *module) fqn() string {
	return strings.Join(append([]string{m.sdk.info.PackageName}, m.names...), ".")
}

// dir is where the module's files are.
func (m *module) dir() string { return strings.ReplaceAll(m.fqn(), ".", "/") }

// up is the relative name of the SDK's own package.
func (m *module) up() string { return strings.Repeat(".", len(m.names)+1) }

// fileOf is the Python module that a resource's class is in.
func fileOf(className string) string { return snake(className) }
