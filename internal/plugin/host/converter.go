package host

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Converter is a converter plugin that runs.
type Converter struct {
	*Instance
	Client pulumirpc.ConverterClient
}

// Converter starts a converter plugin, where the user is.
func (h *Host) Converter(ctx context.Context, w Wanted) (*Converter, diag.List) {
	found, diags := h.opts.Finder.Find(plugin.Converter, w)
	if diags.HasErrors() {
		return nil, diags
	}
	i, more := h.start(ctx, found, contract{dir: h.opts.WorkDir, greet: alive})
	if diags = append(diags, more...); i == nil {
		return nil, diags
	}
	return &Converter{i, pulumirpc.NewConverterClient(i.conn)}, diags
}
