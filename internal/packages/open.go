package packages

import (
	"context"
	"encoding/json"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Package is a package whose schema is known.
type Package struct {
	Source Source
	// Schema is the text that the plugin gave, as JSON.
	Schema []byte
	// Bound is the schema, bound as it is used.
	Bound *pschema.Package
	// Installed is the plugin; nil for a schema file.
	Installed *install.Installed
}

// Open installs a package where it is missing, and reads its schema.
func (p *Packages) Open(ctx context.Context, s Source) (*Package, diag.List) {
	if s.schemaFile() {
		return p.openFile(ctx, s)
	}
	installed, diags := p.install(ctx, s)
	if diags.HasErrors() {
		return nil, diags
	}
	schema, more := p.schema(ctx, s, installed)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	bound, more := p.bind(ctx, s.Text, schema)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	if d := checkParameterization(s, bound); d != nil {
		return nil, append(diags, d)
	}
	return &Package{Source: s, Schema: schema, Bound: bound, Installed: &installed}, diags
}

// openFile reads a schema that stands in a file, in JSON or YAML.
func (p *Packages) openFile(ctx context.Context, s Source) (*Package, diag.List) {
	if len(s.Args) > 0 {
		return nil, diag.List{argumentsForFile(s)}
	}
	data, err := os.ReadFile(p.absolute(s))
	if err != nil {
		return nil, diag.List{unreadableSchema(s.Text, err)}
	}
	if !json.Valid(data) {
		var tree any
		if err := yaml.Unmarshal(data, &tree); err != nil {
			return nil, diag.List{unreadableSchema(s.Text, err)}
		}
		if data, err = json.Marshal(tree); err != nil {
			return nil, diag.List{unreadableSchema(s.Text, err)}
		}
	}
	bound, diags := p.bind(ctx, s.Text, data)
	if diags.HasErrors() {
		return nil, diags
	}
	return &Package{Source: s, Schema: data, Bound: bound}, diags
}

func (p *Packages) bind(ctx context.Context, name string, schema []byte) (*pschema.Package, diag.List) {
	return pschema.Open(ctx, schema, pschema.Options{Filename: name, Loader: loader{p}})
}

// install makes sure of the plugin.
func (p *Packages) install(ctx context.Context, s Source) (install.Installed, diag.List) {
	d, diags := p.describe(s)
	if diags.HasErrors() {
		return install.Installed{}, diags
	}
	installed, more := p.opts.Installer.Install(ctx, install.Request{
		Descriptors: []plugin.Descriptor{d}, Project: p.opts.Project, Ambient: true,
	})
	diags = append(diags, more...)
	if diags.HasErrors() || len(installed) == 0 {
		return install.Installed{}, diags
	}
	return installed[0], diags
}

// wanted is the plugin that was installed, for the host.
func wanted(i install.Installed) host.Wanted {
	if i.Local != "" {
		return host.Wanted{Path: i.Path}
	}
	return host.Wanted{Name: i.Plugin.Name, Constraint: plugin.Exactly(i.Plugin.Version), Server: i.Plugin.Server}
}

// schema asks the plugin. What arguments lead to may change with the time of
// day (the newest version of something), so that only answers without them
// are kept here; a plugin may keep its own.
func (p *Packages) schema(ctx context.Context, s Source, i install.Installed) ([]byte, diag.List) {
	if len(s.Args) == 0 && i.Local == "" && i.Parameterization.IsZero() && i.Extension.IsZero() {
		return p.schemas.Schema(ctx, plugin.Descriptor{
			Kind: plugin.Resource, Source: i.Plugin.Name, Constraint: plugin.Exactly(i.Plugin.Version), Server: i.Plugin.Server,
		})
	}
	r, diags := p.start(ctx, i)
	if r == nil {
		return nil, diags
	}
	defer r.Close()
	schema, more := r.Schema(ctx)
	return schema, append(diags, more...)
}

// start runs the plugin, parameterized.
func (p *Packages) start(ctx context.Context, i install.Installed) (*host.Resource, diag.List) {
	return p.opts.Host.Resource(ctx, wanted(i), i.Parameterization, i.Extension)
}
