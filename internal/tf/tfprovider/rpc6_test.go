package tfprovider_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func (p peer) list(ctx context.Context, t *testing.T, req tfprovider.ListRequest) []tfprovider.ListEvent {
	t.Helper()
	var out []tfprovider.ListEvent
	for e := range p.ListResource(ctx, req) {
		noDiags(t, e.Diagnostics)
		out = append(out, e)
	}
	return out
}

// TestList lists several pages, with limits, filters and objects.
func TestList(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 700}})
	ctx := t.Context()
	all := p.list(ctx, t, tfprovider.ListRequest{TypeName: "estate_instance", IncludeObject: true})
	if want := p.estate.Store.Count("instances"); len(all) != want || want < 101 {
		t.Fatalf("listed %d of %d", len(all), want)
	}
	first := all[0]
	if first.DisplayName == "" || attr(t, first.Identity, "id").AsString() != attr(t, first.Object, "id").AsString() {
		t.Errorf("the first is %q, %#v", first.DisplayName, first.Identity)
	}
	for _, limit := range []int64{1, 50, 51} {
		some := p.list(ctx, t, tfprovider.ListRequest{TypeName: "estate_instance", Limit: limit})
		if int64(len(some)) != limit || some[0].Object != cty.NilVal {
			t.Errorf("limit %d gave %d", limit, len(some))
		}
	}
	network := p.ids(t, "networks")[0]
	filtered := p.list(ctx, t, tfprovider.ListRequest{TypeName: "estate_subnet", IncludeObject: true,
		Config: p.object(t, tfschema.KindList, "estate_subnet", map[string]cty.Value{"network_id": text(network)})})
	for _, e := range filtered {
		if got := attr(t, e.Object, "network_id").AsString(); got != network {
			t.Errorf("a subnet of %s", got)
		}
	}
	if len(filtered) == 0 || len(filtered) >= p.estate.Store.Count("subnets") {
		t.Errorf("the filter leaves %d", len(filtered))
	}
}

// TestListEndedEarly stops listening, and stops waiting.
func TestListEndedEarly(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 700}})
	p.estate.ResetStats()
	for range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_instance"}) {
		break
	}
	p.estate.SetFaults(estate.Faults{Hang: []estate.Target{{Op: estate.OpList}}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for e := range p.ListResource(ctx, tfprovider.ListRequest{TypeName: "estate_instance"}) {
		wantDiag(t, e.Diagnostics, tfprovider.CodeInterrupted)
	}
}

func TestListFails(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Faults: estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpList}}}}})
	var events int
	for e := range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_role"}) {
		wantDiag(t, e.Diagnostics, tfprovider.CodeProvider, "Cannot list estate_role")
		events++
	}
	for e := range p.ListResource(t.Context(), tfprovider.ListRequest{TypeName: "estate_db_user"}) {
		wantDiag(t, e.Diagnostics, "TP0009", `no list resource type "estate_db_user"`)
		events++
	}
	if events != 2 {
		t.Errorf("%d events", events)
	}
}

func TestFunction(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{})
	if diff := cmp.Diff([]string{"arn_build", "arn_parse"}, p.catalog.FunctionNames()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tests := map[string]struct {
		name  string
		args  []cty.Value
		want  string // of the result's text
		code  string
		words []string
		at    cty.Path
	}{
		"good":              {name: "arn_build", args: []cty.Value{text("s"), text("a"), text("b")}, want: "arn:estate:s:::a/b"},
		"no variadic":       {name: "arn_build", args: []cty.Value{text("s")}, want: "arn:estate:s:::"},
		"null allowed":      {name: "arn_build", args: []cty.Value{text("s"), cty.NullVal(cty.String)}, want: "arn:estate:s:::"},
		"converted":         {name: "arn_build", args: []cty.Value{cty.NumberIntVal(7)}, want: "arn:estate:7:::"},
		"marked":            {name: "arn_build", args: []cty.Value{text("s").Mark("m")}, want: "arn:estate:s:::"},
		"null refused":      {name: "arn_parse", args: []cty.Value{cty.NullVal(cty.String)}, code: "TP0013", words: []string{"Wrong argument for function arn_parse", "Argument 1 (arn): it must not be null."}, at: cty.IndexIntPath(0)},
		"of no type":        {name: "arn_parse", args: []cty.Value{cty.EmptyObjectVal}, code: "TP0013", words: []string{"it does not have the type of the parameter: string required"}, at: cty.IndexIntPath(0)},
		"too few":           {name: "arn_parse", code: "TP0012", words: []string{"It takes 1 arguments, and 0 are given."}},
		"too few, variadic": {name: "arn_build", code: "TP0012", words: []string{"It takes at least 1 arguments, and 0 are given."}},
		"too many":          {name: "arn_parse", args: []cty.Value{text("a"), text("b")}, code: "TP0012", words: []string{"and 2 are given"}},
		"refused":           {name: "arn_parse", args: []cty.Value{text("no ARN")}, code: tfprovider.CodeProvider, words: []string{"Function arn_parse failed", "not an ARN"}, at: cty.IndexIntPath(0)},
		"unknown function":  {name: "nothing", code: "TP0009", words: []string{`the provider has no function "nothing"`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := p.CallFunction(t.Context(), test.name, test.args)
			if test.code != "" {
				wantDiag(t, diags, test.code, test.words...)
				if !diags[0].Path.Equals(test.at) {
					t.Errorf("it is about %#v", diags[0].Path)
				}
				return
			}
			noDiags(t, diags)
			if got.AsString() != test.want {
				t.Errorf("got %q, want %q", got.AsString(), test.want)
			}
		})
	}
	got, diags := p.CallFunction(t.Context(), "arn_build", []cty.Value{cty.UnknownVal(cty.String)})
	noDiags(t, diags)
	if got.IsKnown() || got.Type() != cty.String {
		t.Errorf("of an unknown argument: %#v", got)
	}
	parts, diags := p.CallFunction(t.Context(), "arn_parse", []cty.Value{text("arn:p:s:r:a:x/y")})
	noDiags(t, diags)
	if got := attr(t, parts, "resource").AsString(); got != "x/y" {
		t.Errorf("got %q", got)
	}
}

func TestEphemeral(t *testing.T) {
	t.Parallel()
	p, ctx := estatePeer(t, estate.Options{}), t.Context()
	config := p.object(t, tfschema.KindEphemeral, "estate_token", map[string]cty.Value{"audience": text("me")})
	opened, diags := p.OpenEphemeral(ctx, "estate_token", config)
	noDiags(t, diags)
	if got := attr(t, opened.Result, "token"); got.IsNull() || got.AsString() == "" {
		t.Errorf("the token is %#v", got)
	}
	if !opened.RenewAt.IsZero() {
		t.Errorf("to be renewed at %s", opened.RenewAt)
	}
	_, diags = p.RenewEphemeral(ctx, "estate_token", opened.Private)
	wantDiag(t, diags, tfprovider.CodeProvider, "Renew")
	noDiags(t, p.CloseEphemeral(ctx, "estate_token", opened.Private))
	_, diags = p.OpenEphemeral(ctx, "estate_nothing", config)
	wantDiag(t, diags, "TP0009")
}

// TestMove hands over all that a state has of a resource, without which it is
// not moved.
func TestMove(t *testing.T) {
	t.Parallel()
	p := estatePeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	id := p.ids(t, "instances")[0]
	was := p.read(t, "estate_instance", id)
	old := []byte(`{"machine_id":"` + id + `"}`)
	moved, diags := p.MoveResourceState(t.Context(), tfprovider.MoveRequest{
		SourceProvider: "registry.opentofu.org/formation-iac/estate", SourceTypeName: "estate_machine",
		SourceState: tfprovider.RawState{JSON: old}, SourceSchemaVersion: 2,
		SourceIdentity: old, SourcePrivate: was.Private, TargetTypeName: "estate_instance",
	})
	noDiags(t, diags)
	if got := attr(t, moved.State, "id"); !got.RawEquals(text(id)) {
		t.Errorf("the state is of %#v", got)
	}
	if !moved.Identity.RawEquals(was.Identity) || !bytes.Equal(moved.Private, was.Private) {
		t.Errorf("it has the identity %#v and private data %s", moved.Identity, moved.Private)
	}
	now, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{
		TypeName: "estate_instance", State: moved.State, Private: moved.Private, Identity: moved.Identity,
	})
	noDiags(t, diags)
	if !now.State.RawEquals(was.State) {
		t.Errorf("read, it is %#v", now.State)
	}
}
