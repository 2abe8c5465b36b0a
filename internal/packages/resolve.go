package packages

import (
	"context"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

var (
	_ broker.Schemas  = (*Packages)(nil)
	_ broker.Resolver = (*Packages)(nil)
	_ install.Linker  = (*Packages)(nil)
)

// Schema implements [broker.Schemas]. Nobody asked for an installation here,
// so that the user may have forbidden it.
func (p *Packages) Schema(ctx context.Context, d plugin.Descriptor) (string, diag.List) {
	if schema := p.told.of(d); schema != "" {
		return schema, nil
	}
	installed, diags := p.opts.Installer.Install(ctx, install.Request{
		Descriptors: []plugin.Descriptor{d}, Project: p.opts.Project, Ambient: true, Automatic: true,
	})
	if diags.HasErrors() || len(installed) == 0 {
		return "", diags
	}
	schema, more := p.schema(ctx, installed[0])
	return schema, append(diags, more...)
}

// ResolvePackage implements [broker.Resolver]. Arguments have a value only
// once the plugin was asked, so it is installed and run for these.
func (p *Packages) ResolvePackage(ctx context.Context, spec project.PackageSpec) (broker.Resolved, diag.List) {
	d, diags := install.DescribePackage(project.Package{PackageSpec: spec})
	if diags.HasErrors() {
		return broker.Resolved{}, diags
	}
	if d.Parameterization.IsZero() && d.Extension.IsZero() {
		resolution, more := p.opts.Installer.Resolve(ctx, d, p.opts.Project)
		return broker.Resolved{Plugin: resolution.Plugin, Parameterization: resolution.Parameterization.Value}, append(diags, more...)
	}
	pkg, more := p.openDescriptor(ctx, Source{Text: spec.Source, Args: spec.Parameters}, d)
	if diags = append(diags, more...); diags.HasErrors() {
		return broker.Resolved{}, diags
	}
	out, err := pkg.resolved()
	return out, append(diags, diag.FromError("PG0018", "Cannot resolve package "+spec.Source, err)...)
}

// resolved is the package as its schema says that it is made.
func (pkg *Package) resolved() (broker.Resolved, error) {
	h := pkg.Bound.Header
	out := broker.Resolved{Plugin: pkg.Installed.Plugin}
	out.Plugin.Kind = plugin.Resource
	version, err := semver.Parse(pkg.Bound.Version())
	if err != nil {
		return out, err
	}
	made := &plugin.Parameter{Name: pkg.Bound.Name(), Version: version}
	base := ""
	switch {
	case h.Parameterization != nil:
		out.Plugin.Name, base = h.Parameterization.BaseProvider.Name, h.Parameterization.BaseProvider.Version
		made.Value, out.Parameterization = h.Parameterization.Parameter, made
	case h.ExtensionParameterization != nil:
		out.Plugin.Name, base = h.ExtensionParameterization.BaseProvider.Name, h.ExtensionParameterization.BaseProvider.Version
		made.Value, out.Extension = h.ExtensionParameterization.Parameter, made
	default:
		return out, nil
	}
	out.Plugin.Version, err = semver.Parse(base)
	return out, err
}
