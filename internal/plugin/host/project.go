package host

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// ProjectPlugin is a plugin that a project has in a directory.
type ProjectPlugin struct {
	Kind plugin.Kind
	Name string
	// Version is the only version that it stands for, or nil for all.
	Version *semver.Version
	// Dir is absolute.
	Dir string
}

// stands reports whether p may take the place of what is wanted: versions that
// both sides name are equal.
func (p ProjectPlugin) stands(c plugin.Constraint) bool {
	wanted, ok := c.Version()
	return !ok || p.Version == nil || p.Version.EQ(wanted)
}

// ProjectPlugins lists the plugins that a project brings itself: those below
// `plugins`, and packages whose source is a local path, with the packages of
// those. A plugin that is not there is an error, and so are two for one name
// and version.
func ProjectPlugins(m *project.Manifest) ([]ProjectPlugin, diag.List) {
	g := gathering{seen: map[string]bool{}}
	g.options(m, plugin.Resource, m.Plugins.Providers)
	g.options(m, plugin.Language, m.Plugins.Languages)
	g.options(m, plugin.Analyzer, m.Plugins.Analyzers)
	g.packages(m)
	return g.plugins, g.diags
}

type gathering struct {
	plugins []ProjectPlugin
	diags   diag.List
	seen    map[string]bool // manifests whose packages were looked at
}

func (g *gathering) options(m *project.Manifest, kind plugin.Kind, options []project.PluginOption) {
	for _, option := range options {
		g.add(m, kind, option)
	}
}

func (g *gathering) add(m *project.Manifest, kind plugin.Kind, option project.PluginOption) {
	p := ProjectPlugin{Kind: kind, Name: option.Name, Dir: option.Abs(m)}
	if option.Version != "" {
		v, err := plugin.ParseVersion(option.Version)
		if err != nil {
			g.diags = append(g.diags, invalidVersion(option.Name, err).At(option.Range))
			return
		}
		p.Version = &v
	}
	if !isDirectory(p.Dir) {
		g.diags = append(g.diags, noPluginDirectory(option.Name, p.Dir).At(option.Range))
		return
	}
	for _, other := range g.plugins {
		if other.same(p) {
			g.diags = append(g.diags, samePlugin(p, other).At(option.Range))
			return
		}
	}
	g.plugins = append(g.plugins, p)
}

func (p ProjectPlugin) same(other ProjectPlugin) bool {
	if p.Kind != other.Kind || p.Name != other.Name {
		return false
	}
	return p.Version != nil && other.Version != nil && p.Version.EQ(*other.Version)
}

// packages adds the packages that m has in directories. Their own packages are
// looked for from where they are.
func (g *gathering) packages(m *project.Manifest) {
	for _, p := range m.Packages {
		if !isLocal(p.Source) {
			continue
		}
		option := project.PluginOption{Name: p.Name, Path: p.Source, Range: p.Range}
		dir := option.Abs(m)
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
			option.Path = dir
		}
		g.add(m, plugin.Resource, option)
		file, ok := project.In(dir, project.Plugin)
		if !ok || g.seen[file] {
			continue
		}
		g.seen[file] = true
		inner, diags := project.Load(file)
		g.diags = append(g.diags, diags...)
		if inner != nil {
			g.packages(inner)
		}
	}
}

// isLocal reports whether a package's source is a path.
func isLocal(source string) bool {
	return source == "." || source == ".." || filepath.IsAbs(source) ||
		strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../") || strings.HasPrefix(source, "/")
}
