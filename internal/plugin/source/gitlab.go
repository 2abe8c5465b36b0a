package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// gitlab has plugins as downloads of releases, tagged v<version>.
type gitlab struct {
	s             *Sources
	p             plugin.Concrete
	host, project string
}

func (s *Sources) newGitLab(p plugin.Concrete, u *url.URL) (*gitlab, error) {
	project := strings.Trim(u.Path, "/")
	if u.Host == "" || project == "" || strings.Contains(project, "/") {
		return nil, invalidServer(fetch.CleanURL(u), errors.New("it is not of the form gitlab://host/project, where the project is a number"))
	}
	return &gitlab{s, p, u.Host, project}, nil
}

func (g *gitlab) String() string { return "the releases of project " + g.project + " on " + g.host }

func (g *gitlab) address() string { return fmt.Sprintf("gitlab://%s/%s", g.host, g.project) }

func (g *gitlab) token() credential {
	token := g.s.env("GITLAB_TOKEN")
	if token != "" {
		token = "Bearer " + token
	}
	return credential{g.host, token}
}

func (g *gitlab) endpoint(rest string) string {
	return fmt.Sprintf("https://%s/api/v4/projects/%s/releases/%s", g.host, url.PathEscape(g.project), rest)
}

func (g *gitlab) newest(ctx context.Context) (semver.Version, error) {
	var release struct {
		Tag string `json:"tag_name"`
	}
	err := g.token().with(fetch.WithAccept(ctx, jsonMedia), func(ctx context.Context) error {
		_, err := g.s.client.GetJSON(ctx, g.endpoint("permalink/latest"), &release)
		return err
	})
	if err != nil {
		return semver.Version{}, err
	}
	return releasedVersion(release.Tag)
}

func (g *gitlab) bring(ctx context.Context, v semver.Version, room Room) error {
	asset := assetName(g.p, v, g.s.platform)
	return g.s.bringArchive(ctx, g.p, v, room, []offer{{
		from: g.String(), token: g.token(), accept: binaryMedia,
		locate: func(context.Context) (string, error) {
			return g.endpoint(fmt.Sprintf("v%s/downloads/%s", url.PathEscape(v.String()), url.PathEscape(asset))), nil
		},
	}})
}
