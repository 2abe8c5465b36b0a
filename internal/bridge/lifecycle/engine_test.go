package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

type (
	object = map[string]property.Value
	array  = []property.Value
)

// p makes a property value of a Go value.
func p[T property.GoValue](v T) property.Value { return property.New(v) }

func secret[T property.GoValue](v T) property.Value { return property.New(v).WithSecret(true) }

func unknown() property.Value { return property.New(property.Computed) }

func props(o object) property.Map { return property.NewMap(o) }

// recorder is the log of a test.
type recorder struct {
	mu       sync.Mutex
	warnings diag.List
}

func (r *recorder) Report(_ context.Context, _ string, d *diag.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, d)
}

func (r *recorder) codes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, d := range r.warnings {
		out = append(out, d.Code)
	}
	return out
}

// world is a bridged provider process over an estate.
type world struct {
	*lifecycle.Provider
	log    *recorder
	estate *estate.Server
	name   string
}

func start(t testing.TB, name string, opts estate.Options) world {
	t.Helper()
	w := world{log: &recorder{}, estate: estate.Start(t, opts), name: name}
	terraform := tfprovider.Launch(tfprovider.Config{
		Name: name, Path: build.Binary(t, "terraform-provider-"+name),
		Env: append(os.Environ(), "ESTATE_ENDPOINT="+w.estate.URL, "ESTATE_TOKEN="),
	})
	w.Provider = bridged(t, terraform, w.log)
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	must(t, w.Configure(t.Context(), property.Map{}))
	return w
}

func bridged(t testing.TB, terraform tfprovider.Provider, log lifecycle.Log) *lifecycle.Provider {
	t.Helper()
	catalog, diags := terraform.Schema(t.Context())
	must(t, diags.Err())
	pkg, diags := mapping.New(catalog, mapping.Options{Name: "test", Version: "1.0.0", ProviderName: "test"})
	must(t, diags.Err())
	return lifecycle.New(terraform, pkg, log, inTemp)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// state is what the engine stores of one resource.
type state struct {
	lifecycle.Resource
	id              string
	inputs, outputs property.Map
}

// resource is about one resource called "it".
func resource(token string) lifecycle.Resource {
	return lifecycle.Resource{URN: "urn:pulumi:dev::test::" + token + "::it", Token: token, Name: "it"}
}

// wired sends properties over Pulumi's wire and back.
func wired(t testing.TB, m property.Map) property.Map {
	t.Helper()
	message, err := pvalue.Encode(m, pvalue.Everything())
	must(t, err)
	out, err := pvalue.Decode(message, pvalue.Everything())
	must(t, err)
	return out
}

// check is Check, for inputs that are to pass.
func (w world) check(t testing.TB, of lifecycle.Resource, olds, news property.Map) property.Map {
	t.Helper()
	checked, err := w.Check(t.Context(), lifecycle.CheckRequest{Resource: of, Olds: olds, News: wired(t, news), Seed: []byte("seed")})
	must(t, err)
	if len(checked.Failures) > 0 {
		t.Fatalf("%s: %+v", of.Token, checked.Failures)
	}
	return wired(t, checked.Inputs)
}

// create does what the engine does for a new resource.
func (w world) create(t testing.TB, token string, inputs object) state {
	t.Helper()
	s := state{Resource: resource(token), inputs: w.check(t, resource(token), property.Map{}, props(inputs))}
	preview, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs, Preview: true})
	must(t, err)
	created, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: s.Resource, Inputs: s.inputs})
	must(t, err)
	s.id, s.outputs = created.ID, wired(t, created.Outputs)
	promised(t, preview.Outputs, s.outputs)
	return s
}

// promised checks that all that a preview knew has come true.
func promised(t testing.TB, preview, outputs property.Map) {
	t.Helper()
	for name, v := range preview.All {
		if !v.Equals(outputs.Get(name), property.EqualRelaxComputed) && !v.HasComputed() {
			t.Errorf("preview has %s = %#v, and then it was %#v", name, v, outputs.Get(name))
		}
	}
}

func (w world) diff(t testing.TB, s state, news object, ignore ...string) (property.Map, lifecycle.DiffResponse) {
	t.Helper()
	inputs := w.check(t, s.Resource, s.inputs, props(news))
	diff, err := w.Diff(t.Context(), lifecycle.DiffRequest{
		Resource: s.Resource, ID: s.id, Olds: s.outputs, OldInputs: s.inputs, News: inputs, IgnoreChanges: ignore,
	})
	must(t, err)
	return inputs, diff
}

// update does what the engine does for a change that replaces nothing.
func (w world) update(t testing.TB, s state, news object, ignore ...string) state {
	t.Helper()
	inputs, diff := w.diff(t, s, news, ignore...)
	if len(diff.Changed) == 0 || len(diff.Replaces) > 0 {
		t.Fatalf("not an update: %+v", diff)
	}
	req := lifecycle.UpdateRequest{
		Resource: s.Resource, ID: s.id, Olds: s.outputs, News: inputs, IgnoreChanges: ignore, Preview: true,
	}
	preview, err := w.Update(t.Context(), req)
	must(t, err)
	req.Preview = false
	updated, err := w.Update(t.Context(), req)
	must(t, err)
	promised(t, preview.Outputs, updated.Outputs)
	s.inputs, s.outputs = inputs, wired(t, updated.Outputs)
	return s
}

func (w world) refresh(t testing.TB, s state) (state, bool) {
	t.Helper()
	read, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: s.Resource, ID: s.id, Outputs: s.outputs, Inputs: s.inputs})
	must(t, err)
	if read.ID == "" {
		return s, false
	}
	s.id, s.outputs, s.inputs = read.ID, wired(t, read.Outputs), wired(t, read.Inputs)
	return s, true
}

// imported imports and then says what a program of the inputs would change.
func (w world) imported(t testing.TB, token, id string) state {
	t.Helper()
	s := state{Resource: resource(token), id: id}
	read, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: s.Resource, ID: id})
	must(t, err)
	if read.ID == "" {
		t.Fatalf("%s %q is not there", token, id)
	}
	s.id, s.outputs, s.inputs = read.ID, wired(t, read.Outputs), wired(t, read.Inputs)
	return s
}

// unchanged checks that a program of the stored inputs changes nothing.
func (w world) unchanged(t testing.TB, s state) {
	t.Helper()
	if _, diff := w.diff(t, s, s.inputs.AsMap()); len(diff.Detailed) > 0 {
		t.Errorf("%s %s differs: %+v", s.Token, s.id, diff.Detailed)
	}
}

func (w world) delete(t testing.TB, s state) {
	t.Helper()
	must(t, w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: s.Resource, ID: s.id, Outputs: s.outputs}))
}

// code is the first code in an error.
func code(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Code
	}
	return ""
}

func text(v property.Value) string {
	if !v.IsString() {
		return ""
	}
	return v.AsString()
}

// fromJSON is an object of strings.
func fromJSON(t testing.TB, text string) property.Map {
	t.Helper()
	var members map[string]string
	must(t, json.Unmarshal([]byte(text), &members))
	out := object{}
	for name, v := range members {
		out[name] = p(v)
	}
	return props(out)
}

// refused checks failures by pairs of a property and a part of the reason.
func refused(t testing.TB, got []lifecycle.Failure, want ...string) {
	t.Helper()
	ok := len(got) == len(want)/2
	for i := 0; ok && i < len(got); i++ {
		ok = got[i].Property == want[2*i] && strings.Contains(got[i].Reason, want[2*i+1])
	}
	if !ok {
		t.Errorf("got %+v, want %q", got, want)
	}
}

// inTemp makes files of text assets in a place that is not there.
func inTemp(_ context.Context, v property.Value) (string, error) {
	if !v.IsAsset() {
		return "", errors.New("no room")
	}
	return "/assets/" + v.AsAsset().Text, nil
}
