package lifecycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// defaultPageSize is what a page holds where nobody says.
const defaultPageSize = 100

// List returns one page of the objects that exist.
func (p *Provider) List(ctx context.Context, req ListRequest) (ListResponse, error) {
	s, err := p.subject(Resource{Token: req.Token})
	if err != nil {
		return ListResponse{}, err
	}
	if s.Resource.List == nil {
		return ListResponse{}, notListable(s.Token)
	}
	query, failures, err := p.fill(ctx, s.listForm(), req.Query)
	switch {
	case err != nil:
		return ListResponse{}, err
	case len(failures) > 0:
		return ListResponse{}, refusedInput("query", failures)
	case !query.IsWhollyKnown():
		return ListResponse{Computed: true}, nil
	}
	at, err := s.pageOf(req, query)
	if err != nil {
		return ListResponse{}, err
	}
	size := req.PageSize
	if size < 1 {
		size = defaultPageSize
	}
	return s.page(ctx, at, s.listing(at, query), size, at.left(req.Limit))
}

// listForm is what a query fills in.
func (s subject) listForm() form {
	return form{object: s.Resource.List, validate: func(ctx context.Context, config cty.Value) diag.List {
		return s.terraform.ValidateListConfig(ctx, s.Terraform, config)
	}}
}

// pageOf says where in which list a request wants to go on.
func (s subject) pageOf(req ListRequest, query cty.Value) (page, error) {
	key, err := listingKey(s.Terraform, query)
	if err != nil || req.Continuation == "" {
		return page{Listing: key, Limit: max(req.Limit, 0)}, err
	}
	at, ok := parsePage(req.Continuation)
	if !ok || at.Listing != key {
		return page{}, badPage()
	}
	return at, nil
}

// listing is the list that stands at a page, or else one that begins.
func (s subject) listing(at page, query cty.Value) *listing {
	if l := s.listings.take(at); l != nil {
		return l
	}
	return newListing(at, func(ctx context.Context) iter.Seq[tfprovider.ListEvent] {
		return s.terraform.ListResource(ctx, tfprovider.ListRequest{TypeName: s.Terraform, Config: query, Limit: at.Limit})
	})
}

// listingKey identifies what is listed.
func listingKey(typeName string, query cty.Value) (string, error) {
	data, err := ctyx.EncodeJSON(query, query.Type())
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprintln(hash, typeName)
	hash.Write(data)
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// page takes a page off a list, of so many results that are left, and keeps
// the list for the next one.
func (s subject) page(ctx context.Context, at page, l *listing, size, left int64) (ListResponse, error) {
	defer context.AfterFunc(ctx, l.cancel)()
	_, err := s.advance(ctx, l, at.Offset-l.at.Offset)
	var results []Listed
	if err == nil {
		results, err = s.advance(ctx, l, min(size, left))
	}
	more := err == nil && int64(len(results)) < left && l.more()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if !more || err != nil {
		l.stop()
		return ListResponse{Results: results}, err
	}
	s.listings.put(l)
	return ListResponse{Results: results, Continuation: l.at.token()}, nil
}

// advance takes n results off a list, or fewer at its end.
func (s subject) advance(ctx context.Context, l *listing, n int64) ([]Listed, error) {
	var results []Listed
	for int64(len(results)) < n {
		event, ok := l.pull()
		if !ok {
			break
		}
		if err := s.report(ctx, "", s.Resource.List, event.Diagnostics); err != nil {
			return nil, err
		}
		if event.Identity != cty.NilVal && !event.Identity.IsNull() { // else it names nothing
			results = append(results, Listed{ID: importID(event.Identity), Name: event.DisplayName})
		}
	}
	l.at.Offset += int64(len(results))
	return results, nil
}

// importID is the ID that imports what has an identity: the one value called
// id that it may be, or else the identity as a JSON object.
func importID(identity cty.Value) string {
	attrs := identity.AsValueMap()
	if id := attrs["id"]; len(attrs) == 1 && id != cty.NilVal && id.Type() == cty.String && id.IsKnown() && !id.IsNull() {
		return id.AsString()
	}
	data, err := ctyx.EncodeJSON(identity, identity.Type())
	if err != nil { // an unknown identity names nothing
		return ""
	}
	return string(data)
}
