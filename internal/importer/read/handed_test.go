package read_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// scribe is a provider of feeds that writes down what it is handed, and
// answers each time with other private data, and another identity.
type scribe struct {
	*script
	refuses map[string]bool // imports by these
	imports []string
	reads   []string
}

func identity(slug string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"slug": cty.StringVal(slug)})
}

func slug(identity cty.Value) string {
	if identity == cty.NilVal {
		return "none"
	}
	return identity.GetAttr("slug").AsString()
}

func (s *scribe) ImportResourceState(_ context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	by := fmt.Sprintf("id %q, identity %s", req.ID, slug(req.Identity))
	s.imports = append(s.imports, by)
	if s.refuses[by] {
		return nil, diag.List{diag.Errorf("X1", "Not by "+by, "")}
	}
	return []tfprovider.Imported{{
		TypeName: req.TypeName, State: feed{ID: "app.news"}.value(), Private: []byte("of the import"), Identity: identity("imported"),
	}}, nil
}

func (s *scribe) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	s.reads = append(s.reads, fmt.Sprintf("private data %s, identity %s", req.Private, slug(req.Identity)))
	resp, diags := s.script.ReadResource(ctx, req)
	read := fmt.Sprint("read ", s.calls)
	resp.Private, resp.Identity = []byte("of "+read), identity(read)
	return resp, diags
}

// TestImportsBy holds that an identity goes before an id, which is the way out
// where it is refused, and that what the identity was refused for is said where
// neither is taken.
func TestImportsBy(t *testing.T) {
	t.Parallel()
	const byIdentity, byID = `id "", identity news`, `id "app.news", identity none`
	for name, test := range map[string]struct {
		found   discover.Found
		refuses []string
		want    []string
		problem string
	}{
		"both":               {found: discover.Found{ID: "app.news", Identity: identity("news")}, want: []string{byIdentity}},
		"an id":              {found: discover.Found{ID: "app.news"}, want: []string{byID}},
		"an identity":        {found: discover.Found{Identity: identity("news")}, want: []string{byIdentity}},
		"refused identity":   {found: discover.Found{ID: "app.news", Identity: identity("news")}, refuses: []string{byIdentity}, want: []string{byIdentity, byID}},
		"refused both":       {found: discover.Found{ID: "app.news", Identity: identity("news")}, refuses: []string{byIdentity, byID}, want: []string{byIdentity, byID}, problem: "Not by " + byIdentity},
		"refused id":         {found: discover.Found{ID: "app.news"}, refuses: []string{byID}, want: []string{byID}, problem: "Not by " + byID},
		"refused, and no id": {found: discover.Found{Identity: identity("news")}, refuses: []string{byIdentity}, want: []string{byIdentity}, problem: "Not by " + byIdentity},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &scribe{script: &script{reads: asIs}, refuses: map[string]bool{}}
			for _, by := range test.refuses {
				provider.refuses[by] = true
			}
			test.found.Type = "x_feed"
			got := read.Read(t.Context(), provider, []discover.Found{test.found}, 1)[0]
			if diff := cmp.Diff(test.want, provider.imports); diff != "" {
				t.Errorf("(-want +imported by):\n%s", diff)
			}
			problem := ""
			for _, d := range got.Diagnostics {
				problem += d.Summary
			}
			if problem != test.problem || (len(got.Objects) == 1) != (problem == "") {
				t.Errorf("%d objects, and %q; want %q", len(got.Objects), problem, test.problem)
			}
		})
	}
}

func asIs(_ int, state feed) (feed, diag.List) { return feed{state.ID, "news"}, nil }

// TestHandedOn holds that each call gets the private data and the identity that
// the one before answered, and the object those of the last.
func TestHandedOn(t *testing.T) {
	t.Parallel()
	provider := &scribe{script: &script{reads: func(_ int, state feed) (feed, diag.List) { // renamed by the first read
		return feed{"app." + state.Name, "news"}, nil
	}}}
	got := read.Read(t.Context(), provider, []discover.Found{{Type: "x_feed", ID: "app.news"}}, 1)[0]
	fail(t, got.Diagnostics.Err())
	want := []string{"private data of the import, identity imported", "private data of read 1, identity read 1"}
	if diff := cmp.Diff(want, provider.reads); diff != "" {
		t.Errorf("(-want +read with):\n%s", diff)
	}
	if o := got.Objects[0]; string(o.Private) != "of read 2" || slug(o.Identity) != "read 2" {
		t.Errorf("the object has private data %s, identity %s", o.Private, slug(o.Identity))
	}
}
