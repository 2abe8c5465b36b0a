package source

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// Options configures [Sources]. The zero value is usable.
type Options struct {
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
	// Environ is what the git program gets; nil means os.Environ().
	Environ []string
	// Transport carries HTTP requests; nil means one with the system's trust
	// and proxies.
	Transport http.RoundTripper
	// Offline forbids every network access.
	Offline bool
	Clock   fetch.Clock
	// UserAgent is sent with every request; "" means "formation".
	UserAgent string
	// Platform to fetch for; zero means [plugin.CurrentPlatform].
	Platform plugin.Platform
}

// Sources knows every place that plugins come from. Its methods may be called
// concurrently.
type Sources struct {
	env       func(string) string
	environ   []string
	offline   bool
	platform  plugin.Platform
	client    *fetch.Client
	clock     fetch.Clock
	overrides []override
}

// New prepares the sources. It touches neither network nor disk. Errors are
// those of the variables that it reads.
func New(opts Options) (*Sources, diag.List) {
	if opts.Env == nil {
		opts.Env = os.Getenv
	}
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	if opts.Platform == (plugin.Platform{}) {
		opts.Platform = plugin.CurrentPlatform()
	}
	overrides, err := parseOverrides(opts.Env(overridesVariable))
	if err != nil {
		return nil, diag.List{invalidOverrides(err)}
	}
	return &Sources{
		env: opts.Env, environ: opts.Environ, offline: opts.Offline, platform: opts.Platform, overrides: overrides,
		clock: opts.Clock.WithDefaults(),
		client: fetch.New(fetch.Options{
			Transport: opts.Transport, Offline: opts.Offline, Clock: opts.Clock, UserAgent: opts.UserAgent,
			Attempts: attempts, FirstWait: firstWait,
		}),
	}, nil
}

// How often a request is made, and how long before the second time.
const (
	attempts  = 5
	firstWait = 80 * time.Millisecond
)

// Client is what the sources speak HTTP with, for a registry beside them.
func (s *Sources) Client() *fetch.Client { return s.client }

// Room is where a plugin's files go. The caller keeps others away from both.
type Room struct {
	// Dir is an empty directory.
	Dir string
	// Download is a file for what has come of an archive. It is kept where a
	// download breaks, so that the next can go on, and removed otherwise.
	Download string
}

// place is somewhere a plugin comes from, prepared for that plugin.
type place interface {
	// String names the place for people.
	fmt.Stringer
	// address is the place as a server's URL, which overrides match.
	address() string
	// newest asks for the newest version.
	newest(ctx context.Context) (semver.Version, error)
	// bring fills a room with one version.
	bring(ctx context.Context, v semver.Version, room Room) error
}

// Latest asks for the newest version of a plugin, whose own does not matter.
func (s *Sources) Latest(ctx context.Context, p plugin.Concrete) (semver.Version, diag.List) {
	at, err := s.placeOf(p)
	if err != nil {
		return semver.Version{}, asDiagnostics(p, err)
	}
	v, err := at.newest(ctx)
	if err != nil {
		return semver.Version{}, asDiagnostics(p, s.noLatest(p, at, err))
	}
	return v, nil
}

// Fetch fills a room with the files of a plugin. Where that fails the room's
// directory may hold some.
func (s *Sources) Fetch(ctx context.Context, p plugin.Concrete, room Room) diag.List {
	at, err := s.placeOf(p)
	if err == nil {
		err = at.bring(ctx, p.Version, room)
	}
	return asDiagnostics(p, err)
}

// placeOf is where p comes from, overrides considered.
func (s *Sources) placeOf(p plugin.Concrete) (place, error) {
	at, err := s.namedPlace(p, p.Server)
	if err != nil {
		return nil, err
	}
	if server, ok := redirect(s.overrides, at.address()); ok {
		return s.namedPlace(p, server)
	}
	return at, nil
}
