package tfdocs

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// terraform is the documentation of a registry that answers as Terraform's own
// does: beyond the provider registry protocol, version 1 of its API lists the
// pages of a version, and version 2 has them.
// Source: what registry.terraform.io answers; hashicorp/terraform-mcp-server
// 42b9fe7 reads the same.
type terraform struct {
	client *fetch.Client
	// base is that of the provider in version 1.
	base    *url.URL
	version string
}

func (s *terraform) Index(ctx context.Context) ([]Entry, error) {
	var answer struct {
		Docs []struct {
			ID       string `json:"id"`
			Slug     string `json:"slug"`
			Category string `json:"category"`
			Language string `json:"language"`
		} `json:"docs"`
	}
	_, err := s.client.GetJSON(ctx, below(s.base, s.version), &answer)
	switch {
	case notThere(err), err == nil && len(answer.Docs) == 0:
		return nil, &AbsentError{"the registry " + s.base.Host + " has no documentation of this version"}
	case err != nil:
		return nil, err
	}
	var entries []Entry
	for _, page := range answer.Docs {
		kind, ok := terraformKind(page.Category)
		if !ok || page.Language != "hcl" || !pageID.MatchString(page.ID) || kind == docpage.Overview && page.Slug != overviewName {
			continue
		}
		if e, ok := newEntry(kind, page.Slug); ok {
			e.At = page.ID
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// terraformKind reads the kind of a page, which the registry calls as it is
// called here. There are guides and others besides.
func terraformKind(category string) (docpage.Kind, bool) {
	switch kind := docpage.Kind(category); kind {
	case docpage.Overview, docpage.Resource, docpage.DataSource, docpage.Function, docpage.Ephemeral:
		return kind, true
	}
	return "", false
}

// pageID is what pages are known by.
var pageID = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

func (s *terraform) Page(ctx context.Context, e Entry) (string, error) {
	base, ok := s.pages()
	if !ok {
		return "", nil
	}
	var answer struct {
		Data struct {
			Attributes struct {
				Content string `json:"content"`
			} `json:"attributes"`
		} `json:"data"`
	}
	_, err := s.client.GetJSON(ctx, below(base, e.At), &answer)
	if notThere(err) {
		return "", nil
	}
	return answer.Data.Attributes.Content, err
}

// pages is where version 2 of the API has pages: beside version 1.
func (s *terraform) pages() (*url.URL, bool) {
	before, _, ok := strings.Cut(s.base.Path, "/v1/providers/")
	return &url.URL{Scheme: s.base.Scheme, Host: s.base.Host, Path: before + "/v2/provider-docs/"}, ok
}
