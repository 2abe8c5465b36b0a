package source

import (
	"context"
	"net/url"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
)

// pulumiDownloads is where Pulumi published before it used GitHub's releases.
const pulumiDownloads = "https://get.pulumi.com/releases/plugins"

// fallback is where plugins come from that name no server.
type fallback struct {
	*github
	downloads place
}

func (s *Sources) newFallback(p plugin.Concrete) (*fallback, error) {
	u, err := url.Parse(pulumiReleases)
	if err != nil {
		return nil, err
	}
	releases, err := s.newGitHub(p, u)
	if err != nil {
		return nil, err
	}
	server := pulumiDownloads
	if elsewhere, ok := redirect(s.overrides, server); ok {
		server = elsewhere
	}
	downloads, err := s.namedPlace(p, server)
	return &fallback{releases, downloads}, err
}

func (f *fallback) bring(ctx context.Context, v semver.Version, room Room) error {
	offers := f.offers(v)
	if older, ok := f.downloads.(*web); ok {
		offers = append(offers, offer{from: older.String(), locate: func(context.Context) (string, error) { return older.locate(v) }})
		return f.s.bringArchive(ctx, f.p, v, room, offers)
	}
	if err := f.s.bringArchive(ctx, f.p, v, room, offers); err == nil || ctx.Err() != nil {
		return err
	}
	return f.downloads.bring(ctx, v, room)
}
