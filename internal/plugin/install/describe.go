package install

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/blang/semver/v4"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/shell"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// DescribePackage makes a descriptor of an entry of `packages`. The version
// named there is the only one that will do.
func DescribePackage(p project.Package) (plugin.Descriptor, diag.List) {
	d, diags := source.Describe(p.Source, source.Wish{
		Kind: plugin.Resource, Version: p.Version, Exact: p.Version != "", Server: p.PluginDownloadURL,
		Checksums: p.Checksums, Parameters: p.Parameters, Extensions: p.Extensions,
	})
	for _, d := range diags {
		d.Subject = &p.Range
	}
	return d, diags
}

// DescribeProvider makes a descriptor of a provider in a stack's state. One
// whose version cannot be read is content with any.
func DescribeProvider(s project.ProviderState) plugin.Descriptor {
	d := plugin.Descriptor{Kind: plugin.Resource, Source: s.Plugin, Server: s.DownloadURL, Checksums: s.Checksums}
	if plugin.IsGitServer(s.DownloadURL) {
		d.Source, d.Server = s.DownloadURL, ""
	}
	if v, err := plugin.ParseVersion(s.Version); err == nil {
		d.Constraint = plugin.Exactly(v)
	}
	if p := s.Parameterization; p != nil {
		if v, err := plugin.ParseVersion(p.Version); err == nil {
			d.Parameterization.Value = &plugin.Parameter{Name: p.Name, Version: v, Value: p.Value}
		}
	}
	return d
}

// installation is the command that installs a plugin by hand, for people to
// copy.
func installation(p plugin.Concrete) string {
	if p.Server == "" && isOwn(p) {
		return shipCommand(p)
	}
	if filepath.IsAbs(p.Server) {
		return fmt.Sprintf("formation plugin install %s %s %s --file %s", p.Kind, p.Name, p.Version, shell.Word(p.Server))
	}
	d := plugin.Descriptor{Kind: p.Kind, Source: p.Name, Constraint: plugin.Exactly(p.Version), Server: p.Server}
	if plugin.IsGitServer(p.Server) {
		d.Source, d.Server = p.Server, ""
	}
	return getting(d)
}

// getting is the command that installs a plugin which meets a descriptor.
func getting(d plugin.Descriptor) string {
	name := d.Source
	if git, err := plugin.ParseGit(name); err == nil && plugin.IsGitServer(name) {
		name = git.Server() // without what may be secret
	}
	text := fmt.Sprintf("formation plugin install %s %s", d.Kind, name)
	if v, ok := d.Constraint.Version(); ok {
		text += " " + v.String()
	}
	if d.Constraint.IsExact() {
		text += " --exact"
	}
	if d.Server != "" {
		text += " --server " + shell.Word(publicURL(d.Server))
	}
	if sum := d.Checksums[plugin.CurrentPlatform().String()]; sum != nil {
		text += " --checksum " + hex.EncodeToString(sum)
	}
	return text
}

// shipCommand is what puts a plugin of ours into the cache.
func shipCommand(p plugin.Concrete) string {
	return fmt.Sprintf("formation plugin install --own %s %s %s", p.Kind, p.Name, p.Version)
}

// DescribeDependency makes a descriptor of a package that a program has an SDK
// for. The version named there is the only one that will do.
func DescribeDependency(d *pulumirpc.PackageDependency) (plugin.Descriptor, diag.List) {
	out := plugin.Descriptor{Kind: plugin.Kind(cmp.Or(d.GetKind(), string(plugin.Resource))), Source: d.GetName(), Server: d.GetServer(), Checksums: d.GetChecksums()}
	if plugin.IsGitServer(out.Server) {
		out.Source, out.Server = out.Server, ""
	}
	var diags diag.List
	version := func(text string) (v semver.Version) {
		v, err := plugin.ParseVersion(text)
		if err != nil {
			diags = append(diags, unusableDependency(d.GetName(), err))
		}
		return v
	}
	parameter := func(p *pulumirpc.PackageParameterization) plugin.Parameterization {
		if p == nil {
			return plugin.Parameterization{}
		}
		return plugin.Parameterization{Value: &plugin.Parameter{Name: p.GetName(), Version: version(p.GetVersion()), Value: p.GetValue()}}
	}
	if _, ok := plugin.ParseKind(string(out.Kind)); !ok {
		diags = append(diags, unusableDependency(d.GetName(), fmt.Errorf("there is no kind %q of plugins", out.Kind)))
	}
	if d.GetVersion() != "" {
		out.Constraint = plugin.Exactly(version(d.GetVersion()))
	}
	out.Parameterization, out.Extension = parameter(d.GetParameterization()), parameter(d.GetExtension())
	return out, diags
}

// DescribeSpec makes a descriptor of a package that a program names itself.
// The version named there is the only one that will do.
func DescribeSpec(s *pulumirpc.PackageSpec) (plugin.Descriptor, diag.List) {
	return source.Describe(s.GetSource(), source.Wish{
		Kind: plugin.Resource, Version: s.GetVersion(), Exact: s.GetVersion() != "", Server: s.GetServer(),
		Checksums: s.GetChecksums(), Parameters: s.GetParameters(),
	})
}
