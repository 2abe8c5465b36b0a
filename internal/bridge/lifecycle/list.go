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
	l, err := s.listing(ctx, req, query)
	if err != nil {
		return ListResponse{}, err
	}
	return s.page(ctx, l, req.PageSize)
}

// listForm is what a query fills in.
func (s subject) listForm() form {
	return form{object: s.Resource.List, validate: func(ctx context.Context, config cty.Value) diag.List {
		return s.terraform.ValidateListConfig(ctx, s.Terraform, config)
	}}
}

// listing is the list that stands where the request wants to go on.
func (s subject) listing(ctx context.Context, req ListRequest, query cty.Value) (*listing, error) {
	limit := max(req.Limit, 0)
	key, err := listingKey(s.Terraform, limit, query)
	if err != nil {
		return nil, err
	}
	at := page{Listing: key}
	if req.Continuation != "" {
		var ok bool
		if at, ok = parsePage(req.Continuation); !ok || at.Listing != key {
			return nil, badPage()
		}
	}
	if l := s.listings.take(at); l != nil {
		return l, nil
	}
	l := newListing(key, func(ctx context.Context) iter.Seq[tfprovider.ListEvent] {
		return s.terraform.ListResource(ctx, tfprovider.ListRequest{TypeName: s.Terraform, Config: query, Limit: limit})
	})
	_, err = s.advance(ctx, l, at.Offset)
	return l, err
}

// listingKey identifies what is listed.
func listingKey(typeName string, limit int64, query cty.Value) (string, error) {
	data, err := ctyx.EncodeJSON(query, query.Type())
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%d\n", typeName, limit)
	hash.Write(data)
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// page takes a page off a list, and keeps the list for the next one.
func (s subject) page(ctx context.Context, l *listing, size int64) (ListResponse, error) {
	if size < 1 {
		size = defaultPageSize
	}
	defer context.AfterFunc(ctx, l.cancel)()
	results, err := s.advance(ctx, l, size)
	if err != nil {
		return ListResponse{}, err
	}
	if !l.more() {
		l.stop()
		return ListResponse{Results: results}, nil
	}
	s.listings.put(l)
	return ListResponse{Results: results, Continuation: page{Listing: l.key, Offset: l.offset}.token()}, nil
}

// advance takes n results off a list, or fewer at its end. After an error
// the list is stopped.
func (s subject) advance(ctx context.Context, l *listing, n int64) ([]Listed, error) {
	defer context.AfterFunc(ctx, l.cancel)()
	var results []Listed
	for int64(len(results)) < n {
		event, ok := l.pull()
		if !ok {
			break
		}
		err := s.report(ctx, "", s.Resource.List, event.Diagnostics)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			l.stop()
			return nil, err
		}
		if event.Identity == cty.NilVal { // a warning, and nothing else
			continue
		}
		results = append(results, Listed{ID: s.importID(event.Identity), Name: event.DisplayName})
	}
	l.offset += int64(len(results))
	return results, nil
}

// importID is the ID that imports what has an identity: the one value called
// id that it may be, or else the identity as a JSON object.
func (s subject) importID(identity cty.Value) string {
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
