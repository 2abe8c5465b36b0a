package broker

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Resolver finds out which plugin a package comes from. It is used
// concurrently.
type Resolver interface {
	ResolvePackage(ctx context.Context, spec project.PackageSpec) (Resolved, diag.List)
}

// Resolved is a plugin, and what makes the package of it.
type Resolved struct {
	Plugin plugin.Concrete
	// Parameterization and Extension are nil where there is none.
	Parameterization, Extension *plugin.Parameter
}

type resolver struct {
	pulumirpc.UnimplementedPackageResolverServer
	resolver Resolver
	verdict  *verdict
}

// ResolvePackage answers with a package's plugin.
func (r *resolver) ResolvePackage(ctx context.Context, req *pulumirpc.PackageSpec) (*pulumirpc.PackageDependency, error) {
	resolved, diags := r.resolver.ResolvePackage(ctx, project.PackageSpec{
		Source: req.GetSource(), Version: req.GetVersion(), Parameters: req.GetParameters(),
		Checksums: req.GetChecksums(), PluginDownloadURL: req.GetServer(),
	})
	if err := r.verdict.over(ctx, diags); err != nil {
		return nil, err
	}
	p := resolved.Plugin
	return &pulumirpc.PackageDependency{
		Name: p.Name, Kind: string(p.Kind), Version: p.Version.String(), Server: p.Server, Checksums: p.Checksums,
		Parameterization: packageParameterization(resolved.Parameterization), Extension: packageParameterization(resolved.Extension),
	}, nil
}

func packageParameterization(p *plugin.Parameter) *pulumirpc.PackageParameterization {
	if p == nil {
		return nil
	}
	return &pulumirpc.PackageParameterization{Name: p.Name, Version: p.Version.String(), Value: p.Value}
}
