package packages

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Source is what people say about a package on a command line.
type Source struct {
	// Text is a name, publisher/name, a git URL, a local path or a schema
	// file; all but the last two may have a version behind an @.
	Text string
	// Args parameterize the plugin.
	Args []string
	// Server is where to download the plugin from; or "".
	Server string
	// Extension says that Args add to the plugin's package.
	Extension bool
	// Selection is what the SDK is to have of the package, and SelectedAt where
	// a file says so; or nil.
	Selection  pschema.Selection
	SelectedAt *hcl.Range
}

// schemaFile reports whether s names a schema and no plugin.
func (s Source) schemaFile() bool {
	switch strings.ToLower(filepath.Ext(s.Text)) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

// absolute is the path that a source names, if it names one: with a
// separator in front, or a file that is there and could be no name.
func (p *Packages) absolute(s Source) string {
	if filepath.IsAbs(s.Text) {
		return s.Text
	}
	return filepath.Join(p.opts.WorkDir, s.Text)
}

// describe makes a descriptor of a source. Local paths become absolute, so
// that it means the same from everywhere.
func (p *Packages) describe(s Source) (plugin.Descriptor, diag.List) {
	text := s.Text
	if isPath(text) {
		text = p.absolute(s)
	}
	wish := source.Wish{Kind: plugin.Resource, Exact: true, Server: s.Server, Parameters: p.portable(s.Args)}
	if s.Extension {
		wish.Parameters, wish.Extensions = nil, wish.Parameters
	}
	d, diags := source.Describe(text, wish)
	if _, named := d.Constraint.Version(); !named && !diags.HasErrors() {
		d.Constraint = plugin.Any()
	}
	return d, diags
}

// isPath reports whether a source is written as a path.
func isPath(text string) bool {
	return filepath.IsAbs(text) || text == "." || text == ".." ||
		strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
		strings.HasPrefix(text, "."+string(os.PathSeparator)) || strings.HasPrefix(text, ".."+string(os.PathSeparator))
}
