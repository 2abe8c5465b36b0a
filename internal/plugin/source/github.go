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

// github has plugins as assets of releases, tagged v<version>.
type github struct {
	s               *Sources
	p               plugin.Concrete
	host, org, repo string
}

const (
	githubAPI   = "api.github.com"
	binaryMedia = "application/octet-stream"
	jsonMedia   = "application/json"
)

func (s *Sources) newGitHub(p plugin.Concrete, u *url.URL) (*github, error) {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if u.Host == "" || parts[0] == "" || len(parts) > 2 {
		return nil, invalidServer(fetch.CleanURL(u), errors.New("it is not of the form github://api.github.com/org[/repository]"))
	}
	g := &github{s: s, p: p, host: u.Host, org: parts[0], repo: usualRepository(p)}
	if len(parts) == 2 {
		g.repo = parts[1]
	}
	return g, nil
}

// usualRepository is the repository of a plugin that none is named for.
func usualRepository(p plugin.Concrete) string {
	switch p.Kind {
	case plugin.Converter:
		// These two are published with the language of the same name.
		if p.Name != "yaml" && p.Name != "hcl" {
			return "pulumi-converter-" + p.Name
		}
	case plugin.Tool:
		if !strings.HasPrefix(p.Name, "pulumi-tool-") {
			return "pulumi-tool-" + p.Name
		}
	}
	return "pulumi-" + p.Name
}

func (g *github) String() string {
	return fmt.Sprintf("the releases of %s/%s/%s", strings.TrimPrefix(g.host, "api."), g.org, g.repo)
}

func (g *github) address() string { return fmt.Sprintf("github://%s/%s/%s", g.host, g.org, g.repo) }

func (g *github) token() credential {
	token := g.s.env("GITHUB_TOKEN")
	if token != "" {
		token = "token " + token
	}
	return credential{g.host, token}
}

// endpoint is a URL of the repository's API.
func (g *github) endpoint(parts ...string) string {
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return fmt.Sprintf("https://%s/repos/%s/%s/%s", g.host, url.PathEscape(g.org), url.PathEscape(g.repo), strings.Join(parts, "/"))
}

func (g *github) newest(ctx context.Context) (semver.Version, error) {
	var release struct {
		Tag string `json:"tag_name"`
	}
	err := g.token().with(fetch.WithAccept(ctx, jsonMedia), func(ctx context.Context) error {
		_, err := g.s.client.GetJSON(ctx, g.endpoint("releases", "latest"), &release)
		return err
	})
	if err != nil {
		return semver.Version{}, err
	}
	return releasedVersion(release.Tag)
}

// releasedVersion reads the tag of a release.
func releasedVersion(tag string) (semver.Version, error) {
	v, err := plugin.ParseVersion(tag)
	if err != nil {
		err = fmt.Errorf("its newest release is tagged %q, which is no version", tag)
	}
	return v, err
}

func (g *github) bring(ctx context.Context, v semver.Version, room Room) error {
	return g.s.bringArchive(ctx, g.p, v, room, g.offers(v))
}

func (g *github) offers(v semver.Version) []offer {
	asset := assetName(g.p, v, g.s.platform)
	byAPI := offer{from: g.String(), token: g.token(), accept: binaryMedia, locate: func(ctx context.Context) (string, error) {
		return g.findAsset(ctx, v, asset)
	}}
	if g.host != githubAPI || g.org != "pulumi" {
		return []offer{byAPI}
	}
	// Where an asset of Pulumi's own plugins is can be told without the API,
	// which limits how often it is asked.
	direct := offer{from: g.String(), accept: binaryMedia, locate: func(context.Context) (string, error) {
		return fmt.Sprintf("https://github.com/%s/%s/releases/download/v%s/%s",
			g.org, g.repo, url.PathEscape(v.String()), url.PathEscape(asset)), nil
	}}
	return []offer{direct, byAPI}
}

// release is a release in GitHub's API.
type release struct {
	Assets []struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"assets"`
}

func (g *github) findAsset(ctx context.Context, v semver.Version, name string) (string, error) {
	var found release
	if _, err := g.s.client.GetJSON(fetch.WithAccept(ctx, jsonMedia), g.endpoint("releases", "tags", "v"+v.String()), &found); err != nil {
		return "", err
	}
	var names []string
	for _, asset := range found.Assets {
		if asset.Name == name {
			return asset.URL, nil
		}
		names = append(names, asset.Name)
	}
	return "", &noAsset{name, names}
}

// noAsset is a release that lacks the archive asked for.
type noAsset struct {
	name string
	have []string
}

func (e *noAsset) Error() string {
	return fmt.Sprintf("that version is there, but without %s", e.name)
}
