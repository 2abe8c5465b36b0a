package install

import (
	"fmt"
	"net/url"

	"github.com/formation-iac/formation/internal/base/diag"
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

// command is what installs a plugin by hand, for people to copy.
func command(p plugin.Concrete) string {
	name, server := p.Name, p.Server
	if git, err := plugin.ParseGit(server); plugin.IsGitServer(server) && err == nil {
		name, server = git.Server(), ""
	}
	text := fmt.Sprintf("formation plugin install %s %s %s --exact", p.Kind, name, p.Version)
	if u, err := url.Parse(server); err != nil || u.User != nil || u.RawQuery != "" {
		return text + " --server URL" // it may hold a secret
	}
	if server != "" {
		text += " --server " + server
	}
	return text
}
