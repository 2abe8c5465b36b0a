package packages

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// ownPlugin is a plugin that is an executable in a directory of the user's, as
// `plugins` in Pulumi.yaml has it; ok is false for others. Sources in
// `packages` are directories that say what they are to Pulumi, so that the path
// of an executable would stop it from running the project.
func (p *Packages) ownPlugin(pkg *Package) (own project.PluginOption, version string, ok bool) {
	if !isPath(pkg.Source.Text) || pkg.Installed == nil {
		return own, "", false
	}
	h := pkg.Bound.Header
	name, version := h.Name, pkg.Bound.Version()
	switch {
	case h.Parameterization != nil:
		name, version = h.Parameterization.BaseProvider.Name, h.Parameterization.BaseProvider.Version
	case h.ExtensionParameterization != nil:
		name, version = h.ExtensionParameterization.BaseProvider.Name, h.ExtensionParameterization.BaseProvider.Version
	}
	path := p.absolute(pkg.Source)
	dir := path
	if info, err := os.Stat(path); err != nil {
		return own, "", false
	} else if !info.IsDir() {
		dir = filepath.Dir(path)
	} else if _, described := project.In(dir, project.Plugin); described {
		return own, "", false
	}
	found := slices.ContainsFunc(plugin.ExecutableExtensions(), func(extension string) bool {
		program := filepath.Join(dir, plugin.Executable(plugin.Resource, name)+extension)
		_, err := os.Stat(program)
		return err == nil && (path == dir || path == program)
	})
	return project.PluginOption{Name: name, Path: relativeTo(p.opts.Project.Dir(), dir)}, version, found
}

// withPlugin is the manifest that says where a plugin of the user's is.
func (p *Packages) withPlugin(m *project.Manifest, pkg *Package) (*project.Manifest, diag.List) {
	own, _, ok := p.ownPlugin(pkg)
	if !ok || slices.ContainsFunc(m.Plugins.Providers, func(o project.PluginOption) bool { return o.Name == own.Name && o.Abs(m) == own.Abs(m) }) {
		return m, nil
	}
	return m.WithProvider(own)
}

// otherPlugin finds what `plugins` says already of the name of a plugin of the
// user's, if that is another directory.
func (p *Packages) otherPlugin(pkg *Package) *diag.Diagnostic {
	own, _, ok := p.ownPlugin(pkg)
	if !ok {
		return nil
	}
	for _, there := range p.opts.Project.Plugins.Providers {
		if there.Name == own.Name && there.Abs(p.opts.Project) != own.Abs(p.opts.Project) {
			return pluginTaken(own.Name, own.Path, there.Path)
		}
	}
	return nil
}
