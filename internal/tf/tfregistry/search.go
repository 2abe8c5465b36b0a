package tfregistry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
)

// search is one request being answered.
type search struct {
	r     *Registry
	req   Request
	notes diag.List
	// trail tells where was looked and what came of it.
	trail []looked
	// unreached holds a fault of the network, where there was one.
	unreached error
}

type looked struct{ where, result string }

func (s *search) saw(where, format string, args ...any) {
	s.trail = append(s.trail, looked{where, fmt.Sprintf(format, args...)})
}

// candidates asks every method that is for the provider; each version comes
// from the first that has it. A source that cannot be reached is noted and
// passed over, and any other fault ends the search.
func (s *search) candidates(ctx context.Context) (map[versions.Version]methodSource, error) {
	p := s.req.Provider
	found := map[versions.Version]methodSource{}
	for _, m := range s.r.methods {
		where := m.describe(p)
		if !m.handles(ctx, p) {
			s.saw(where, "not used for this provider")
			continue
		}
		if m.remote() && s.r.opts.Offline {
			s.saw(where, "not asked, since the network is not to be used")
			continue
		}
		list, notes, err := m.versions(ctx, p)
		s.notes = append(s.notes, notes...)
		switch {
		case errors.Is(err, errNoProvider):
			s.saw(where, "does not have it")
			continue
		case fetch.IsTransient(err):
			s.saw(where, "could not be reached: %s", err)
			s.unreached = err
			continue
		case err != nil:
			return nil, err
		}
		s.saw(where, "%s", describeVersions(list))
		for _, v := range list {
			if _, taken := found[v]; !taken {
				found[v] = m
			}
		}
	}
	return found, ctx.Err()
}

// keys lists the versions found, oldest first.
func keys(found map[versions.Version]methodSource) versions.List {
	list := make(versions.List, 0, len(found))
	for v := range found {
		list = append(list, v)
	}
	list.Sort()
	return list
}

// locateFailed says why a version that a source listed cannot be had there.
func (s *search) locateFailed(v versions.Version, m methodSource, err error) error {
	p, where := s.req.Provider, m.describe(s.req.Provider)
	switch {
	case errors.Is(err, errNoProvider):
		return unsupportedPlatform(p, v.String(), s.r.opts.Platform, where)
	case fetch.IsTransient(err):
		return unreachable(p, v.String(), where, err)
	}
	return err
}

// downloadFailed says why a package did not come.
func (s *search) downloadFailed(v versions.Version, o *offer, err error) error {
	var status *fetch.StatusError
	var disk *os.PathError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case fetch.IsTransient(err):
		return unreachable(s.req.Provider, v.String(), o.origin, err)
	case errors.As(err, &disk) && !errors.As(err, &status):
		return s.r.unwritable(s.r.opts.CacheDir, err)
	}
	return downloadRefused(s.req.Provider, v.String(), o.origin, err)
}

// describeVersions names the newest few of list.
func describeVersions(list versions.List) string {
	if len(list) == 0 {
		return "has no version of it"
	}
	sorted := slices.Clone(list)
	sorted.Sort()
	slices.Reverse(sorted)
	const shown = 5
	var texts []string
	for _, v := range sorted[:min(shown, len(sorted))] {
		texts = append(texts, v.String())
	}
	text := "has " + strings.Join(texts, ", ")
	if more := len(sorted) - shown; more > 0 {
		text += fmt.Sprintf(" and %d older", more)
	}
	return text
}
