package tfregistry

import (
	"context"
	"errors"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Ensure returns the provider asked for, installing it where it is not on
// this machine yet. It is idempotent. With a constraint that several versions
// may meet, the sources are asked each time for the newest; the cache answers
// alone for an exact version, and, with a warning, where a source cannot be
// reached. Diagnostics may hold warnings beside a result; on errors the
// result is zero.
func (r *Registry) Ensure(ctx context.Context, req Request) (Installed, diag.List) {
	s := &search{r: r, req: req}
	got, err := s.ensure(ctx)
	if err != nil {
		return Installed{}, append(s.notes, asDiagnostics(err)...)
	}
	return got, s.notes
}

// Versions lists the versions that the sources have of p, oldest first.
func (r *Registry) Versions(ctx context.Context, p tfaddr.Provider) ([]string, diag.List) {
	s := &search{r: r, req: Request{Provider: p}}
	if err := checkAddress(p); err != nil {
		return nil, asDiagnostics(err)
	}
	found, err := s.candidates(ctx)
	if err != nil {
		return nil, append(s.notes, asDiagnostics(err)...)
	}
	list := keys(found)
	if len(list) == 0 {
		return nil, append(s.notes, s.notFound(""))
	}
	if s.unreached != nil {
		s.notes = append(s.notes, sourceUnreached(p, list[len(list)-1].String(), s.unreached))
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.String()
	}
	return out, s.notes
}

func (s *search) ensure(ctx context.Context) (Installed, error) {
	p := s.req.Provider
	if s.req.LocalPath != "" {
		return s.r.useLocal(s.req)
	}
	if err := checkAddress(p); err != nil {
		return Installed{}, err
	}
	c, err := parseConstraint(s.req.Constraint) // a typo is one also where an override makes it idle
	if err != nil {
		return Installed{}, err
	}
	if install := s.r.opts.CLIConfig.Installation; install != nil {
		if place, ok := install.DevOverrides[p]; ok {
			s.notes = append(s.notes, overrideInUse(p, place))
			return s.r.useOverride(p, place)
		}
	}
	if p.Host == "terraform.io" && p.Namespace == "builtin" {
		return Installed{}, builtinProvider(p)
	}
	if c.exact != nil {
		got, done, err := s.ensureExact(ctx, *c.exact)
		if done || err != nil {
			return got, err
		}
	}
	return s.ensureNewest(ctx, c)
}

// checkAddress refuses an address that ParseProvider would not have made: its
// parts become directories and URLs.
func checkAddress(p tfaddr.Provider) error {
	parsed, err := tfaddr.ParseProvider(p.String())
	if err == nil && parsed != p {
		err = errors.New("it is not in its normal form, " + parsed.String())
	}
	if err != nil {
		return invalidSource(p.String(), err)
	}
	return nil
}

// ensureExact answers without asking a registry what there is: the methods
// are walked in order, and the first remote one is where the cache stands.
// done is false where the sources have to be asked.
func (s *search) ensureExact(ctx context.Context, v versions.Version) (got Installed, done bool, err error) {
	p := s.req.Provider
	for _, m := range s.r.methods {
		if !m.handles(ctx, p) {
			continue
		}
		if m.remote() {
			break
		}
		o, err := m.locate(ctx, p, v)
		if errors.Is(err, errNoProvider) {
			continue
		}
		if err != nil {
			return got, true, err
		}
		got, err := s.install(ctx, v, o)
		return got, true, err
	}
	got, ok := s.r.cached(p, v)
	return got, ok && meets(s.req.Hashes, got.checked), nil
}

func (s *search) ensureNewest(ctx context.Context, c constraint) (Installed, error) {
	found, err := s.candidates(ctx)
	if err != nil {
		return Installed{}, err
	}
	fromSources, inSources := c.newest(keys(found))
	if s.unreached != nil || s.r.opts.Offline {
		if got, ok := s.fallBack(c, fromSources, inSources); ok {
			return got, nil
		}
	}
	if !inSources {
		return Installed{}, s.notFound(c.text)
	}
	if got, ok := s.r.cached(s.req.Provider, fromSources); ok && found[fromSources].remote() && meets(s.req.Hashes, got.checked) {
		return got, nil
	}
	o, err := found[fromSources].locate(ctx, s.req.Provider, fromSources)
	if err != nil {
		return Installed{}, s.locateFailed(fromSources, found[fromSources], err)
	}
	return s.install(ctx, fromSources, o)
}

// fallBack takes the newest cached version where the network cannot say more
// and no source within reach has a newer one.
func (s *search) fallBack(c constraint, best versions.Version, have bool) (Installed, bool) {
	list := s.r.cachedVersions(s.req.Provider)
	s.saw("cache "+s.r.opts.CacheDir, "%s", describeVersions(list))
	v, ok := c.newest(list)
	if !ok || have && !v.GreaterThan(best) {
		if have && s.unreached != nil {
			s.notes = append(s.notes, sourceUnreached(s.req.Provider, best.String(), s.unreached))
		}
		return Installed{}, false
	}
	got, ok := s.r.cached(s.req.Provider, v)
	if !ok || !meets(s.req.Hashes, got.checked) {
		s.saw("cache "+s.r.opts.CacheDir, "version %s is damaged or does not match the locked hashes", v)
		return Installed{}, false
	}
	if s.unreached != nil {
		s.notes = append(s.notes, cacheFallback(s.req.Provider, v.String(), s.unreached))
	}
	return got, true
}
