package source

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/archive"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/plugin"
)

// assetName is what an archive of a plugin is called everywhere.
func assetName(p plugin.Concrete, v semver.Version, platform plugin.Platform) string {
	return fmt.Sprintf("pulumi-%s-%s-v%s-%s-%s.tar.gz", p.Kind, p.Name, v, platform.OS, platform.Arch)
}

// offer is one way to an archive.
type offer struct {
	// from names the way for people.
	from string
	// locate finds the archive's URL.
	locate func(ctx context.Context) (string, error)
	// token goes to the host of the API, and to no other.
	token credential
	// accept is the media type to ask for; or "".
	accept string
}

// credential is the value of an Authorization header for one host.
type credential struct{ host, value string }

// with calls ask with the credential and, where it is refused, without: a
// token for some repositories is refused for others that are public.
func (c credential) with(ctx context.Context, ask func(context.Context) error) error {
	err := ask(fetch.WithAuthorization(ctx, c.host, c.value))
	if c.value == "" || !fetch.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden) || rateLimited(err) {
		return err
	}
	return ask(ctx)
}

func rateLimited(err error) bool {
	var status *fetch.StatusError
	return errors.As(err, &status) && status.RateLimited
}

// bringArchive fills a room from the first offer that has the archive.
func (s *Sources) bringArchive(ctx context.Context, p plugin.Concrete, v semver.Version, room Room, offers []offer) error {
	p.Version = v
	var tried failures
	for _, o := range offers {
		err := s.download(ctx, p, o, room)
		if err == nil {
			return s.openArchive(p, o.from, room.Download, room)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if isFinal(err) {
			return s.downloadFailed(p, append(tried, failure{o.from, err}))
		}
		tried = append(tried, failure{o.from, err})
	}
	return s.downloadFailed(p, tried)
}

// isFinal reports whether another offer cannot do better.
func isFinal(err error) bool {
	var disk *os.PathError
	return errors.Is(err, fetch.ErrOffline) || errors.As(err, &disk)
}

func (s *Sources) download(ctx context.Context, p plugin.Concrete, o offer, room Room) error {
	return o.token.with(ctx, func(ctx context.Context) error {
		address, err := o.locate(ctx)
		if err != nil {
			return err
		}
		if o.accept != "" {
			ctx = fetch.WithAccept(ctx, o.accept)
		}
		return fetch.Download{
			Client: s.client, URL: address, Path: room.Download, Sum: s.wanted(p),
			Label: fmt.Sprintf("%s %s", p.Name, p.Version),
		}.Run(ctx)
	})
}

// wanted is the SHA-256 that the archive should have, or "".
func (s *Sources) wanted(p plugin.Concrete) string {
	return hex.EncodeToString(p.Checksums[s.platform.String()])
}

// openArchive unpacks a whole archive. One that came by download goes away
// whatever becomes of it: nothing is to be gained by continuing it.
func (s *Sources) openArchive(p plugin.Concrete, from, path string, room Room) error {
	err := s.checkAndUnpack(p, from, path, room.Dir)
	if path == room.Download {
		fetch.Download{Path: path}.Discard()
	}
	return err
}

// CheckSum holds an archive of p for the current platform to p's checksums.
// The error is a diagnostic where it differs; where there is no checksum for
// the platform, nothing is held to it.
func CheckSum(p plugin.Concrete, path string) error {
	return checkSum(p, plugin.CurrentPlatform(), path, path)
}

func checkSum(p plugin.Concrete, platform plugin.Platform, from, path string) error {
	sum := p.Checksums[platform.String()]
	if len(sum) == 0 {
		return nil
	}
	want := hex.EncodeToString(sum)
	have, err := wholefile.SHA256(path)
	if err == nil && have != want {
		err = wrongChecksum(p, from, want, have)
	}
	return err
}

func (s *Sources) checkAndUnpack(p plugin.Concrete, from, path, dir string) error {
	if err := checkSum(p, s.platform, from, path); err != nil {
		return err
	}
	err := archive.UnpackTarGz(path, dir)
	var refused *archive.Refusal
	if errors.As(err, &refused) {
		return hostileArchive(p, from, refused.Reason)
	}
	return err
}
