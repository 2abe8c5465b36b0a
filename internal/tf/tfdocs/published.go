package tfdocs

import (
	"context"
	"net/http"
	"net/url"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// Published is the pages that a provider's registry has about a version. Which
// registry that is and whether it may be asked, the CLI configuration says; the
// tokens for it are sent.
func Published(registry *tfregistry.Registry, p tfaddr.Provider, version string) Source {
	return &published{registry, p, version}
}

type published struct {
	registry *tfregistry.Registry
	provider tfaddr.Provider
	version  string
}

// openTofuRegistry is the registry whose documentation is elsewhere.
const openTofuRegistry = "registry.opentofu.org"

// api finds who answers, and the context for asking.
func (s *published) api(ctx context.Context) (context.Context, Source, error) {
	ctx, base, err := s.registry.Endpoint(ctx, s.provider)
	if err != nil {
		return ctx, nil, err
	}
	if base.Host == openTofuRegistry {
		return ctx, newOpenTofu(s.registry.Client(), s.provider, s.version), nil
	}
	return ctx, &terraform{s.registry.Client(), base, s.version}, nil
}

func (s *published) Index(ctx context.Context) ([]Entry, error) {
	ctx, api, err := s.api(ctx)
	if err != nil {
		return nil, err
	}
	return api.Index(ctx)
}

func (s *published) Page(ctx context.Context, e Entry) (string, error) {
	ctx, api, err := s.api(ctx)
	if err != nil {
		return "", err
	}
	return api.Page(ctx, e)
}

// notThere reports whether a registry says that there is no such thing.
func notThere(err error) bool {
	return fetch.HasStatus(err, http.StatusNotFound, http.StatusGone)
}

// below is an address below another one, whose path ends with a slash.
func below(base *url.URL, parts ...string) string { return base.JoinPath(parts...).String() }
