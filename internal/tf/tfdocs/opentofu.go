package tfdocs

import (
	"context"
	"net/url"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// openTofu is the documentation of the OpenTofu registry, one file a page.
// Source: the API's description, https://api.opentofu.org/openapi.yml; and for
// ephemeral resources opentofu/registry-ui dada44d.
type openTofu struct {
	client *fetch.Client
	// base is that of the version.
	base *url.URL
}

func newOpenTofu(client *fetch.Client, p tfaddr.Provider, version string) *openTofu {
	host := &url.URL{Scheme: "https", Host: "api.opentofu.org", Path: "/registry/docs/providers/"}
	return &openTofu{client, host.JoinPath(p.Namespace, p.Type, "v"+version)}
}

// openTofuItem is a page in the answer about a version.
type openTofuItem struct {
	Name string `json:"name"`
}

func (s *openTofu) Index(ctx context.Context) ([]Entry, error) {
	var answer struct {
		Docs struct {
			Index       *openTofuItem  `json:"index"`
			Resources   []openTofuItem `json:"resources"`
			DataSources []openTofuItem `json:"datasources"`
			Functions   []openTofuItem `json:"functions"`
			Ephemeral   []openTofuItem `json:"ephemeral"`
		} `json:"docs"`
		Unlicensed bool `json:"incompatible_license"`
	}
	if _, err := s.client.GetJSON(ctx, below(s.base, "index.json"), &answer); err != nil {
		if notThere(err) {
			return nil, &AbsentError{"the OpenTofu registry has no documentation of this version"}
		}
		return nil, err
	}
	if answer.Unlicensed {
		return nil, &AbsentError{"the OpenTofu registry does not show it because of the provider's license"}
	}
	var entries []Entry
	if answer.Docs.Index != nil {
		entries = append(entries, Entry{docpage.Overview, overviewName, "index.md"})
	}
	for _, list := range []struct {
		kind  docpage.Kind
		dir   string
		items []openTofuItem
	}{
		{docpage.Resource, "resources", answer.Docs.Resources}, {docpage.DataSource, "datasources", answer.Docs.DataSources},
		{docpage.Function, "functions", answer.Docs.Functions}, {docpage.Ephemeral, "ephemeral", answer.Docs.Ephemeral},
	} {
		for _, item := range list.items {
			if e, ok := newEntry(list.kind, item.Name); ok {
				e.At = list.dir + "/" + e.Name + ".md"
				entries = append(entries, e)
			}
		}
	}
	return entries, nil
}

func (s *openTofu) Page(ctx context.Context, e Entry) (string, error) {
	body, _, err := s.client.Get(ctx, below(s.base, e.At), fetch.MaxDocument)
	if notThere(err) {
		return "", nil
	}
	return string(body), err
}
