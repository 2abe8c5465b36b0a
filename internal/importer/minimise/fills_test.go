package minimise_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// reads counts how often objects are read.
type reads struct {
	tfprovider.Provider
	count atomic.Int64
}

func (r *reads) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	r.count.Add(1)
	return r.Provider.ReadResource(ctx, req)
}

// TestFills comes to the same by reading objects with what their types keep and
// do not read, and does so with a read less for each.
func TestFills(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-classic", 60)
	found := s.found(t, "classic_")
	whole := func(fills bool) ([]string, int) {
		counted := &reads{Provider: s.Provider}
		how := read.Rising{Concurrency: 1}
		if fills {
			how.Fills = func(ctx context.Context, o read.Object) map[string]cty.Value {
				return minimise.Fills(ctx, counted, o)
			}
		}
		outcomes, _ := read.ReadRising(t.Context(), counted, found, how)
		var objects []read.Object
		for _, o := range outcomes {
			fail(t, o.Diagnostics.Err())
			objects = append(objects, o.Objects...)
		}
		var out []string
		for _, m := range minimise.Minimise(t.Context(), counted, objects, minimise.Options{Concurrency: 4}) {
			fail(t, m.Diagnostics.Err())
			text := m.Object.Type + " " + m.Object.Found.ID + " " + m.Config.GoString() + " " + m.Object.State.GoString()
			for _, path := range m.Settled {
				text += " " + ctyx.PathString(path)
			}
			out = append(out, text)
		}
		return out, int(counted.count.Load())
	}
	plain, often := whole(false)
	filled, seldom := whole(true)
	if diff := cmp.Diff(plain, filled); diff != "" {
		t.Errorf("(-plain +filled):\n%s", diff)
	}
	types := map[string]bool{}
	for _, f := range found {
		types[f.Type] = true
	}
	if seldom > len(found)+2*len(types) || often <= seldom {
		t.Errorf("%d objects of %d types took %d reads, and %d with what is known of their types", len(found), len(types), often, seldom)
	}
}

// TestFillsNothing has nothing to fill in where a plan changes something, or a
// read does not leave it.
func TestFillsNothing(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-classic", 20)
	var seen bool
	for _, o := range read.Read(t.Context(), s, s.found(t, "classic_"), 2) {
		fail(t, o.Diagnostics.Err())
		object := o.Objects[0]
		if minimise.Fills(t.Context(), s, object) == nil {
			continue
		}
		seen = true
		if fills := minimise.Fills(t.Context(), forgetful{s.Provider}, object); fills != nil {
			t.Errorf("%s: %v is said to stay", object.Type, fills)
		}
		if fills := minimise.Fills(t.Context(), s, read.Object{Found: discover.Found{}, Type: "classic_nothing"}); fills != nil {
			t.Errorf("got %v for a type that does not exist", fills)
		}
	}
	if !seen {
		t.Error("no type of the provider has anything to fill in")
	}
}

// forgetful reads everything as before, whatever the state.
type forgetful struct{ tfprovider.Provider }

func (f forgetful) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	attrs := req.State.AsValueMap()
	for name, v := range attrs {
		if name != "id" {
			attrs[name] = cty.NullVal(v.Type())
		}
	}
	req.State = cty.ObjectVal(attrs)
	return f.Provider.ReadResource(ctx, req)
}

// named plans a description for each network, of its own id, where none is
// written, and never reads one. It may keep one that there is.
type named struct {
	tfprovider.Provider
	keeps bool
}

func (n named) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	resp, diags := n.Provider.ReadResource(ctx, req)
	resp.State, resp.Known, resp.AsSent = described(resp.State, req.State.GetAttr("description")), false, false
	return resp, diags
}

func (n named) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	resp, diags := n.Provider.PlanResourceChange(ctx, req)
	written := req.Config.GetAttr("description")
	switch {
	case !written.IsNull() || req.Prior.IsNull():
	case n.keeps && !req.Prior.GetAttr("description").IsNull():
		written = req.Prior.GetAttr("description")
	default:
		written = cty.StringVal("network " + req.Prior.GetAttr("id").AsString())
	}
	resp.Planned = described(resp.Planned, written)
	return tfprovider.PlanResponse{
		Planned: resp.Planned, Private: resp.Private, RequiresReplace: resp.RequiresReplace, LegacyTypeSystem: true,
	}, diags
}

func described(v, description cty.Value) cty.Value {
	if v == cty.NilVal || v.IsNull() {
		return v
	}
	attrs := v.AsValueMap()
	attrs["description"] = description
	return cty.ObjectVal(attrs)
}

// networks are those of the estate, as the classic provider has them.
func (s subject) networks(t *testing.T) []discover.Found {
	t.Helper()
	out := slices.DeleteFunc(s.found(t, "classic_"), func(f discover.Found) bool { return f.Type != "classic_network" })
	if len(out) < 3 {
		t.Fatalf("there are %d networks", len(out))
	}
	return out
}

// TestFillsOfEach settles into each object what a plan gives it, where every
// object of a type gets something else.
func TestFillsOfEach(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-classic", 60)
	found := s.networks(t)
	for _, test := range []struct{ keeps, fills bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		provider := named{s.Provider, test.keeps}
		how := read.Rising{Concurrency: 2}
		if test.fills {
			how.Fills = func(ctx context.Context, o read.Object) map[string]cty.Value { return minimise.Fills(ctx, provider, o) }
		}
		var objects []read.Object
		outcomes, _ := read.ReadRising(t.Context(), provider, found, how)
		for _, o := range outcomes {
			fail(t, o.Diagnostics.Err())
			objects = append(objects, o.Objects...)
		}
		for _, m := range minimise.Minimise(t.Context(), provider, objects, minimise.Options{Concurrency: 2}) {
			id := m.Object.Found.ID
			if err := m.Diagnostics.Err(); err != nil {
				t.Errorf("%+v: %s: %v", test, id, err)
				continue
			}
			if got := m.Object.State.GetAttr("description"); got.IsNull() || got.AsString() != "network "+id {
				t.Errorf("%+v: %s: the state has the description %#v", test, id, got)
			}
		}
	}
}
