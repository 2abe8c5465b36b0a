package sdkts

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// module is a directory of the SDK with an index of its own.
type module struct {
	sdk *sdk
	// name is the module's path, "" for the root; dir is where it lies.
	name, dir string
	resources []*pschema.Resource
	functions []*pschema.Function
	enums     []*pschema.Enum
	// children are names of directories below this one that are modules.
	children map[string]bool
	// files leads from tokens to names of files, without the extension.
	files map[string]string
}

// language is what schemas call the languages that run on Node.js.
const language = "nodejs"

const (
	typesModule  = "types"
	configModule = "config"
)

// module finds or makes a module, and those around it.
func (s *sdk) module(name string) *module {
	if found, ok := s.modules[name]; ok {
		return found
	}
	m := &module{sdk: s, name: name, dir: name, children: map[string]bool{}, files: map[string]string{}}
	s.modules[name] = m
	if name != "" {
		parent, child := path.Split(name)
		s.module(strings.TrimSuffix(parent, "/")).children[child] = true
	}
	return m
}

func (s *sdk) moduleOf(token string) *module { return s.module(s.info.module(s.pkg, token)) }

func (s *sdk) sorted() []*module {
	var all []*module
	for _, name := range slices.Sorted(maps.Keys(s.modules)) {
		all = append(all, s.modules[name])
	}
	return all
}

// divide puts every member into its module.
func (s *sdk) divide() error {
	root := s.module("")
	if provider := s.pkg.Provider(); provider != nil && !provider.Overlay.In(language) {
		root.resources = append(root.resources, provider)
	}
	for _, resource := range s.pkg.Resources() {
		if !resource.Overlay.In(language) {
			m := s.moduleOf(resource.Token)
			m.resources = append(m.resources, resource)
		}
	}
	for _, function := range s.pkg.Functions() {
		if !function.IsMethod && !function.Overlay.In(language) {
			m := s.moduleOf(function.Token)
			m.functions = append(m.functions, function)
		}
	}
	for _, named := range s.pkg.Types() {
		if enum, ok := named.(*pschema.Enum); ok && !enum.Overlay.In(language) {
			m := s.moduleOf(enum.Token)
			m.enums = append(m.enums, enum)
		}
	}
	if len(s.pkg.Config()) > 0 && s.info.Compatibility != kubernetes20 {
		s.module(configModule)
	}
	if _, taken := s.modules[typesModule]; taken {
		return reservedModule(typesModule)
	}
	for _, m := range s.modules {
		if err := m.nameFiles(); err != nil {
			return err
		}
	}
	return nil
}

// nameFiles gives each resource and function a file of its own.
func (m *module) nameFiles() error {
	taken := map[string]string{}
	give := func(token, name string) error {
		for m.reservedFile(name) {
			name += "_"
		}
		if other, ok := taken[strings.ToLower(name)]; ok {
			return sameFile(other, token, pathTo(m.dir, name)+".ts")
		}
		taken[strings.ToLower(name)] = token
		m.files[token] = name
		return nil
	}
	for _, resource := range m.resources {
		if resource.IsProvider {
			m.files[resource.Token] = "provider"
			taken["provider"] = resource.Token
			continue
		}
		if err := give(resource.Token, camel(typeName(resource.Token))); err != nil {
			return err
		}
	}
	for _, function := range m.functions {
		if err := give(function.Token, functionName(function)); err != nil {
			return err
		}
	}
	return nil
}

// reservedFile reports whether a file has a meaning of its own, or would hide
// a module beside it.
func (m *module) reservedFile(name string) bool {
	switch name {
	case "index":
		return true
	case "utilities", "provider", typesModule:
		return m.name == ""
	case "vars":
		return m.name == configModule
	}
	return m.children[name]
}

// tasks writes the module's files.
func (m *module) tasks() []sdkgen.Task {
	tasks := append(sdkgen.Tasks(m.resources, m.resourceFile), sdkgen.Tasks(m.functions, m.functionFile)...)
	return append(tasks, func() []sdkgen.File { return []sdkgen.File{m.indexFile()} })
}

// path of a member's file.
func (m *module) path(token string) string { return pathTo(m.dir, m.files[token]+".ts") }
