package packages

import (
	"context"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// loader brings the packages that a schema refers to.
type loader struct{ packages *Packages }

// Load implements pschema.Loader.
func (l loader) Load(ctx context.Context, d pschema.DependencySpec) (*pschema.Package, error) {
	constraint := plugin.Any()
	if v, err := plugin.ParseVersion(d.Version); err == nil {
		constraint = plugin.Exactly(v)
	}
	descriptor := plugin.Descriptor{Kind: plugin.Resource, Source: d.Name, Constraint: constraint, Server: d.PluginDownloadURL}
	if made := d.Parameterization; made != nil {
		v, err := semver.Parse(made.Version)
		if err != nil {
			return nil, err
		}
		descriptor.Parameterization.Value = &plugin.Parameter{Name: made.Name, Version: v, Value: made.Value}
	}
	schema, diags := l.packages.Schema(ctx, descriptor)
	if diags.HasErrors() {
		return nil, diags.Err()
	}
	pkg, diags := l.packages.bind(ctx, d.Name, schema)
	return pkg, diags.Err()
}
