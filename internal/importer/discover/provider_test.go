package discover

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// fakeProvider lists what it is given, by type, and remembers what it was
// asked. Other calls of the interface panic.
type fakeProvider struct {
	tfprovider.Provider
	events map[string][]tfprovider.ListEvent
	reject map[string]string

	mu    sync.Mutex
	asked []tfprovider.ListRequest
}

func (p *fakeProvider) ValidateListConfig(_ context.Context, typeName string, _ cty.Value) diag.List {
	if why := p.reject[typeName]; why != "" {
		return diag.List{diag.Errorf("X", why, "")}
	}
	return nil
}

func (p *fakeProvider) ListResource(_ context.Context, req tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent] {
	p.mu.Lock()
	p.asked = append(p.asked, req)
	p.mu.Unlock()
	return func(yield func(tfprovider.ListEvent) bool) {
		for i, event := range p.events[req.TypeName] {
			if req.Limit > 0 && int64(i) >= req.Limit || !yield(event) {
				return
			}
		}
	}
}

func network(id string) tfprovider.ListEvent {
	return tfprovider.ListEvent{Identity: networkIdentity(id), DisplayName: "network " + id}
}

func networkIdentity(id string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)})
}

func networks(n int) []tfprovider.ListEvent {
	var out []tfprovider.ListEvent
	for i := range n {
		out = append(out, network(fmt.Sprintf("n%02d", i)))
	}
	return out
}

func bucket(name, region string) tfprovider.ListEvent {
	return tfprovider.ListEvent{Identity: bucketIdentity(1, name, region)}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		include, exclude []string
		want, wrong      []string
	}{
		"everything":          {want: []string{"x_bucket", "x_bucket_policy", "x_key", "x_network", "x_role"}},
		"globs":               {include: []string{"x_bucket*", "x_r?le"}, exclude: []string{"*_policy"}, want: []string{"x_bucket", "x_role"}},
		"nothing of the name": {include: []string{"x_rolle"}, want: []string{}, wrong: []string{"The type pattern \"x_rolle\" matches nothing"}},
		"malformed":           {exclude: []string{"x_["}, want: []string{"x_bucket", "x_bucket_policy", "x_key", "x_network", "x_role"}, wrong: []string{"Malformed type pattern \"x_[\""}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := Select(estateScope().Catalog, tt.include, tt.exclude)
			if d := cmp.Diff(tt.want, got.Types()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.wrong, places(diags, "")); d != "" {
				t.Error(d)
			}
		})
	}
	_, diags := Select(estateScope().Catalog, []string{"x_rolle"}, nil)
	if want := "The provider has no resource type of that name. Did you mean \"x_role\"? `formation schema PROVIDER` lists them all."; diags[0].Detail != want {
		t.Error(diags[0].Detail)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	provider := &fakeProvider{
		events: map[string][]tfprovider.ListEvent{
			"x_network": append(networks(3), network("n01")), // again, as after a crash
			"x_bucket": {bucket("b", "eu"), {Diagnostics: diag.List{diag.Errorf("X", "throttled", "")}},
				{Identity: cty.NullVal(cty.DynamicPseudoType), DisplayName: "nameless"}},
		},
	}
	found, outcome, diags := discoverAll(t, List{Provider: provider, Parallel: 1}, estateScope())
	want := []string{"x_bucket account=1 name=b region=eu", "x_network id=n00", "x_network id=n01", "x_network id=n02", "x_network id=n01"}
	if d := cmp.Diff(want, describe(found)); d != "" || len(diags) > 0 {
		t.Error(d, diags)
	}
	if d := cmp.Diff([]string{"throttled", "An object of x_bucket was listed without an identity"}, places(outcome.Failed[0].Diagnostics, "")); d != "" {
		t.Error(d)
	}
	outcome.Failed = nil
	if d := cmp.Diff(Outcome{Enumerated: []string{"x_network"}, Whole: []string{"x_network"}, NeedConfig: []string{"x_key"}}, outcome); d != "" {
		t.Error(d)
	}
}

func TestListLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]struct {
		found int
		cut   []string
	}{
		2: {2, []string{"x_network has more than its limit of 2"}},
		3: {3, nil}, 0: {3, nil},
	} {
		provider := &fakeProvider{events: map[string][]tfprovider.ListEvent{"x_network": networks(3)}}
		found, _, diags := discoverAll(t, List{Provider: provider, Limit: limit}, estateScope())
		if d := cmp.Diff(want.cut, places(diags, "")); d != "" || len(found) != want.found {
			t.Error(limit, d, len(found))
		}
	}
}

func TestListStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	provider := &fakeProvider{events: map[string][]tfprovider.ListEvent{"x_network": networks(1000)}}
	n := 0
	_, diags := List{Provider: provider}.Discover(ctx, estateScope(), func(Found) error {
		n++
		cancel()
		return ctx.Err()
	})
	if n != 1 || !diags.HasErrors() || diags[0].Code != "DI0007" {
		t.Error(n, diags)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	provider := &fakeProvider{
		events: map[string][]tfprovider.ListEvent{
			"x_network": {network("n2"), network("n1")},
			"x_bucket":  {bucket("b", "eu"), bucket("b", "us"), bucket("only", "eu")},
		},
	}
	ids := writeFile(t, "i.csv", "type,id,identity.name,identity.region,name\n"+
		"x_network,n1,,,main\n"+ // listed too
		"x_network,n3,,,\n"+ // not listed
		"x_bucket,,only,,logs\n"+ // the only one of that name
		"x_bucket,,b,,\n"+ // one of two: cannot tell
		"x_bucket,,b,us,\n"+
		"x_role,r,,,\nx_role,r,,,again\n")
	for _, parallel := range []int{1, 4} {
		result, diags := Run(context.Background(), estateScope(), []Source{List{Provider: provider, Parallel: parallel}, Inventory{Path: ids}})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		want := []string{
			"x_bucket account=1 name=b region=eu", "x_bucket account=1 name=b region=us",
			"x_bucket account=1 name=only region=eu as logs", "x_bucket name=b", "x_network id=n1 id=n1 as main", "x_network id=n2", "x_network id=n3",
			"x_role id=r as again",
		}
		if d := cmp.Diff(want, describe(result.Found)); d != "" {
			t.Error(d)
		}
		coverage := Coverage{Enumerated: []string{"x_bucket", "x_network"}, NamedOnly: []string{"x_role"}, NeedConfig: []string{"x_key"}, NotEnumerable: []string{"x_bucket_policy"}}
		if d := cmp.Diff(coverage, result.Coverage); d != "" {
			t.Error(d)
		}
	}
}

func TestRunMergesTheVaguestLast(t *testing.T) {
	t.Parallel()
	m := newMerger()
	m.add(Found{Type: "x_bucket", Identity: bucketIdentity(nil, "b", ""), Name: "wanted", Source: "ids"})
	m.add(Found{Type: "x_bucket", Identity: bucketIdentity(nil, "b", "eu"), Source: "ids"})
	m.add(Found{Type: "x_bucket", Identity: bucketIdentity(7, "b", "eu"), DisplayName: "B", Source: "list"})
	got := m.finish()
	if d := cmp.Diff([]string{"x_bucket account=7 name=b region=eu as wanted"}, describe(got)); d != "" || got[0].DisplayName != "B" {
		t.Error(d)
	}
}

func TestRunPrefersListedIDs(t *testing.T) {
	t.Parallel()
	m := newMerger()
	m.add(Found{Type: "x_bucket", ID: "b-id", Name: "wanted"})
	object := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("b-id")})
	m.add(Found{Type: "x_bucket", Identity: bucketIdentity(7, "b", "eu"), Object: object})
	if d := cmp.Diff([]string{"x_bucket id=b-id account=7 name=b region=eu as wanted"}, describe(m.finish())); d != "" {
		t.Error(d)
	}
}
