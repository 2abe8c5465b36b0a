package tfprovider

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/wire"
)

// TestForms applies a plan: what went over the wire goes over it again, byte
// for byte, and an answer in JSON does not.
func TestForms(t *testing.T) {
	t.Parallel()
	// A provider may order attributes as it likes: {tokens: nil, name: "a"}.
	backwards := &wire.DynamicValue{Msgpack: []byte("\x82\xa6tokens\xc0\xa4name\xa1a")}
	encoded := packed(t, thing("a"))
	if bytes.Equal(backwards.GetMsgpack(), encoded.GetMsgpack()) {
		t.Fatal("nothing would be told apart")
	}
	for name, tt := range map[string]struct {
		answer, sent *wire.DynamicValue
		forget       bool
	}{
		"as answered":       {answer: backwards, sent: backwards},
		"answered in JSON":  {answer: inJSON(`{"name":"a","tokens":null}`), sent: encoded},
		"without its forms": {answer: backwards, sent: encoded, forget: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := &wire.ApplyResourceChangeRequest{}
			p := serveTo(t, Config{}, answers{
				"GetProviderSchema": only(thingSchema(t, nil)), "GetResourceIdentitySchemas": only(thingIdentities()),
				"PlanResourceChange":  only(&wire.PlanResourceChangeResponse{PlannedState: tt.answer}),
				"ApplyResourceChange": only(&wire.ApplyResourceChangeResponse{NewState: tt.answer}),
			}, func(rpc string, request []byte) {
				if rpc == "ApplyResourceChange" {
					if err := proto.Unmarshal(request, asked); err != nil {
						t.Error(err)
					}
				}
			})
			plan, diags := p.PlanResourceChange(t.Context(), PlanRequest{TypeName: "thing", Prior: thing("b"), ProposedNew: thing("a"), Config: thing("a")})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			req := ApplyRequest{TypeName: "thing", Prior: thing("b"), Planned: plan.Planned, Config: thing("a"), Forms: plan.Forms}
			if tt.forget {
				req.Forms = PlanForms{}
			}
			applied, diags := p.ApplyResourceChange(t.Context(), req)
			if diags.HasErrors() || !applied.State.RawEquals(thing("a")) {
				t.Fatal(applied.State, diags.Err())
			}
			for what, pair := range map[string][2]*wire.DynamicValue{
				"prior":   {asked.GetPriorState(), packed(t, thing("b"))},
				"planned": {asked.GetPlannedState(), tt.sent},
				"config":  {asked.GetConfig(), encoded},
			} {
				if !proto.Equal(pair[0], pair[1]) {
					t.Errorf("%s: sent %q, want %q", what, pair[0].GetMsgpack(), pair[1].GetMsgpack())
				}
			}
		})
	}
}
