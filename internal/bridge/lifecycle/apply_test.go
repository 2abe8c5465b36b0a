package lifecycle_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// outcome is how a create or update ended, in a word.
func outcome(err error) string {
	var failed *lifecycle.InitFailedError
	var unclear *lifecycle.UnknownOutcomeError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &failed):
		return "kept"
	case errors.As(err, &unclear):
		return "unclear"
	default:
		return "failed"
	}
}

// TestApplyFaults says what each fault of an apply leaves behind.
func TestApplyFaults(t *testing.T) {
	t.Parallel()
	null := cty.NullVal(fakeSchema().Block.ImpliedType())
	for label, test := range map[string]struct {
		applied        func(*tfprovider.ApplyResponse) diag.List
		create, update string
		code           string // of the error, or of the warning
	}{
		"refused": {func(r *tfprovider.ApplyResponse) diag.List { r.State = null; return said() }, "failed", "failed", "TP0001"},
		"halfway": {func(*tfprovider.ApplyResponse) diag.List { return said() }, "kept", "kept", "TP0001"},
		"nothing changed": {func(r *tfprovider.ApplyResponse) diag.List {
			r.State = with(r.State, "key", cty.NullVal(cty.String))
			return said()
		}, "kept", "failed", "TP0001"},
		"halfway, unknown values": {func(r *tfprovider.ApplyResponse) diag.List {
			r.State = with(r.State, "arn", cty.UnknownVal(cty.String))
			return said()
		}, "kept", "kept", "TP0001"},
		"unknown values": {func(r *tfprovider.ApplyResponse) diag.List {
			r.State = with(r.State, "arn", cty.UnknownVal(cty.String))
			return nil
		}, "kept", "kept", "LC0010"},
		"no state": {func(r *tfprovider.ApplyResponse) diag.List { r.State = cty.NilVal; return nil }, "failed", "failed", "LC0009"},
		"crashed": {func(r *tfprovider.ApplyResponse) diag.List {
			*r = tfprovider.ApplyResponse{}
			return fault(tfprovider.CodeCrashed)
		}, "unclear", "unclear", "TP0003"},
		"not started": {func(r *tfprovider.ApplyResponse) diag.List {
			*r = tfprovider.ApplyResponse{}
			return fault(tfprovider.CodeNotStarted)
		}, "failed", "failed", "TP0002"},
		"inconsistent": {func(r *tfprovider.ApplyResponse) diag.List {
			r.State = with(r.State, "zone", cty.StringVal("q"))
			return nil
		}, "done", "done", "LC0007"},
		"legacy": {func(r *tfprovider.ApplyResponse) diag.List {
			r.State, r.LegacyTypeSystem = with(r.State, "zone", cty.StringVal("q")), true
			return nil
		}, "done", "done", ""},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			w := faked(t, f)
			s := stored(t, w, object{})
			f.applied = func(_ context.Context, _ tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
				return test.applied(resp)
			}
			_, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs})
			ended(t, w, "create", err, test.create, test.code)
			_, err = w.Update(t.Context(), lifecycle.UpdateRequest{
				Resource: s.Resource, Olds: s.outputs, News: s.inputs.Set("key", p("k")),
			})
			ended(t, w, "update", err, test.update, test.code)
			var failed *lifecycle.InitFailedError
			if errors.As(err, &failed) && (failed.ID != "made" || len(failed.Reasons) != 1 || label != "nothing changed" && !failed.Outputs.Get("key").Equals(secret("k"))) {
				t.Errorf("kept %+v", failed)
			}
		})
	}
}

// TestApplyGivenUp tells an update that its caller gave up from one that the
// provider refused, though the provider answers the same.
func TestApplyGivenUp(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{})
	req := lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: s.inputs.Set("key", p("k"))}
	ctx, cancel := context.WithCancel(t.Context())
	f.applied = func(_ context.Context, req tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
		resp.State = req.Prior
		return said()
	}
	_, err := w.Update(ctx, req)
	ended(t, w, "refused", err, "failed", "TP0001")
	refuse := f.applied
	f.applied = func(ctx context.Context, req tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
		cancel()
		return refuse(ctx, req, resp)
	}
	_, err = w.Update(ctx, req)
	ended(t, w, "given up", err, "unclear", "TP0001")
}

func ended(t testing.TB, w world, what string, err error, want, wantCode string) {
	t.Helper()
	got := code(err)
	if codes := w.log.codes(); got == "" && len(codes) > 0 {
		got = codes[0]
	}
	if outcome(err) != want || got != wantCode {
		t.Errorf("%s: %s with %s, want %s with %s: %v", what, outcome(err), got, want, wantCode, err)
	}
}

func with(v cty.Value, name string, attr cty.Value) cty.Value {
	vals := v.AsValueMap()
	vals[name] = attr
	return cty.ObjectVal(vals)
}

func fault(code string) diag.List { return diag.List{diag.Errorf(code, "Fault", "")} }

// TestPrivateAndIdentity carry through a life what the provider keeps.
func TestPrivateAndIdentity(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.identity = &tfschema.Identity{Version: 1, Attributes: []*tfschema.IdentityAttribute{{Name: "id", Type: cty.String, RequiredForImport: true}}}
	identity := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("made")})
	f.applied = func(_ context.Context, req tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
		if string(req.PlannedPrivate) != "planned" {
			t.Errorf("planned private is %q", req.PlannedPrivate)
		}
		resp.Private, resp.Identity = []byte("applied"), identity
		return nil
	}
	f.capabilities.PlanDestroy = true
	f.planned = func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		if !req.Prior.IsNull() && (string(req.PriorPrivate) != "applied" || !req.PriorIdentity.RawEquals(identity)) {
			t.Errorf("prior private is %q, identity %#v", req.PriorPrivate, req.PriorIdentity)
		}
		resp.Private = []byte("planned")
		return nil
	}
	f.read = func(req tfprovider.ReadRequest, _ *tfprovider.ReadResponse) diag.List {
		if string(req.Private) != "applied" || !req.Identity.RawEquals(identity) {
			t.Errorf("read with private %q, identity %#v", req.Private, req.Identity)
		}
		return nil
	}
	w := faked(t, f)
	s := stored(t, w, object{})
	s, _ = w.refresh(t, s)
	s = w.update(t, s, s.inputs.Set("key", p("k")).AsMap())
	w.delete(t, s)
}

// TestDelete keeps a resource whose deletion failed, in whatever way.
func TestDelete(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{})
	remove := func() error {
		return w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: s.Resource, Outputs: s.outputs})
	}
	answer := func(diags diag.List, state cty.Value) {
		f.applied = func(_ context.Context, _ tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
			resp.State = state
			return diags
		}
	}
	answer(said(), cty.NilVal)
	ended(t, w, "refused", remove(), "failed", "TP0001")
	answer(fault(tfprovider.CodeCrashed), cty.NilVal)
	ended(t, w, "crashed", remove(), "unclear", "TP0003")
	answer(nil, f.thing(nil))
	ended(t, w, "with a state left", remove(), "done", "LC0008")
	answer(nil, cty.NilVal)
	must(t, remove())
}

// TestDeferred is an error but in a preview.
func TestDeferred(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{})
	f.planned = func(_ tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		resp.Deferred = tfprovider.DeferredAbsentPrereq
		return nil
	}
	f.read = func(_ tfprovider.ReadRequest, resp *tfprovider.ReadResponse) diag.List {
		resp.Deferred = "something new"
		return nil
	}
	preview, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs, Preview: true})
	if err != nil || !preview.Outputs.Get("arn").IsComputed() {
		t.Errorf("got %#v, %v", preview, err)
	}
	_, err = w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs})
	ended(t, w, "create", err, "failed", "LC0006")
	_, err = w.Read(t.Context(), lifecycle.ReadRequest{Resource: s.Resource, Outputs: s.outputs, Inputs: s.inputs})
	ended(t, w, "read", err, "failed", "LC0006")
}

// TestUnknownInputs are for previews: nothing is made of a part of them.
func TestUnknownInputs(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{})
	f.applied = func(context.Context, tfprovider.ApplyRequest, *tfprovider.ApplyResponse) diag.List {
		t.Error("it was applied")
		return nil
	}
	news := s.inputs.Set("key", unknown())
	_, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: news})
	ended(t, w, "create", err, "failed", "LC0024")
	_, err = w.Update(t.Context(), lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: news})
	ended(t, w, "update", err, "failed", "LC0024")
	if _, err := w.Update(t.Context(), lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: news, Preview: true}); err != nil {
		t.Error(err)
	}
}

// TestReplaceInUpdate refuses what would need another resource.
func TestReplaceInUpdate(t *testing.T) {
	t.Parallel()
	w := faked(t, newFake())
	s := stored(t, w, object{})
	_, err := w.Update(t.Context(), lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: s.inputs.Set("zone", p("y"))})
	ended(t, w, "update", err, "failed", "LC0011")
}

// TestNoOpUpdate applies nothing and reads again: the engine asks for it to
// clear what went wrong earlier.
func TestNoOpUpdate(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	s := stored(t, w, object{})
	f.applied = func(context.Context, tfprovider.ApplyRequest, *tfprovider.ApplyResponse) diag.List { return said() }
	update := func() (lifecycle.UpdateResponse, error) {
		return w.Update(t.Context(), lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: s.inputs})
	}
	f.read = func(req tfprovider.ReadRequest, resp *tfprovider.ReadResponse) diag.List {
		vals := req.State.AsValueMap()
		vals["arn"] = cty.StringVal("since then")
		resp.State = cty.ObjectVal(vals)
		return nil
	}
	updated, err := update()
	if got := text(updated.Outputs.Get("arn")); err != nil || got != "since then" {
		t.Errorf("got %q, %v", got, err)
	}
	f.read = func(req tfprovider.ReadRequest, resp *tfprovider.ReadResponse) diag.List {
		resp.State, resp.Known, resp.AsSent = req.State, true, true
		return nil
	}
	if updated, err = update(); err != nil || !updated.Outputs.Equals(s.outputs) {
		t.Errorf("read as it was, it is %#v, %v; want %#v", updated.Outputs, err, s.outputs)
	}
	f.read = func(_ tfprovider.ReadRequest, resp *tfprovider.ReadResponse) diag.List {
		resp.State = cty.NullVal(resp.State.Type())
		return nil
	}
	_, err = update()
	ended(t, w, "update", err, "failed", "LC0023")
	f.read = func(tfprovider.ReadRequest, *tfprovider.ReadResponse) diag.List { return said() }
	_, err = update()
	ended(t, w, "update", err, "failed", tfprovider.CodeProvider)
}

// TestTimeouts tells the provider a timeout that the program does not, and
// leaves no trace of it.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.capabilities.PlanDestroy = true
	var told []string
	f.applied = func(_ context.Context, req tfprovider.ApplyRequest, _ *tfprovider.ApplyResponse) diag.List {
		v := req.Planned
		if v.IsNull() {
			v = req.Prior
		}
		told = append(told, strings.ReplaceAll(timeouts(v), " ", "")+string(req.PlannedPrivate))
		return nil
	}
	w := faked(t, f)
	s := stored(t, w, object{})
	own := stored(t, w, object{"timeouts": p(object{"create": p("1h"), "update": p("2h")})})
	told = nil
	for _, s := range []state{s, own} {
		created, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs, Timeout: 90 * time.Second})
		must(t, err)
		if !created.Outputs.Equals(s.outputs) {
			t.Errorf("got %#v, want %#v", created.Outputs, s.outputs)
		}
		_, err = w.Update(t.Context(), lifecycle.UpdateRequest{
			Resource: s.Resource, Olds: s.outputs, News: s.inputs.Set("key", p("k")), Timeout: time.Minute,
		})
		must(t, err)
		must(t, w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: s.Resource, Outputs: s.outputs, Timeout: time.Second}))
	}
	want := []string{"create=1m30s", "update=1m0s", "delete=1s", "create=1hupdate=2h", "create=1hupdate=2h", "create=1hdelete=1supdate=2h"}
	if d := cmp.Diff(want, told); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestAsPlanned stores what an apply answered, be it the plan or not. Of a plan
// the outputs are made ahead.
func TestAsPlanned(t *testing.T) {
	t.Parallel()
	encoded := func(v cty.Value) []byte {
		data, err := ctyx.EncodeMsgpack(v, v.Type())
		must(t, err)
		return data
	}
	for name, test := range map[string]struct {
		answer  string
		timeout time.Duration
	}{
		"the plan":                    {answer: "planned"},
		"the plan, told a timeout":    {answer: "planned", timeout: time.Minute},
		"something else":              {answer: "made"},
		"something else in good time": {answer: "made", timeout: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			f.planned = func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
				resp.Planned, resp.Known = with(req.ProposedNew, "arn", cty.StringVal("planned")), !req.Prior.IsNull()
				return nil
			}
			f.applied = func(_ context.Context, req tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
				if !req.Prior.IsNull() {
					resp.State, resp.LegacyTypeSystem = with(req.Planned, "arn", cty.StringVal(test.answer)), true
				}
				resp.Known, resp.AsPlanned = true, tfprovider.KeptIn(encoded(resp.State), encoded(req.Planned))
				return nil
			}
			w := faked(t, f)
			s := stored(t, w, object{"zone": p("a")})
			updated, err := w.Update(t.Context(), lifecycle.UpdateRequest{
				Resource: s.Resource, Olds: s.outputs, News: s.inputs.Set("key", p("k")), Timeout: test.timeout,
			})
			must(t, err)
			f.upgraded = func(_ tfprovider.UpgradeStateRequest, v cty.Value) (cty.Value, diag.List) {
				if got := v.GetAttr("arn").AsString() + " " + v.GetAttr("key").AsString() + " " + timeouts(v); got != test.answer+" k none" {
					t.Errorf("stored is %q", got)
				}
				return v, nil
			}
			if got := text(updated.Outputs.Get("arn")); got != test.answer {
				t.Errorf("got %q", got)
			}
			_, err = w.Read(t.Context(), lifecycle.ReadRequest{Resource: s.Resource, ID: "i", Outputs: updated.Outputs, Inputs: s.inputs})
			must(t, err)
		})
	}
}

// timeouts are the timeouts in a state as text.
func timeouts(v cty.Value) string {
	var b strings.Builder
	if v = v.GetAttr("timeouts"); v.IsNull() {
		return "none"
	}
	for _, name := range []string{"create", "delete", "update"} {
		if t := v.GetAttr(name); !t.IsNull() {
			b.WriteString(name + "=" + t.AsString() + " ")
		}
	}
	return b.String()
}

// TestSDKTimeouts has a provider of the older SDK learn the timeout of a
// delete, which it looks up in its private state.
func TestSDKTimeouts(t *testing.T) {
	t.Parallel()
	const key = "e2bfb730-ecaa-11e6-8f88-34363bc7c4c0"
	for private, want := range map[string]string{
		`{"` + key + `":{"create":1,"delete":2}}`: `{"` + key + `":{"create":1,"delete":1000000000}}`,
		`{"schema_version":"1"}`:                  `{"schema_version":"1"}`,
		`{"` + key + `":7}`:                       `{"` + key + `":7}`,
		"bytes":                                   "bytes",
	} {
		f := newFake()
		f.applied = func(_ context.Context, req tfprovider.ApplyRequest, resp *tfprovider.ApplyResponse) diag.List {
			if resp.Private = []byte(private); req.Planned.IsNull() && string(req.PlannedPrivate) != want {
				t.Errorf("private %s became %s", private, req.PlannedPrivate)
			}
			return nil
		}
		w := faked(t, f)
		s := stored(t, w, object{})
		must(t, w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: s.Resource, Outputs: s.outputs, Timeout: time.Second}))
	}
}

// TestImportFaults takes exactly one resource, of the type asked for.
func TestImportFaults(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := faked(t, f)
	one := tfprovider.Imported{TypeName: "test_thing", State: f.thing(map[string]cty.Value{"zone": cty.StringVal("z")})}
	other, later := one, one
	other.TypeName, later.Deferred = "test_other", tfprovider.DeferredResourceConfig
	for want, found := range map[string][]tfprovider.Imported{
		"LC0012": nil, "LC0013": {other}, "LC0006": {later}, "": {one},
	} {
		f.imported = func(tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) { return found, nil }
		read, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: resource(thingToken), ID: "x"})
		if code(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if want == "" && read.ID != mapping.MissingID {
			t.Errorf("got %+v", read)
		}
	}
	f.imported = func(tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
		return []tfprovider.Imported{one, one}, nil
	}
	if _, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: resource(thingToken), ID: "x"}); code(err) != "LC0012" {
		t.Errorf("got %v", err)
	}
}

// TestImportedInputs leaves out what the provider gives by itself or does not
// accept, and what is deprecated.
func TestImportedInputs(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.validated = func(config cty.Value) diag.List {
		if !config.GetAttr("name").IsNull() && !config.GetAttr("name_prefix").IsNull() {
			return append(said("nonsense"), append(said("name"), said("name_prefix")...)...)
		}
		return nil
	}
	f.planned = func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		if req.Config.GetAttr("size").IsNull() && req.Prior.IsNull() {
			resp.Planned = with(resp.Planned, "size", cty.NumberIntVal(3))
		}
		return nil
	}
	w := faked(t, f)
	imported := func(more map[string]cty.Value) property.Map {
		t.Helper()
		attrs := map[string]cty.Value{"id": cty.StringVal("x"), "arn": cty.StringVal("a"), "zone": cty.StringVal("z"), "size": cty.NumberIntVal(3)}
		for name, v := range more {
			attrs[name] = v
		}
		f.imported = func(tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
			return []tfprovider.Imported{{TypeName: "test_thing", State: f.thing(attrs)}}, nil
		}
		return w.imported(t, thingToken, "x").inputs
	}
	for label, test := range map[string]struct {
		more map[string]cty.Value
		want object
	}{
		"defaults": {nil, object{"zone": p("z")}},
		"others": {
			map[string]cty.Value{"size": cty.NumberIntVal(4), "key": cty.StringVal("k")},
			object{"zone": p("z"), "size": p(4.0), "key": secret("k")},
		},
		"deprecated, and needed": {map[string]cty.Value{"old": cty.StringVal("o")}, object{"zone": p("z"), "old": p("o")}},
		"conflict": {
			map[string]cty.Value{"name": cty.StringVal("n"), "name_prefix": cty.StringVal("n")},
			object{"zone": p("z"), "namePrefix": p("n")},
		},
		"zero, and needed": {map[string]cty.Value{"items": cty.ListValEmpty(cty.String)}, object{"zone": p("z"), "items": p(array{})}},
	} {
		if got := imported(test.more); !got.Equals(props(test.want)) {
			t.Errorf("%s: got %#v", label, got)
		}
	}
}

// TestBroken bridges a provider process that misbehaves.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ mode, call, want string }{
		{"fail", "PlanResourceChange", "TP0005"},
		{"exit-in-call", "PlanResourceChange", "TP0003"},
		{"malformed", "PlanResourceChange", "TP0006"},
		{"wrong-type", "PlanResourceChange", "TP0006"},
		{"no-state", "PlanResourceChange", "TN0001"},
		{"odd-diags", "ValidateResourceConfig", ""},
		{"chatty", "PlanResourceChange", ""},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			terraform := tfprovider.Launch(tfprovider.Config{
				Name: "broken", Path: build.Binary(t, "terraform-provider-broken"),
				Env: append(os.Environ(), "BROKEN_MODE="+test.mode, "BROKEN_CALL="+test.call),
			})
			w := world{log: &recorder{}}
			w.Provider = bridged(t, terraform, w.log)
			t.Cleanup(func() { _ = w.Close(context.Background()) })
			must(t, w.Configure(t.Context(), property.Map{}))
			inputs := w.check(t, resource(thingToken), property.Map{}, props(object{"name": p("n")}))
			_, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: resource(thingToken), Inputs: inputs})
			if code(err) != test.want || outcome(err) == "kept" || outcome(err) == "unclear" {
				t.Errorf("got %s: %v", outcome(err), err)
			}
		})
	}
}
