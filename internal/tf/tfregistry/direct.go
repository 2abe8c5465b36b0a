package tfregistry

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/opentofu/svchost"
	"github.com/opentofu/svchost/disco"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// direct is the registry that a provider's own host names by service
// discovery. Source: Terraform's provider registry protocol, version 1.
type direct struct {
	r     *Registry
	disco *disco.Disco
}

const providersService = "providers.v1"

func (r *Registry) newDirect() *direct {
	d := &direct{r: r, disco: disco.New(disco.WithHTTPClient(r.client.HTTP()))}
	for host, services := range r.opts.CLIConfig.Services {
		d.disco.ForceHostServices(host, services)
	}
	return d
}

func (d *direct) describe(p tfaddr.Provider) string { return "registry " + p.Host }

func (d *direct) remote() bool { return true }

// endpoint resolves a path of the provider's protocol, and returns with it a
// context that carries the host's token to the registry it delegates to.
func (d *direct) endpoint(ctx context.Context, p tfaddr.Provider, parts ...string) (context.Context, string, error) {
	host, err := parseHost(p.Host)
	if err != nil {
		return ctx, "", invalidSource(p.String(), err)
	}
	token, err := d.r.creds.token(ctx, host)
	if err != nil {
		return ctx, "", err
	}
	base, err := d.discover(fetch.WithBearer(ctx, string(host), token), host)
	if err != nil {
		return ctx, "", err
	}
	base = base.ResolveReference(&url.URL{Path: path.Join(append([]string{p.Namespace, p.Type}, parts...)...)})
	return fetch.WithBearer(ctx, base.Host, token), base.String(), nil
}

func (d *direct) discover(ctx context.Context, host svchost.Hostname) (*url.URL, error) {
	var base *url.URL
	err := d.r.client.Retry(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, fetch.AnswerWait)
		defer cancel()
		var err error
		base, err = d.disco.DiscoverServiceURL(ctx, host, providersService)
		var network disco.ErrServiceDiscoveryNetworkRequest
		if errors.As(err, &network) {
			return fetch.CleanError(&url.URL{Scheme: "https", Host: string(host)}, network.Unwrap())
		}
		return err
	})
	switch {
	case fetch.IsTransient(err) || errors.Is(err, fetch.ErrOffline) || errors.Is(err, context.Canceled):
		return nil, err
	case fetch.Untrusted(err):
		return nil, untrustedHost(svchost.ForDisplay(string(host)), err)
	case err != nil:
		return nil, noRegistry(svchost.ForDisplay(string(host)), err)
	case base.Scheme != "https":
		return nil, noRegistry(svchost.ForDisplay(string(host)), errors.New("it names a registry that is not at an https address"))
	}
	out := *base
	if !strings.HasSuffix(out.Path, "/") {
		out.Path += "/"
	}
	return &out, nil
}

func (d *direct) versions(ctx context.Context, p tfaddr.Provider) (versions.List, diag.List, error) {
	ctx, address, err := d.endpoint(ctx, p, "versions")
	if err != nil {
		return nil, nil, err
	}
	var answer struct {
		Versions []struct {
			Version string `json:"version"`
		} `json:"versions"`
		Warnings []string `json:"warnings"`
	}
	if _, err := d.r.client.GetJSON(ctx, address, &answer); err != nil {
		return nil, nil, d.failed(p, err)
	}
	var list versions.List
	for _, entry := range answer.Versions {
		// A registry may list what is no version: it is not installable then.
		if v, err := versions.ParseVersion(entry.Version); err == nil {
			list = append(list, v)
		}
	}
	var notes diag.List
	for _, text := range answer.Warnings {
		notes = append(notes, registryWarning(p, text))
	}
	return list, notes, nil
}

// failed says what an error of the registry means.
func (d *direct) failed(p tfaddr.Provider, err error) error {
	switch {
	case fetch.HasStatus(err, http.StatusNotFound):
		return errNoProvider
	case fetch.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden):
		return unauthorized(p.Host, err)
	case fetch.IsTransient(err), errors.Is(err, context.Canceled):
		return err
	case fetch.Untrusted(err):
		return untrustedHost(p.Host, err)
	}
	return registryFailed(p, d.describe(p), err)
}

// packageAnswer is the registry's answer about one package.
type packageAnswer struct {
	Protocols    []string `json:"protocols"`
	OS           string   `json:"os"`
	Arch         string   `json:"arch"`
	Filename     string   `json:"filename"`
	DownloadURL  string   `json:"download_url"`
	SumsURL      string   `json:"shasums_url"`
	SignatureURL string   `json:"shasums_signature_url"`
	Sum          string   `json:"shasum"`
	SigningKeys  struct {
		GPG []struct {
			Armor string `json:"ascii_armor"`
		} `json:"gpg_public_keys"`
	} `json:"signing_keys"`
}

func (d *direct) locate(ctx context.Context, p tfaddr.Provider, v versions.Version) (*offer, error) {
	platform := d.r.opts.Platform
	ctx, address, err := d.endpoint(ctx, p, v.String(), "download", platform.OS, platform.Arch)
	if err != nil {
		return nil, err
	}
	var answer packageAnswer
	final, err := d.r.client.GetJSON(ctx, address, &answer)
	if err != nil {
		return nil, d.failed(p, err)
	}
	if answer.OS != platform.OS || answer.Arch != platform.Arch {
		return nil, registryFailed(p, d.describe(p), errors.New("it offers a package for "+answer.OS+"_"+answer.Arch+" in place of "+platform.String()))
	}
	if !speaksOurs(answer.Protocols) {
		return nil, unsupportedProtocol(p, v.String(), answer.Protocols)
	}
	packed, err := fetch.Resolve(final, answer.DownloadURL)
	if err != nil {
		return nil, registryFailed(p, d.describe(p), err)
	}
	checked, err := d.verify(ctx, p, v.String(), final, answer)
	if err != nil {
		return nil, err
	}
	return &offer{
		origin: d.describe(p), url: packed.String(), zipSum: strings.ToLower(answer.Sum),
		vouched: checked.vouched, notes: checked.notes,
	}, nil
}

// speaksOurs reports whether one of the provider's protocol versions, such as
// "5.0", is ours. Registries may leave them out, and then the provider tells
// when it is started.
func speaksOurs(protocols []string) bool {
	return len(protocols) == 0 || slices.ContainsFunc(protocols, func(p string) bool {
		major, _, _ := strings.Cut(p, ".")
		return major == "5" || major == "6"
	})
}
