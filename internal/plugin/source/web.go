package source

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// web is a URL with an archive for each version below it.
type web struct {
	s *Sources
	p plugin.Concrete
	// server may hold ${NAME}, ${VERSION}, ${OS} and ${ARCH}.
	server string
}

func (s *Sources) newHTTP(p plugin.Concrete, server string) (*web, error) {
	w := &web{s, p, server}
	if _, err := w.locate(semver.Version{}); err != nil {
		return nil, invalidServer(w.String(), err)
	}
	return w, nil
}

// String is the URL without what may be secret in it.
func (w *web) String() string {
	u, err := url.Parse(placeholdersAside(w.server))
	if err != nil {
		return "a web server"
	}
	return fetch.CleanURL(u)
}

func (w *web) address() string { return w.server }

// errNoVersions is a place that cannot list what it has.
var errNoVersions = errors.New("it cannot be asked which versions it has")

func (w *web) newest(context.Context) (semver.Version, error) { return semver.Version{}, errNoVersions }

func (w *web) bring(ctx context.Context, v semver.Version, room Room) error {
	return w.s.bringArchive(ctx, w.p, v, room, []offer{{
		from:   w.String(),
		locate: func(context.Context) (string, error) { return w.locate(v) },
	}})
}

// locate is the URL of a version's archive. A query, which may be a
// signature, stays behind it.
func (w *web) locate(v semver.Version) (string, error) {
	server := strings.NewReplacer(
		"${NAME}", url.QueryEscape(w.p.Name), "${VERSION}", url.QueryEscape(v.String()),
		"${OS}", url.QueryEscape(w.s.platform.OS), "${ARCH}", url.QueryEscape(w.s.platform.Arch),
	).Replace(w.server)
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return "", errors.New("it is not a valid URL")
	}
	u.RawPath = strings.TrimSuffix(u.EscapedPath(), "/") + "/" + url.QueryEscape(assetName(w.p, v, w.s.platform))
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return "", errors.New("it is not a valid URL")
	}
	return u.String(), nil
}
