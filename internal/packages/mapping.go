package packages

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// Mapping asks a package's plugin how it relates to a provider of another
// ecosystem, such as "terraform". provider may be "" where the plugin has one.
func (p *Packages) Mapping(ctx context.Context, s Source, key, provider string) (host.Mapping, diag.List) {
	d, diags := p.describe(s)
	if diags.HasErrors() {
		return host.Mapping{}, diags
	}
	installed, more := p.install(ctx, d)
	diags = append(diags, more...)
	if diags.HasErrors() {
		return host.Mapping{}, diags
	}
	r, more := p.start(ctx, installed)
	if diags = append(diags, more...); r == nil {
		return host.Mapping{}, diags
	}
	defer r.Close()
	mapping, more := r.Mapping(ctx, key, provider)
	if diags = append(diags, more...); diags.HasErrors() {
		return host.Mapping{}, diags
	}
	if len(mapping.Data) == 0 {
		return host.Mapping{}, append(diags, noMapping(s.Text, key, provider))
	}
	return mapping, diags
}
