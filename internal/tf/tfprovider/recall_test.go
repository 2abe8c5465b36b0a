package tfprovider

import (
	"sync/atomic"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// counted serves one answer to one RPC, and recalls. It counts how often that
// one is asked.
func counted(t *testing.T, rpc string, answer proto.Message) (Provider, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	p := serveTo(t, Config{Recall: true}, answers{
		"GetProviderSchema": only(thingSchema(t, nil)), "GetResourceIdentitySchemas": only(thingIdentities()),
		"ConfigureProvider": only(&wire.Outcome{}), rpc: only(answer),
	}, func(name string, _ []byte) {
		if name == rpc {
			asked.Add(1)
		}
	})
	return p, &asked
}

func packed(t *testing.T, v cty.Value) *wire.DynamicValue {
	t.Helper()
	data, err := ctyx.EncodeMsgpack(v, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	return &wire.DynamicValue{Msgpack: data}
}

func warnings() []*wire.Diagnostic {
	return []*wire.Diagnostic{{Severity: wire.Diagnostic_WARNING, Summary: "odd"}}
}

// TestRecallPlan asks for the same plan twice.
func TestRecallPlan(t *testing.T) {
	t.Parallel()
	a := packed(t, thing("a"))
	private, identity := []byte("p"), jsonIdentity("a")
	for name, tt := range map[string]struct {
		answer *wire.PlanResourceChangeResponse
		prior  cty.Value
		asked  int32 // the second time included
		same   bool  // byte for byte
	}{
		"nothing changes": {&wire.PlanResourceChangeResponse{
			PlannedState: a, PlannedPrivate: private, PlannedIdentity: identity, LegacyTypeSystem: true,
		}, thing("a"), 1, true},
		"nothing changes, in other bytes": {&wire.PlanResourceChangeResponse{
			PlannedState: inJSON(`{"name":"a","tokens":null}`), PlannedPrivate: private,
		}, thing("a"), 1, false},
		"a change":       {&wire.PlanResourceChangeResponse{PlannedState: a}, thing("b"), 2, false},
		"a creation":     {&wire.PlanResourceChangeResponse{PlannedState: a}, cty.NilVal, 2, false},
		"nothing at all": {&wire.PlanResourceChangeResponse{PlannedState: packed(t, cty.NullVal(thing("a").Type()))}, cty.NilVal, 2, false},
		"a replacement":  {&wire.PlanResourceChangeResponse{PlannedState: a, RequiresReplace: []*wire.AttributePath{{}}}, thing("a"), 2, true},
		"put off":        {&wire.PlanResourceChangeResponse{PlannedState: a, Deferred: &wire.Deferred{}}, thing("a"), 2, true},
		"a warning":      {&wire.PlanResourceChangeResponse{PlannedState: a, Diagnostics: warnings()}, thing("a"), 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, asked := counted(t, "PlanResourceChange", tt.answer)
			req := PlanRequest{TypeName: "thing", Prior: tt.prior, ProposedNew: thing("a"), Config: thing("a"), PriorPrivate: []byte("before")}
			first, diags := p.PlanResourceChange(t.Context(), req)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			again, moreDiags := p.PlanResourceChange(t.Context(), req)
			if len(moreDiags) != len(diags) || asked.Load() != tt.asked || first.AsPrior.Whole() != tt.same {
				t.Errorf("asked %d times, unchanged is %t, %v", asked.Load(), first.AsPrior.Whole(), moreDiags)
			}
			sameIdentity := first.Identity == cty.NilVal && again.Identity == cty.NilVal || again.Identity.RawEquals(first.Identity)
			if !again.Planned.RawEquals(first.Planned) || string(again.Private) != string(first.Private) || !sameIdentity ||
				again.LegacyTypeSystem != first.LegacyTypeSystem || again.Deferred != first.Deferred {
				t.Errorf("got %#v, and then %#v", first, again)
			}
		})
	}
}

// TestRecallTells apart questions that differ in one thing, and forgets what
// was said under another configuration.
func TestRecallTells(t *testing.T) {
	t.Parallel()
	p, asked := counted(t, "PlanResourceChange", &wire.PlanResourceChangeResponse{PlannedState: packed(t, thing("a"))})
	req := PlanRequest{TypeName: "thing", Prior: thing("a"), ProposedNew: thing("a"), Config: thing("a"), PriorPrivate: []byte("p")}
	private, identity, config, proposed := req, req, req, req
	private.PriorPrivate = []byte("q")
	identity.PriorIdentity = cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("a")})
	config.Config, proposed.ProposedNew = thing("b"), thing("b")
	plan := func(req PlanRequest, want int32, when string) {
		t.Helper()
		if _, diags := p.PlanResourceChange(t.Context(), req); diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		if got := asked.Load(); got != want {
			t.Errorf("%s: asked %d times, want %d", when, got, want)
		}
	}
	for i, one := range []PlanRequest{req, private, identity, config, proposed} {
		plan(one, int32(i)+1, "another question")
	}
	plan(identity, 5, "the same question")
	if diags := p.Configure(t.Context(), cty.EmptyObjectVal); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	plan(req, 6, "configured anew")
}

// TestRecallValidation asks whether configurations are valid, twice each.
func TestRecallValidation(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		said  []*wire.Diagnostic
		asked int32
	}{
		"valid":   {nil, 1},
		"warned":  {warnings(), 2},
		"refused": {[]*wire.Diagnostic{{Severity: wire.Diagnostic_ERROR, Summary: "no"}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, asked := counted(t, "ValidateResourceConfig", &wire.Outcome{Diagnostics: tt.said})
			for range 2 {
				if diags := p.ValidateResourceConfig(t.Context(), "thing", thing("a")); len(diags) != len(tt.said) {
					t.Errorf("got %v", diags)
				}
			}
			if asked.Load() != tt.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), tt.asked)
			}
			if p.ValidateResourceConfig(t.Context(), "thing", thing("b")); asked.Load() != tt.asked+1 {
				t.Error("another configuration was not asked about")
			}
			if diags := p.ValidateResourceConfig(t.Context(), "thingy", thing("a")); !diags.HasErrors() {
				t.Error("an unknown type is valid")
			}
		})
	}
}

// TestNothingToRecall asks a provider that was not told to recall.
func TestNothingToRecall(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	p := serve(t, answers{"GetProviderSchema": only(thingSchema(t, nil)), "ValidateResourceConfig": only(&wire.Outcome{})}, func(name string, _ []byte) {
		if name == "ValidateResourceConfig" {
			asked.Add(1)
		}
	})
	for range 2 {
		if diags := p.ValidateResourceConfig(t.Context(), "thing", thing("a")); diags != nil {
			t.Error(diags)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("asked %d times", asked.Load())
	}
}

// TestReadUnchanged reads a state that comes back byte for byte, or as
// another.
func TestReadUnchanged(t *testing.T) {
	t.Parallel()
	p, _ := counted(t, "ReadResource", &wire.ReadResourceResponse{NewState: packed(t, thing("a"))})
	for _, state := range []cty.Value{thing("a"), thing("b"), cty.NilVal} {
		resp, diags := p.ReadResource(t.Context(), ReadRequest{TypeName: "thing", State: state})
		if diags.HasErrors() || !resp.State.RawEquals(thing("a")) {
			t.Errorf("got %#v, %v", resp.State, diags)
		}
	}
}
