package packages

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/bigtext"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Package is a package whose schema is known, or what its source selects of
// it.
type Package struct {
	Source Source
	// Schema is the text that the plugin gave, as JSON.
	Schema string
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
	d, diags := p.describe(s)
	if diags.HasErrors() {
		return nil, diags
	}
	pkg, more := p.openDescriptor(ctx, s, d)
	return pkg, append(diags, more...)
}

// openDescriptor opens the package that s was written for.
func (p *Packages) openDescriptor(ctx context.Context, s Source, d plugin.Descriptor) (*Package, diag.List) {
	installed, diags := p.install(ctx, d)
	if diags.HasErrors() {
		return nil, diags
	}
	pkg, more := p.openInstalled(ctx, s, installed)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return pkg, append(diags, checkParameterization(s, pkg.Bound)...)
}

// openInstalled reads the schema of a package that is installed.
func (p *Packages) openInstalled(ctx context.Context, s Source, i install.Installed) (*Package, diag.List) {
	own, diags := p.ownSchema(ctx, i)
	if diags.HasErrors() {
		return nil, diags
	}
	pkg, more := p.accept(ctx, s, i, own)
	return pkg, append(diags, more...)
}

// accept reads the schema that a plugin gave.
func (p *Packages) accept(ctx context.Context, s Source, i install.Installed, own string) (*Package, diag.List) {
	schema, diags := originated(own, i)
	if diags.HasErrors() {
		return nil, diags
	}
	pkg, more := p.read(ctx, s, schema)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	pkg.Installed = &i
	return pkg, diags
}

// openFile reads a schema that stands in a file, in JSON or YAML.
func (p *Packages) openFile(ctx context.Context, s Source) (*Package, diag.List) {
	if len(s.Args) > 0 {
		return nil, diag.List{argumentsForFile(s)}
	}
	text, err := readText(p.absolute(s))
	if err != nil {
		return nil, diag.List{unreadableSchema(s.Text, err)}
	}
	if strings.EqualFold(filepath.Ext(s.Text), ".json") || json.Valid([]byte(text)) {
		return p.read(ctx, s, text) // which says where it is no JSON
	}
	var tree any
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		return nil, diag.List{unreadableSchema(s.Text, err)}
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return nil, diag.List{unreadableSchema(s.Text, err)}
	}
	return p.read(ctx, s, string(data))
}

// readText reads a file that may be large.
func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return bigtext.Read(f, info.Size())
}

// read opens a schema's text, and takes of it what s selects.
func (p *Packages) read(ctx context.Context, s Source, schema string) (*Package, diag.List) {
	bound, diags := p.bind(ctx, s.Text, schema)
	if diags.HasErrors() || s.Selection.IsZero() {
		return &Package{Source: s, Schema: schema, Bound: bound}, diags
	}
	subset, more := bound.Subset(s.Selection)
	for _, d := range more {
		d.Subject = s.SelectedAt
	}
	if more.HasErrors() {
		return nil, append(diags, more...)
	}
	return &Package{Source: s, Schema: string(subset.Text()), Bound: subset}, append(diags, more...)
}

func (p *Packages) bind(ctx context.Context, name, schema string) (*pschema.Package, diag.List) {
	return pschema.Open(ctx, schema, pschema.Options{Filename: name, Loader: loader{p}})
}

// install makes sure of the plugin. One that a debugger holds is there.
func (p *Packages) install(ctx context.Context, d plugin.Descriptor) (install.Installed, diag.List) {
	if found, _ := p.opts.Host.Finder().Find(plugin.Resource, host.Wanted{Name: d.Source}); found.Origin == host.Attached {
		return install.Installed{Descriptor: d, Resolution: install.Resolution{
			Plugin:           plugin.Concrete{Kind: d.Kind, Name: d.Source},
			Parameterization: d.Parameterization, Extension: d.Extension,
		}}, nil
	}
	installed, diags := p.opts.Installer.Install(ctx, install.Request{
		Descriptors: []plugin.Descriptor{d}, Project: p.opts.Project, Ambient: true,
	})
	if diags.HasErrors() || len(installed) == 0 {
		return install.Installed{}, p.likelyMeant(d, diags)
	}
	return installed[0], diags
}

// likelyMeant adds to an error which plugin on this machine has almost the
// name that is not to be had.
func (p *Packages) likelyMeant(d plugin.Descriptor, diags diag.List) diag.List {
	names := []string{"terraform-bridge", "terraform-provider"}
	entries, err := p.opts.Host.Finder().Cache.Entries()
	if err != nil {
		entries = nil // which is said elsewhere
	}
	for _, e := range entries {
		if e.Kind == plugin.Resource {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	if hint := suggest.DidYouMean(d.Source, slices.Compact(names)); hint != "" && !slices.Contains(names, d.Source) {
		return append(diags, misspelt(d.Source, hint))
	}
	return diags
}

// named is an installed plugin as the host finds it again; ok is false for one
// that only its path leads to. One in the cache that is complete, but for
// plugins that it needs beside, is no installed one to the host yet.
func (p *Packages) named(i install.Installed) (d plugin.Descriptor, ok bool) {
	d = plugin.Descriptor{Kind: plugin.Resource, Parameterization: i.Parameterization, Extension: i.Extension}
	if i.Local == "" {
		d.Source, d.Constraint, d.Server = i.Plugin.Name, plugin.Exactly(i.Plugin.Version), i.Plugin.Server
		state, err := p.opts.Host.Finder().Cache.State(i.Plugin)
		return d, err != nil || state != plugin.Present
	}
	d.Source, d.Constraint = path.Base(i.Descriptor.Source), i.Descriptor.Constraint
	return d, i.AsIs
}

// schema asks the plugin, and adds where that comes from.
func (p *Packages) schema(ctx context.Context, i install.Installed) (string, diag.List) {
	own, diags := p.ownSchema(ctx, i)
	if diags.HasErrors() {
		return "", diags
	}
	schema, more := originated(own, i)
	return schema, append(diags, more...)
}

// originated is the schema that a plugin gave, with where that comes from.
func originated(own string, i install.Installed) (string, diag.List) {
	schema, err := withOrigin(own, i)
	if err != nil {
		return "", diag.List{unreadableSchema(i.Plugin.String(), err)}
	}
	return schema, nil
}

// ownSchema is the schema as the plugin gives it. What arguments lead to may
// change with the time of day (the newest version of something), so that only
// answers without them are kept here; a plugin may keep its own.
func (p *Packages) ownSchema(ctx context.Context, i install.Installed) (string, diag.List) {
	if d, ok := p.named(i); ok {
		return p.schemas.Schema(ctx, d)
	}
	r, diags := p.start(ctx, i)
	if r == nil {
		return "", diags
	}
	defer r.Close()
	schema, more := r.Schema(ctx)
	return schema, append(diags, more...)
}

// start runs the plugin, parameterized.
func (p *Packages) start(ctx context.Context, i install.Installed) (*host.Resource, diag.List) {
	wanted := host.Wanted{Path: i.Path}
	if d, ok := p.named(i); ok {
		wanted = host.Wanted{Name: d.Source, Constraint: d.Constraint, Server: d.Server}
	}
	return p.opts.Host.Resource(ctx, wanted, i.Parameterization, i.Extension)
}
