package workflow

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// counting counts what reaches a provider.
type counting struct {
	tfprovider.Provider
	validated, planned atomic.Int32
}

func (c *counting) ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	c.validated.Add(1)
	return c.Provider.ValidateResourceConfig(ctx, typeName, config)
}

func (c *counting) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	c.planned.Add(1)
	return c.Provider.PlanResourceChange(ctx, req)
}

// networks runs the estate's provider over an estate of its own and reads one
// network through it.
func networks(t *testing.T) (p *counting, config, state cty.Value, private []byte) {
	t.Helper()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	p = &counting{Provider: tfprovider.Launch(tfprovider.Config{
		Name: "estate", Path: build.Binary(t, "terraform-provider-estate"), Env: append(os.Environ(), "ESTATE_ENDPOINT="+server.URL),
	})}
	t.Cleanup(func() { _ = p.Close() })
	if diags := configure(t.Context(), p, cty.NilVal); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	var found []tfprovider.ListEvent
	list, err := schemaOf(t, p).Schema(tfschema.KindList, "estate_network")
	if err != nil {
		t.Fatal(err)
	}
	for event := range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_network", Config: list.Block.EmptyValue(), IncludeObject: true}) {
		found = append(found, event)
	}
	if len(found) == 0 || found[0].Diagnostics.HasErrors() {
		t.Fatal("no network was listed", found)
	}
	imported, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: "estate_network", Identity: found[0].Identity})
	if diags.HasErrors() || len(imported) != 1 {
		t.Fatal(imported, diags.Err())
	}
	read, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{TypeName: "estate_network", State: imported[0].State, Private: imported[0].Private})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return p, written(t, p, read.State), read.State, read.Private
}

func schemaOf(t *testing.T, p tfprovider.Provider) *tfschema.Catalog {
	t.Helper()
	catalog, diags := p.Schema(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return catalog
}

// written is a network's state without what only the provider sets.
func written(t *testing.T, p tfprovider.Provider, state cty.Value) cty.Value {
	t.Helper()
	schema, err := schemaOf(t, p).Resource("estate_network")
	if err != nil {
		t.Fatal(err)
	}
	vals := state.AsValueMap()
	for _, a := range schema.Block.Attributes {
		if !a.Configurable() {
			vals[a.Name] = cty.NullVal(a.Type)
		}
	}
	return cty.ObjectVal(vals)
}

func with(object cty.Value, name string, v cty.Value) cty.Value {
	vals := object.AsValueMap()
	vals[name] = v
	return cty.ObjectVal(vals)
}

func TestRecalling(t *testing.T) {
	t.Parallel()
	p, config, state, private := networks(t)
	r := newRecalling(p)
	plan := func(config cty.Value, private []byte) tfplan.Result {
		t.Helper()
		result, diags := tfplan.Plan(t.Context(), r, tfplan.Request{
			TypeName: "estate_network", Prior: state, Config: config, PriorPrivate: private,
		})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		return result
	}
	planned := func(want int32, when string) {
		t.Helper()
		if got := p.planned.Load(); got != want {
			t.Errorf("%s: %d plans asked for, want %d", when, got, want)
		}
	}
	first, again := plan(config, private), plan(config, private)
	planned(1, "a no-op asked twice")
	if first.Action != tfplan.NoOp || again.Action != tfplan.NoOp || !again.Planned.RawEquals(state) || string(again.Private) != string(first.Private) {
		t.Errorf("got %v, then %v", first, again)
	}
	plan(config, []byte(`{"other":"e30="}`))
	planned(2, "other private data")
	other := with(config, "name", cty.StringVal("another"))
	if one, two := plan(other, private), plan(other, private); one.Action == tfplan.NoOp || two.Action != one.Action {
		t.Errorf("another name: %v, then %v", one.Action, two.Action)
	}
	before := p.planned.Load()
	plan(other, private)
	if p.planned.Load() == before {
		t.Error("a plan with changes was not asked for again")
	}
	if diags := configure(t.Context(), r, cty.NilVal); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	before = p.planned.Load()
	plan(config, private)
	planned(before+1, "configured anew")
}

func TestRecallingValidation(t *testing.T) {
	t.Parallel()
	p, config, _, _ := networks(t)
	r := newRecalling(p)
	wrong := with(config, "name", cty.NullVal(cty.String))
	for _, tt := range []struct {
		config cty.Value
		valid  bool
		asked  int32
	}{{config, true, 1}, {config, true, 1}, {wrong, false, 2}, {wrong, false, 3}, {config, true, 3}} {
		diags := r.ValidateResourceConfig(t.Context(), "estate_network", tt.config)
		if diags.HasErrors() == tt.valid {
			t.Errorf("valid is %v: %v", !tt.valid, diags.Err())
		}
		if got := p.validated.Load(); got != tt.asked {
			t.Errorf("asked %d times, want %d", got, tt.asked)
		}
	}
	if diags := r.ValidateResourceConfig(t.Context(), "estate_netwrk", config); !diags.HasErrors() {
		t.Error("an unknown type is valid")
	}
}
