package tfregistry

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Clock is how the package tells time and waits.
type Clock = fetch.Clock

// Options configures a [Registry]. The zero value is usable: this machine's
// platform and environment, the user's cache directory, no CLI configuration.
type Options struct {
	CLIConfig CLIConfig
	// CacheDir holds the shared cache; "" means formation/providers in the
	// user's cache directory.
	CacheDir string
	// CacheVar is the environment variable with which users move CacheDir, to
	// name in advice; "" means XDG_CACHE_HOME.
	CacheVar string
	// WorkDir is where terraform.d/plugins is looked for; "" means the
	// process's working directory.
	WorkDir string
	// Transport carries HTTP requests; nil means one with the system's trust
	// and proxies.
	Transport http.RoundTripper
	// Offline forbids every network access.
	Offline bool
	Clock   Clock
	// Env looks up environment variables; nil means os.Getenv.
	Env func(string) string
	// UserAgent is sent with every request; "" means "formation".
	UserAgent string
	// Platform to install for; zero means [CurrentPlatform].
	Platform Platform
}

// Registry finds and installs providers. Its methods may be called
// concurrently, and several processes may share one cache.
type Registry struct {
	opts    Options
	client  *fetch.Client
	methods []methodSource
	creds   *credentials
}

// New prepares a registry. It touches no network, and of the disk only the
// directories that may be mirrors.
func New(opts Options) (*Registry, diag.List) {
	opts, err := withDefaults(opts)
	if err != nil {
		return nil, asDiagnostics(err)
	}
	r := &Registry{opts: opts}
	r.creds = newCredentials(opts.CLIConfig, opts.Env, opts.Platform)
	r.client = fetch.New(fetch.Options{
		Transport: opts.Transport, Offline: opts.Offline, Clock: opts.Clock, UserAgent: opts.UserAgent,
	})
	r.methods, err = r.buildMethods()
	if err != nil {
		return nil, asDiagnostics(err)
	}
	return r, nil
}

func withDefaults(opts Options) (Options, error) {
	if opts.Env == nil {
		opts.Env = os.Getenv
	}
	if opts.Platform == (Platform{}) {
		opts.Platform = CurrentPlatform()
	}
	opts.Clock = opts.Clock.WithDefaults()
	opts.CacheVar = cmp.Or(opts.CacheVar, "XDG_CACHE_HOME")
	if opts.CacheDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return opts, noCacheDir(err)
		}
		opts.CacheDir = filepath.Join(dir, "formation", "providers")
	}
	for _, dir := range []*string{&opts.CacheDir, &opts.WorkDir} {
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return opts, noCacheDir(err)
		}
		*dir = abs
	}
	return opts, nil
}

// providerDir is where root keeps every version of p.
func providerDir(root string, p tfaddr.Provider) string {
	return filepath.Join(root, p.Host, p.Namespace, p.Type)
}

// packageDir is where root keeps the unpacked package of one version.
func packageDir(root string, p tfaddr.Provider, version string, platform Platform) string {
	return filepath.Join(providerDir(root, p), version, platform.String())
}
