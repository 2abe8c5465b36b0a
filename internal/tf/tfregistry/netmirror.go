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

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// netMirror is an HTTPS server of packages for providers of any host.
// Source: Terraform's provider network mirror protocol.
type netMirror struct {
	r    *Registry
	base *url.URL
	host svchost.Hostname
	// trusted takes the mirror's word for hashes of other platforms.
	trusted bool
}

func (r *Registry) newNetMirror(method Method) (*netMirror, error) {
	base, err := url.Parse(method.Location)
	if err != nil || base.Scheme != "https" || base.Host == "" {
		return nil, errors.New("its url must start with https://")
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	host, err := svchost.ForComparison(svchost.ForDisplay(base.Host))
	if err != nil {
		return nil, err
	}
	return &netMirror{r: r, base: base, host: host, trusted: method.TrustAllHashes}, nil
}

func (m *netMirror) describe(tfaddr.Provider) string {
	return "network mirror " + fetch.CleanURL(m.base)
}

func (m *netMirror) remote() bool { return true }

// get fetches HOST/NS/TYPE/name from the mirror into v.
func (m *netMirror) get(ctx context.Context, p tfaddr.Provider, name string, v any) (*url.URL, error) {
	token, err := m.r.creds.token(ctx, m.host)
	if err != nil {
		return nil, err
	}
	host, err := parseHost(p.Host)
	if err != nil {
		return nil, invalidSource(p.String(), err)
	}
	address := m.base.ResolveReference(&url.URL{Path: "./" + path.Join(string(host), p.Namespace, p.Type, name)})
	final, err := m.r.client.GetJSON(fetch.WithBearer(ctx, m.base.Host, token), address.String(), v)
	switch {
	case err == nil:
		return final, nil
	case fetch.HasStatus(err, http.StatusNotFound):
		return nil, errNoProvider
	case fetch.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden):
		return nil, unauthorized(svchost.ForDisplay(string(m.host)), err)
	case fetch.IsTransient(err), errors.Is(err, context.Canceled):
		return nil, err
	case fetch.Untrusted(err):
		return nil, untrustedHost(svchost.ForDisplay(string(m.host)), err)
	}
	return nil, registryFailed(p, m.describe(p), err)
}

func (m *netMirror) versions(ctx context.Context, p tfaddr.Provider) (versions.List, diag.List, error) {
	var index struct {
		Versions map[string]struct{} `json:"versions"`
	}
	if _, err := m.get(ctx, p, "index.json", &index); err != nil {
		return nil, nil, err
	}
	var list versions.List
	for text := range index.Versions {
		if v, err := versions.ParseVersion(text); err == nil {
			list = append(list, v)
		}
	}
	list.Sort()
	return list, nil, nil
}

func (m *netMirror) locate(ctx context.Context, p tfaddr.Provider, v versions.Version) (*offer, error) {
	var answer struct {
		Archives map[string]struct {
			URL    string   `json:"url"`
			Hashes []string `json:"hashes"`
		} `json:"archives"`
	}
	final, err := m.get(ctx, p, v.String()+".json", &answer)
	if err != nil {
		return nil, err
	}
	archive, ok := answer.Archives[m.r.opts.Platform.String()]
	if !ok {
		return nil, errNoProvider
	}
	address, err := fetch.Resolve(final, archive.URL)
	if err != nil {
		return nil, registryFailed(p, m.describe(p), err)
	}
	out := &offer{origin: m.describe(p), url: address.String(), anyOf: known(archive.Hashes)}
	if len(archive.Hashes) > 0 && len(out.anyOf) == 0 {
		return nil, registryFailed(p, m.describe(p), errors.New("its hashes are of kinds that are not known here"))
	}
	if address.Scheme != "https" && len(out.anyOf) == 0 {
		return nil, registryFailed(p, m.describe(p), errors.New("it offers a package without hashes at an address that is not https"))
	}
	if m.trusted {
		for _, other := range answer.Archives {
			out.vouched = append(out.vouched, known(other.Hashes)...)
		}
		slices.Sort(out.vouched)
	}
	return out, nil
}
