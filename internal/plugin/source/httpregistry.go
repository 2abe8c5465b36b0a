package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// HTTPRegistry is the registry that a Pulumi service has.
type HTTPRegistry struct {
	client *fetch.Client
	// base is the service's URL without a slash at its end.
	base  string
	token credential
}

const (
	publicService = "https://api.pulumi.com"
	serviceMedia  = "application/vnd.pulumi+8"
)

// NewHTTPRegistry makes the registry of the service at an https URL; token
// may be "".
func NewHTTPRegistry(client *fetch.Client, service, token string) (*HTTPRegistry, error) {
	u, err := url.Parse(strings.TrimSuffix(service, "/"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" {
		return nil, invalidService(service)
	}
	if token != "" {
		token = "token " + token
	}
	return &HTTPRegistry{client, u.String(), credential{u.Host, token}}, nil
}

// UserRegistry makes the registry of the service that the user is logged in
// to: PULUMI_API or the one that credentials.json names, with the token of
// PULUMI_ACCESS_TOKEN or of that file. It is nil where
// PULUMI_DISABLE_REGISTRY_RESOLVE is set.
func UserRegistry(client *fetch.Client, env func(string) string) (Registry, error) {
	if plugin.Switched(env, "PULUMI_DISABLE_REGISTRY_RESOLVE") {
		return nil, nil
	}
	login := plugin.LoadCredentials(env)
	service := cmp.Or(env("PULUMI_API"), login.Current)
	if !plugin.IsService(service) { // none, or a backend without a service
		service = publicService
	}
	r, err := NewHTTPRegistry(client, service, login.Token(env, service))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// String is the service's URL.
func (r *HTTPRegistry) String() string { return r.base }

// packageAnswer is a package in the service's API. Source: PackageMetadata of
// the service, sdk/go/common/apitype at v3.274.
type packageAnswer struct {
	Name              string         `json:"name"`
	Publisher         string         `json:"publisher"`
	Source            string         `json:"source"`
	Version           semver.Version `json:"version"`
	Title             string         `json:"title"`
	Description       string         `json:"description"`
	PluginDownloadURL string         `json:"pluginDownloadURL"`
	SchemaURL         string         `json:"schemaURL"`
	ReadmeURL         string         `json:"readmeURL"`
	Parameterization  *struct {
		BaseProvider struct {
			Name    string         `json:"name"`
			Version semver.Version `json:"version"`
		} `json:"baseProvider"`
		Parameter []byte `json:"parameter"`
	} `json:"parameterization"`
}

func (a packageAnswer) model() (Package, error) {
	out := Package{
		PackageID: PackageID{a.Source, a.Publisher, a.Name}, Version: a.Version, Server: a.PluginDownloadURL,
		Title: a.Title, Description: a.Description, SchemaURL: a.SchemaURL, ReadmeURL: a.ReadmeURL,
	}
	name := a.Name
	if p := a.Parameterization; p != nil {
		out.Base = &Base{p.BaseProvider.Name, p.BaseProvider.Version, p.Parameter}
		name = out.Base.Name
	}
	return out, plugin.CheckName(name)
}

// Package implements [Registry].
func (r *HTTPRegistry) Package(ctx context.Context, id PackageID, version *semver.Version) (Package, error) {
	which := "latest"
	if version != nil {
		which = version.String()
	}
	var answer packageAnswer
	if err := r.get(ctx, r.versions(id)+"/"+url.PathEscape(which), &answer); err != nil {
		return Package{}, err
	}
	return answer.model()
}

// versions is the URL of a package's versions.
func (r *HTTPRegistry) versions(id PackageID) string {
	return fmt.Sprintf("%s/api/registry/packages/%s/%s/%s/versions", r.base,
		url.PathEscape(id.Source), url.PathEscape(id.Publisher), url.PathEscape(id.Name))
}

// maxPages bounds how long a list of packages may be.
const maxPages = 100

// Search implements [Registry].
func (r *HTTPRegistry) Search(ctx context.Context, name string) ([]Package, error) {
	var found []Package
	query := url.Values{"limit": {"499"}, "name": {name}}
	for range maxPages {
		var page struct {
			Packages []packageAnswer `json:"packages"`
			Next     string          `json:"continuationToken"`
		}
		if err := r.get(ctx, r.base+"/api/registry/packages?"+query.Encode(), &page); err != nil {
			return nil, err
		}
		for _, answer := range page.Packages {
			p, err := answer.model()
			if err != nil {
				return nil, err
			}
			found = append(found, p)
		}
		if page.Next == "" {
			return found, nil
		}
		query.Set("continuationToken", page.Next)
	}
	return nil, errors.New("its list of packages does not end")
}

func (r *HTTPRegistry) get(ctx context.Context, address string, v any) error {
	ctx = fetch.WithAccept(fetch.WithAuthorization(ctx, r.token.host, r.token.value), serviceMedia)
	_, err := r.client.GetJSON(ctx, address, v)
	if fetch.HasStatus(err, http.StatusNotFound) {
		return ErrNotRegistered
	}
	return err
}

// Publish implements [Registry]: it announces the version, uploads its
// documents to where it is told, and declares it complete.
func (r *HTTPRegistry) Publish(ctx context.Context, p Publication) error {
	var begun struct {
		Operation string `json:"operationID"`
		Uploads   struct {
			Schema      string `json:"schema"`
			Readme      string `json:"index"`
			InstallDocs string `json:"installationConfiguration"`
		} `json:"uploadURLs"`
		Headers map[string]string `json:"requiredHeaders"`
	}
	err := r.post(ctx, r.versions(p.PackageID), map[string]string{"version": p.Version.String()}, &begun)
	if err != nil {
		return fmt.Errorf("the publication was not begun: %w", err)
	}
	for _, document := range []struct {
		name, to string
		content  []byte
	}{
		{"schema", begun.Uploads.Schema, p.Schema},
		{"readme", begun.Uploads.Readme, p.Readme},
		{"installation instructions", begun.Uploads.InstallDocs, p.InstallDocs},
	} {
		if document.content == nil {
			continue
		}
		if err := r.upload(ctx, document.to, document.content, begun.Headers); err != nil {
			return &UploadError{document.name, err}
		}
	}
	complete := r.versions(p.PackageID) + "/" + url.PathEscape(p.Version.String()) + "/complete"
	if err := r.post(ctx, complete, map[string]string{"operationID": begun.Operation}, nil); err != nil {
		return fmt.Errorf("everything was uploaded, but the publication was not completed: %w", err)
	}
	return nil
}

// post sends a JSON document once, as it may not be sent twice.
func (r *HTTPRegistry) post(ctx context.Context, address string, body, answer any) error {
	src, err := json.Marshal(body)
	if err != nil {
		return err
	}
	ctx = fetch.WithAccept(fetch.WithAuthorization(ctx, r.token.host, r.token.value), serviceMedia)
	got, err := r.client.Send(ctx, http.MethodPost, address, src, http.Header{"Content-Type": {jsonMedia}})
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(got, answer)
}

func (r *HTTPRegistry) upload(ctx context.Context, address string, content []byte, headers map[string]string) error {
	to, err := url.Parse(r.base)
	if err == nil {
		to, err = fetch.Resolve(to, address)
	}
	if err != nil {
		return err
	}
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	return r.client.Retry(ctx, func() error {
		_, err := r.client.Send(ctx, http.MethodPut, to.String(), content, header)
		return err
	})
}

// isRefused reports whether a server wants other credentials.
func isRefused(err error) bool {
	return fetch.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden) && !rateLimited(err)
}
