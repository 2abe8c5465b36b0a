package tfplan

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// scripted is a provider that plans by a function and records what it was
// asked. Only the calls that a plan makes are there.
type scripted struct {
	tfprovider.Provider
	catalog *tfschema.Catalog
	plan    func(tfprovider.PlanRequest) tfprovider.PlanResponse
	asked   []tfprovider.PlanRequest
}

func (s *scripted) Schema(context.Context) (*tfschema.Catalog, diag.List) { return s.catalog, nil }

func (s *scripted) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	s.asked = append(s.asked, req)
	return s.plan(req), nil
}

// oneType is the schema of a provider with the resource type "thing".
type oneType struct {
	tfschema.Decoder
	block       *tfschema.Block
	planDestroy bool
}

func (o oneType) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	if kind != tfschema.KindResource || name != "thing" {
		return nil, nil
	}
	return &tfschema.Schema{Block: o.block}, nil
}

func (o oneType) Capabilities() tfschema.Capabilities {
	return tfschema.Capabilities{PlanDestroy: o.planDestroy}
}

func thing() *tfschema.Block {
	return block(attrs(required("name", cty.String), optional("size", cty.String), computed("id", cty.String),
		&tfschema.Attribute{Name: "secret", Type: cty.String, Optional: true, WriteOnly: true}))
}

func thingVal(name, size string, id cty.Value) cty.Value {
	return obj("name", str(name), "size", str(size), "id", id, "secret", nullStr)
}

// usual plans as SDKs do: the proposal, unknown ids on create, write-only
// values nulled, and replacement when the name changes.
func usual(req tfprovider.PlanRequest) tfprovider.PlanResponse {
	if req.ProposedNew.IsNull() {
		return tfprovider.PlanResponse{Planned: req.ProposedNew}
	}
	vals := req.ProposedNew.AsValueMap()
	vals["secret"] = nullStr
	if req.Prior.IsNull() {
		vals["id"] = cty.UnknownVal(cty.String)
	}
	return tfprovider.PlanResponse{Planned: cty.ObjectVal(vals), Private: []byte("planned"), RequiresReplace: []cty.Path{cty.GetAttrPath("name")}}
}

func newScripted(plan func(tfprovider.PlanRequest) tfprovider.PlanResponse) *scripted {
	return &scripted{catalog: tfschema.NewCatalog(oneType{block: thing(), planDestroy: true}), plan: plan}
}

func changedPaths(r Result) []string {
	var out []string
	for _, c := range r.Changes {
		out = append(out, ctyx.PathString(c.Path))
	}
	return out
}

func TestPlanActions(t *testing.T) {
	t.Parallel()
	prior := thingVal("a", "s", str("i"))
	unknownID := cty.UnknownVal(cty.String)
	tests := map[string]struct {
		prior, config cty.Value
		tainted       bool
		ignore        Ignore
		want          Action
		planned       cty.Value
		changed       []string
		calls         int
	}{
		"create":             {prior: cty.NilVal, config: thingVal("a", "s", nullStr), want: Create, planned: thingVal("a", "s", unknownID), changed: []string{""}, calls: 1},
		"no-op":              {prior: prior, config: thingVal("a", "s", nullStr), want: NoOp, planned: prior, calls: 1},
		"update":             {prior: prior, config: thingVal("a", "t", nullStr), want: Update, planned: thingVal("a", "t", str("i")), changed: []string{"size"}, calls: 1},
		"replace":            {prior: prior, config: thingVal("b", "s", nullStr), want: Replace, planned: thingVal("b", "s", unknownID), changed: []string{"id", "name"}, calls: 2},
		"tainted":            {prior: prior, config: thingVal("a", "s", nullStr), tainted: true, want: Replace, planned: thingVal("a", "s", unknownID), changed: []string{"id"}, calls: 1},
		"ignored":            {prior: prior, config: thingVal("a", "t", nullStr), ignore: Ignore{Paths: []cty.Path{cty.GetAttrPath("size")}}, want: NoOp, planned: prior, calls: 1},
		"all ignored":        {prior: prior, config: thingVal("b", "t", nullStr), ignore: Ignore{All: true}, want: NoOp, planned: prior, calls: 1},
		"create not ignored": {prior: cty.NilVal, config: thingVal("a", "s", nullStr), ignore: Ignore{All: true}, want: Create, planned: thingVal("a", "s", unknownID), changed: []string{""}, calls: 1},
		"write-only sent": {prior: prior, config: obj("name", str("a"), "size", str("s"), "id", nullStr, "secret", str("hush")),
			want: NoOp, planned: prior, calls: 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScripted(usual)
			got, diags := Plan(t.Context(), p, Request{TypeName: "thing", Prior: tt.prior, Config: tt.config, Tainted: tt.tainted, Ignore: tt.ignore, PriorPrivate: []byte("prior")})
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			if got.Action != tt.want || len(p.asked) != tt.calls {
				t.Errorf("action %s after %d calls, want %s after %d", got.Action, len(p.asked), tt.want, tt.calls)
			}
			wantValue(t, tt.planned, got.Planned)
			wantValue(t, tt.planned, got.Apply.Planned)
			wantValue(t, tt.config, got.Apply.Config)
			if anew := tt.want == Replace || tt.want == Create; anew != absent(got.Apply.Prior) {
				t.Errorf("the apply begins with %#v", got.Apply.Prior)
			}
			if diff := cmp.Diff(tt.changed, changedPaths(got)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// The create half of a replacement starts from nothing but the private data
// of the first plan.
func TestPlanReplaceRequests(t *testing.T) {
	t.Parallel()
	p := newScripted(usual)
	got, diags := Plan(t.Context(), p, Request{TypeName: "thing", Prior: thingVal("a", "s", str("i")), Config: thingVal("b", "t", nullStr),
		PriorPrivate: []byte("prior"), Ignore: Ignore{Paths: []cty.Path{cty.GetAttrPath("size")}}})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	wantValue(t, thingVal("b", "s", str("i")), p.asked[0].ProposedNew)
	wantValue(t, thingVal("b", "t", nullStr), p.asked[1].ProposedNew)
	if !p.asked[1].Prior.IsNull() || string(p.asked[1].PriorPrivate) != "planned" || string(p.asked[0].PriorPrivate) != "prior" {
		t.Errorf("second call: prior %#v, private %q", p.asked[1].Prior, p.asked[1].PriorPrivate)
	}
	if len(got.RequiresReplace) != 1 || !got.RequiresReplace[0].Equals(cty.GetAttrPath("name")) {
		t.Errorf("RequiresReplace = %v", got.RequiresReplace)
	}
}

// As Terraform does, the proposal carries write-only values, which the
// provider then nulls.
func TestPlanWriteOnlyProposed(t *testing.T) {
	t.Parallel()
	config := obj("name", str("a"), "size", str("s"), "id", nullStr, "secret", str("hush"))
	p := newScripted(usual)
	if _, diags := Plan(t.Context(), p, Request{TypeName: "thing", Prior: thingVal("a", "s", str("i")), Config: config}); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	wantValue(t, str("hush"), p.asked[0].ProposedNew.GetAttr("secret"))
	wantValue(t, nullStr, p.asked[0].Prior.GetAttr("secret"))
}

func TestPlanProblems(t *testing.T) {
	t.Parallel()
	good := Request{TypeName: "thing", Prior: thingVal("a", "s", str("i")), Config: thingVal("a", "s", nullStr)}
	answer := func(v cty.Value, edit func(*tfprovider.PlanResponse)) func(tfprovider.PlanRequest) tfprovider.PlanResponse {
		return func(tfprovider.PlanRequest) tfprovider.PlanResponse {
			resp := tfprovider.PlanResponse{Planned: v}
			if edit != nil {
				edit(&resp)
			}
			return resp
		}
	}
	legacy := func(r *tfprovider.PlanResponse) { r.LegacyTypeSystem = true }
	tests := map[string]struct {
		plan  func(tfprovider.PlanRequest) tfprovider.PlanResponse
		req   Request
		codes []string
	}{
		"unknown type":     {usual, Request{TypeName: "other"}, []string{CodeSchemaMissing}},
		"no config":        {usual, Request{TypeName: "thing", Prior: good.Prior}, []string{CodeUnsuitableValue}},
		"wrong prior":      {usual, Request{TypeName: "thing", Prior: cty.True, Config: good.Config}, []string{CodeUnsuitableValue}},
		"no plan":          {answer(cty.NilVal, nil), good, []string{CodeWrongType}},
		"null plan":        {answer(cty.NullVal(thing().ImpliedType()), legacy), good, []string{CodeInvalidPlan}},
		"invalid plan":     {answer(thingVal("x", "s", str("i")), nil), good, []string{CodeInvalidPlan}},
		"legacy plan":      {answer(thingVal("x", "s", str("i")), legacy), good, nil},
		"write-only kept":  {answer(obj("name", str("a"), "size", str("s"), "id", str("i"), "secret", str("hush")), legacy), good, []string{CodeWriteOnlyKept}},
		"replace nonsense": {answer(good.Prior, func(r *tfprovider.PlanResponse) { r.RequiresReplace = []cty.Path{cty.GetAttrPath("nowhere")} }), good, []string{CodeReplacePath}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Plan(t.Context(), newScripted(tt.plan), tt.req)
			var codes []string
			for _, d := range diags {
				codes = append(codes, d.Code)
			}
			if diff := cmp.Diff(tt.codes, codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s\n%v", diff, diags.Err())
			}
		})
	}
}

// A write-only attribute can only ask for replacement by its path.
func TestPlanWriteOnlyReplaces(t *testing.T) {
	t.Parallel()
	p := newScripted(func(req tfprovider.PlanRequest) tfprovider.PlanResponse {
		resp := usual(req)
		resp.RequiresReplace = []cty.Path{cty.GetAttrPath("secret"), cty.GetAttrPath("name"), cty.GetAttrPath("secret")}
		return resp
	})
	got, diags := Plan(t.Context(), p, Request{TypeName: "thing", Prior: thingVal("a", "s", str("i")), Config: thingVal("a", "s", nullStr)})
	if diags.HasErrors() || got.Action != Replace || len(got.RequiresReplace) != 1 {
		t.Errorf("%s %v %v", got.Action, got.RequiresReplace, diags.Err())
	}
}

func TestDestroy(t *testing.T) {
	t.Parallel()
	prior := thingVal("a", "s", str("i"))
	p := newScripted(usual)
	got, diags := Destroy(t.Context(), p, Request{TypeName: "thing", Prior: prior})
	if diags.HasErrors() || got.Action != Delete || !got.Planned.IsNull() || len(p.asked) != 1 {
		t.Errorf("%s %#v %d %v", got.Action, got.Planned, len(p.asked), diags.Err())
	}
	if got, _ := Destroy(t.Context(), p, Request{TypeName: "thing"}); got.Action != NoOp || len(p.asked) != 1 {
		t.Errorf("absent object: %s, %d calls", got.Action, len(p.asked))
	}
	p.plan = func(tfprovider.PlanRequest) tfprovider.PlanResponse { return tfprovider.PlanResponse{Planned: prior} }
	if _, diags := Destroy(t.Context(), p, Request{TypeName: "thing", Prior: prior}); len(diags) != 1 || diags[0].Code != CodeDestroyKept {
		t.Errorf("kept object: %v", diags.Err())
	}
	silent := &scripted{catalog: tfschema.NewCatalog(oneType{block: thing()})}
	if got, diags := Destroy(t.Context(), silent, Request{TypeName: "thing", Prior: prior}); diags.HasErrors() || got.Action != Delete {
		t.Errorf("without plan_destroy: %s %v", got.Action, diags.Err())
	}
}

func TestIgnoreChanges(t *testing.T) {
	t.Parallel()
	b := block(attrs(optional("m", cty.Map(cty.String)), optional("l", cty.List(cty.String)), computed("c", cty.String)))
	val := func(m, l, c cty.Value) cty.Value { return obj("m", m, "l", l, "c", c) }
	key := func(k string) cty.Path { return cty.GetAttrPath("m").IndexString(k) }
	noMap := cty.NullVal(cty.Map(cty.String))
	l := list(str("1"), str("2"))
	tests := map[string]struct {
		prior, config, want cty.Value
		paths               []cty.Path
	}{
		"map key":        {val(mapOf("a", str("1"), "b", str("2")), l, nullStr), val(mapOf("a", str("9"), "b", str("8")), l, nullStr), val(mapOf("a", str("1"), "b", str("8")), l, nullStr), []cty.Path{key("a")}},
		"key not before": {val(mapOf("b", str("2")), l, nullStr), val(mapOf("a", str("9")), l, nullStr), val(cty.MapValEmpty(cty.String), l, nullStr), []cty.Path{key("a")}},
		"key not now":    {val(mapOf("a", str("1")), l, nullStr), val(noMap, l, nullStr), val(mapOf("a", str("1")), l, nullStr), []cty.Path{key("a")}},
		"two keys":       {val(mapOf("a", str("1"), "b", str("2")), l, nullStr), val(mapOf("a", str("9"), "b", str("8")), l, nullStr), val(mapOf("a", str("1"), "b", str("2")), l, nullStr), []cty.Path{key("a"), key("b")}},
		"null both":      {val(noMap, l, nullStr), val(mapOf("a", str("9")), l, nullStr), val(cty.MapValEmpty(cty.String), l, nullStr), []cty.Path{key("a")}},
		"whole map":      {val(noMap, l, nullStr), val(mapOf("a", str("9")), l, nullStr), val(noMap, l, nullStr), []cty.Path{cty.GetAttrPath("m")}},
		"element":        {val(noMap, l, nullStr), val(noMap, list(str("x"), str("y")), nullStr), val(noMap, list(str("x"), str("2")), nullStr), []cty.Path{cty.GetAttrPath("l").IndexInt(1)}},
		"no element":     {val(noMap, list(str("1")), nullStr), val(noMap, l, nullStr), val(noMap, l, nullStr), []cty.Path{cty.GetAttrPath("l").IndexInt(1)}},
		"no such path":   {val(noMap, l, nullStr), val(noMap, l, nullStr), val(noMap, l, nullStr), []cty.Path{cty.GetAttrPath("zzz"), {}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantValue(t, tt.want, IgnoreChanges(b, tt.prior, tt.config, Ignore{Paths: tt.paths}))
		})
	}
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		prior := val(noMap, l, str("c"))
		wantValue(t, val(noMap, l, nullStr), IgnoreChanges(b, prior, val(noMap, list(str("x")), nullStr), Ignore{All: true}))
	})
}

func TestCheckWriteOnly(t *testing.T) {
	t.Parallel()
	wo := func() *tfschema.Attribute {
		return &tfschema.Attribute{Name: "w", Type: cty.String, Optional: true, WriteOnly: true}
	}
	b := block(attrs(wo(), nestedAttr(optional("n", cty.NilType), tfschema.NestingMap, wo())),
		nestedBlock("b", tfschema.NestingList, wo()), nestedBlock("s", tfschema.NestingSingle, wo()))
	kept := obj("w", str("x"))
	v := obj("w", str("x"), "n", mapOf("k", kept), "b", list(obj("w", nullStr), kept), "s", kept)
	var got []string
	for _, d := range CheckWriteOnly(b, v) {
		got = append(got, ctyx.PathString(d.Path))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"b[1].w", `n["k"].w`, "s.w", "w"}, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}
