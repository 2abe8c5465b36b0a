package tfregistry

import (
	"context"
	"errors"
	"net/url"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Client speaks HTTP for r, or does not where the network is not to be used.
func (r *Registry) Client() *fetch.Client { return r.client }

// ErrNoRegistry says that the CLI configuration has a provider come from
// mirrors alone, so that its registry is not to be asked about it.
var ErrNoRegistry = errors.New("the CLI configuration has the provider come from elsewhere than its registry")

// Endpoint is where the registry of p's own host answers about p by the
// provider registry protocol: "https://HOST/v1/providers/NAMESPACE/TYPE/". The
// context that it returns carries the token for that, if there is one. Errors
// are [ErrNoRegistry], [fetch.ErrOffline], faults of the network, and
// diagnostics.
func (r *Registry) Endpoint(ctx context.Context, p tfaddr.Provider) (context.Context, *url.URL, error) {
	if err := checkAddress(p); err != nil {
		return ctx, nil, err
	}
	if r.opts.Offline {
		return ctx, nil, fetch.ErrOffline
	}
	for _, m := range r.methods {
		d, ok := m.source.(*direct)
		if !ok || !m.handles(ctx, p) {
			continue
		}
		ctx, text, err := d.endpoint(ctx, p)
		if err != nil {
			return ctx, nil, err
		}
		base, err := url.Parse(text + "/")
		return ctx, base, err
	}
	return ctx, nil, ErrNoRegistry
}
