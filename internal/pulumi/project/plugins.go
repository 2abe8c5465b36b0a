package project

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
)

// Plugins are the plugins that a project has instead of installed ones, by
// their section in `plugins`.
type Plugins struct {
	Providers, Languages, Analyzers []PluginOption
}

// PluginOption is one plugin in a directory.
type PluginOption struct {
	Name string
	// Version is the only one that it stands for; or "" for all.
	Version string
	// Path leads to the plugin's directory, from the file's.
	Path string
	// Range is where the entry stands.
	Range hcl.Range
}

// Abs is the plugin's directory, for an option of the manifest m.
func (o PluginOption) Abs(m *Manifest) string { return m.Abs(o.Path) }

// Abs resolves a path in the file against the file's directory.
func (m *Manifest) Abs(path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(m.Dir(), path)
}

func readPlugins(r *reader, f field) Plugins {
	var plugins Plugins
	for _, section := range r.fields(f.value) {
		switch section.name {
		case "providers":
			plugins.Providers = readPluginOptions(r, section)
		case "languages":
			plugins.Languages = readPluginOptions(r, section)
		case "analyzers":
			plugins.Analyzers = readPluginOptions(r, section)
		default:
			r.unknown(section, "providers", "languages", "analyzers")
		}
	}
	return plugins
}

func readPluginOptions(r *reader, section field) []PluginOption {
	var options []PluginOption
	for _, item := range r.items(section) {
		o := PluginOption{Range: r.doc.rangeOf(item)}
		for _, f := range r.fields(item) {
			switch f.name {
			case "name":
				o.Name = r.text(f)
			case "version":
				o.Version = r.text(f)
			case "path":
				o.Path = r.text(f)
			default:
				r.unknown(f, "name", "version", "path")
			}
		}
		if o.Name == "" || o.Path == "" {
			r.report(incompletePlugin(o.Range))
		}
		options = append(options, o)
	}
	return options
}
