package bridge_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/testkit/golden"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestLife leads a resource of each provider through all that can happen to
// it, between real processes. What is said meanwhile is in testdata/life.
func TestLife(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*testing.T) life{
		"estate": estateLife("estate"), "classic": estateLife("classic"), "time": timeLife, "kubernetes": kubernetesLife,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLiving(t, begin(t))
			l.begin(t)
			made := l.born(t)
			made = l.updated(t, made)
			l.refreshed(t, made)
			l.imported(t, made)
			l.asked(t)
			l.refused(t)
			made = l.replaced(t, made)
			if n := l.world.starts(t); n != 1 {
				t.Errorf("the provider was started %d times", n)
			}
			l.crashed(t)
			l.deleted(t, made)
			l.cancelled(t)
			if diff := cmp.Diff(everyMethod(), l.said.methods()); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
			golden.Compare(t, filepath.Join("testdata", "life", name+".txt"), l.said.text(t, l.own...), *update)
		})
	}
}

// everyMethod names what an engine that starts a plugin may call.
func everyMethod() []string {
	names := []string{}
	for _, method := range pulumirpc.ResourceProvider_ServiceDesc.Methods {
		if method.MethodName != "Attach" { // of an engine that does not
			names = append(names, method.MethodName)
		}
	}
	for _, stream := range pulumirpc.ResourceProvider_ServiceDesc.Streams {
		names = append(names, stream.StreamName)
	}
	slices.Sort(names)
	return names
}

// living is a life that is led.
type living struct {
	*pluginprocess.Process
	life
	world *world
	said  *transcript
	// creations counts the calls that had the provider make something.
	creations atomic.Int32
}

// made is a resource as the engine knows it.
type made struct {
	id              string
	inputs, outputs *structpb.Struct
}

func newLiving(t *testing.T, of life) *living {
	t.Helper()
	l := &living{life: of, world: newWorld(t), said: &transcript{}}
	l.world.local(t, "terraform-provider-"+l.pkg, l.world.noting(l.program))
	l.Process = l.world.start(t, pluginprocess.Options{Dir: l.world.dir, Env: l.env, Dial: l.said.dial()})
	l.own = append(l.own, l.world.dir, "DIR")
	return l
}

func (l *living) token() string { return l.pkg + ":index/" + l.typ }

func (l *living) urn() string { return "urn:pulumi:dev::test::" + l.token() + "::it" }

// begin is all that comes before resources.
func (l *living) begin(t *testing.T) {
	t.Helper()
	if _, err := l.Handshake(t.Context(), &pulumirpc.ProviderHandshakeRequest{EngineAddress: l.Engine.Target(), ConfigureWithUrn: true}); err != nil {
		t.Fatal(err)
	}
	parameterize(t, l.Process, args("terraform-provider-"+l.pkg), l.pkg, "0.0.0")
	if _, err := l.GetPluginInfo(t.Context(), &emptypb.Empty{}); err != nil {
		t.Error(err)
	}
	schema(t, l.Process, l.pkg, "0.0.0")
	if listed, err := l.GetMappings(t.Context(), &pulumirpc.GetMappingsRequest{Key: "terraform"}); err != nil || !slices.Equal(listed.GetProviders(), []string{l.pkg}) {
		t.Errorf("got %v, %v", listed, err)
	}
	if mapped, err := l.GetMapping(t.Context(), &pulumirpc.GetMappingRequest{Key: "terraform", Provider: l.pkg}); err != nil || len(mapped.GetData()) == 0 {
		t.Errorf("got %v, %v", mapped, err)
	}
	l.configure(t)
	_, err := l.Construct(t.Context(), &pulumirpc.ConstructRequest{Type: l.token()})
	wantStatus(t, err, codes.Unimplemented)
}

func (l *living) configure(t *testing.T) {
	t.Helper()
	urn := "urn:pulumi:dev::test::pulumi:providers:" + l.pkg + "::default"
	config := object(t, l.config)
	config.Fields["version"] = structpb.NewStringValue("0.0.0")
	checked, err := l.CheckConfig(t.Context(), &pulumirpc.CheckRequest{Urn: urn, News: config})
	if err != nil || len(checked.GetFailures()) > 0 {
		t.Fatal(checked, err)
	}
	same, err := l.DiffConfig(t.Context(), &pulumirpc.DiffRequest{Urn: urn, OldInputs: checked.GetInputs(), Olds: checked.GetInputs(), News: checked.GetInputs()})
	if err != nil || same.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
		t.Errorf("got %v, %v", same, err)
	}
	if _, err := l.Configure(t.Context(), &pulumirpc.ConfigureRequest{
		Args: checked.GetInputs(), AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true,
	}); err != nil {
		t.Fatal(err)
	}
}

func (l *living) check(t *testing.T, olds *structpb.Struct, news string) *structpb.Struct {
	t.Helper()
	checked, err := l.Check(t.Context(), &pulumirpc.CheckRequest{
		Urn: l.urn(), Type: l.token(), Name: "it", Olds: olds, News: object(t, news), RandomSeed: []byte("seed"),
	})
	if err != nil || len(checked.GetFailures()) > 0 {
		t.Fatal(checked, err)
	}
	return checked.GetInputs()
}

func (l *living) diff(t *testing.T, old made, news *structpb.Struct) *pulumirpc.DiffResponse {
	t.Helper()
	diff, err := l.Diff(t.Context(), &pulumirpc.DiffRequest{
		Id: old.id, Urn: l.urn(), Type: l.token(), Name: "it", Olds: old.outputs, OldInputs: old.inputs, News: news,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !diff.GetHasDetailedDiff() {
		t.Errorf("no detailed difference: %v", diff)
	}
	return diff
}

func (l *living) create(ctx context.Context, inputs *structpb.Struct, preview bool) (*pulumirpc.CreateResponse, error) {
	if !preview {
		l.creations.Add(1)
	}
	return l.Create(ctx, &pulumirpc.CreateRequest{Urn: l.urn(), Type: l.token(), Name: "it", Properties: inputs, Preview: preview})
}

// born previews a creation and creates. The engine compares again later.
func (l *living) born(t *testing.T) made {
	t.Helper()
	inputs := l.check(t, nil, l.life.create)
	preview, err := l.create(t.Context(), inputs, true)
	if err != nil {
		t.Fatal(err)
	}
	created, err := l.create(t.Context(), inputs, false)
	if err != nil || created.GetId() == "" {
		t.Fatal(created, err)
	}
	promised(t, preview.GetProperties(), created.GetProperties())
	it := made{created.GetId(), inputs, created.GetProperties()}
	if diff := l.diff(t, it, inputs); diff.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
		t.Errorf("a difference to itself: %v", diff)
	}
	return it
}

// updated changes what can be changed in place.
func (l *living) updated(t *testing.T, old made) made {
	t.Helper()
	news := l.check(t, old.inputs, l.update)
	diff := l.diff(t, old, news)
	if !slices.Equal(diff.GetDiffs(), l.updates) || len(diff.GetReplaces()) > 0 {
		t.Errorf("got %v", diff)
	}
	req := &pulumirpc.UpdateRequest{
		Id: old.id, Urn: l.urn(), Type: l.token(), Name: "it", Olds: old.outputs, OldInputs: old.inputs, News: news, Preview: true,
	}
	preview, err := l.Update(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Preview = false
	updated, err := l.Update(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	promised(t, preview.GetProperties(), updated.GetProperties())
	return made{old.id, news, updated.GetProperties()}
}

// refreshed reads what nobody changed meanwhile.
func (l *living) refreshed(t *testing.T, it made) {
	t.Helper()
	read, err := l.Read(t.Context(), l.reading(it))
	if err != nil || read.GetId() != it.id {
		t.Fatal(read, err)
	}
	if diff := cmp.Diff(plain(it.outputs), plain(read.GetProperties())); diff != "" {
		t.Errorf("a refresh changes: %s", diff)
	}
	if diff := cmp.Diff(it.inputs.AsMap(), read.GetInputs().AsMap()); diff != "" {
		t.Errorf("a refresh changes inputs: %s", diff)
	}
}

func (l *living) reading(it made) *pulumirpc.ReadRequest {
	return &pulumirpc.ReadRequest{Id: it.id, Urn: l.urn(), Type: l.token(), Name: "it", Properties: it.outputs, Inputs: it.inputs}
}

// imported knows no more than an ID.
func (l *living) imported(t *testing.T, it made) {
	t.Helper()
	id := l.importID
	if id == "" {
		id = it.id
	}
	read, err := l.Read(t.Context(), l.reading(made{id: id}))
	if err != nil || read.GetId() == "" || len(read.GetInputs().GetFields()) == 0 {
		t.Fatal(read, err)
	}
	found := made{read.GetId(), read.GetInputs(), read.GetProperties()}
	if diff := l.diff(t, found, found.inputs); diff.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
		t.Errorf("what was imported differs from itself: %v", diff)
	}
}

// asked calls what is no resource.
func (l *living) asked(t *testing.T) {
	t.Helper()
	found, err := l.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: l.pkg + ":index/" + l.invoke[0], Args: object(t, l.invoke[1])})
	if err != nil || len(found.GetReturn().GetFields()) == 0 {
		t.Errorf("got %v, %v", found, err)
	}
	called, err := l.Call(t.Context(), &pulumirpc.CallRequest{Tok: "pulumi:providers:" + l.pkg + "/terraformConfig", Args: object(t, `{"__self__":"ignored"}`)})
	if err != nil || len(called.GetReturn().GetFields()) == 0 {
		t.Errorf("got %v, %v", called, err)
	}
	stream, err := l.List(t.Context(), &pulumirpc.ListRequest{Token: l.token()})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err = stream.Recv(); err == nil; _, err = stream.Recv() {
		n++
	}
	if l.lists != (n > 0) || l.lists != errors.Is(err, io.EOF) {
		t.Errorf("%d are listed: %v", n, err)
	}
}

// refused meets a failure that left nothing behind.
func (l *living) refused(t *testing.T) {
	t.Helper()
	inputs := l.check(t, nil, l.refuse())
	_, err := l.create(t.Context(), inputs, false)
	wantStatus(t, err, codes.FailedPrecondition)
	l.heal()
}

// replaced makes another resource, and deletes the first.
func (l *living) replaced(t *testing.T, old made) made {
	t.Helper()
	inputs := l.check(t, old.inputs, l.replace)
	diff := l.diff(t, old, inputs)
	if !slices.Equal(diff.GetReplaces(), l.replaces) {
		t.Errorf("got %v", diff)
	}
	created, err := l.create(t.Context(), inputs, false)
	if err != nil {
		t.Fatal(err)
	}
	it := made{created.GetId(), inputs, created.GetProperties()}
	l.remove(t, old)
	l.refreshed(t, it)
	return it
}

func (l *living) remove(t *testing.T, it made) {
	t.Helper()
	if _, err := l.Delete(t.Context(), l.deletion(it)); err != nil {
		t.Fatal(err)
	}
}

func (l *living) deletion(it made) *pulumirpc.DeleteRequest {
	return &pulumirpc.DeleteRequest{Id: it.id, Urn: l.urn(), Type: l.token(), Name: "it", Properties: it.outputs, OldInputs: it.inputs}
}

// crashed loses the provider in the middle of a call. What became of that
// nobody knows; the next call finds another process.
func (l *living) crashed(t *testing.T) {
	t.Helper()
	ended := l.hanging(t)
	l.world.kill(t)
	wantStatus(t, <-ended, codes.Unknown, "crashed")
	l.heal()
	inputs := l.check(t, nil, l.life.create)
	created, err := l.create(t.Context(), inputs, false)
	if err != nil {
		t.Fatal(err)
	}
	l.remove(t, made{created.GetId(), inputs, created.GetProperties()})
	if n := l.world.starts(t); n != 2 {
		t.Errorf("the provider was started %d times", n)
	}
}

// hanging begins a creation that does not end, and returns once it is inside
// of the provider.
func (l *living) hanging(t *testing.T) (ended <-chan error) {
	t.Helper()
	inputs := l.check(t, nil, l.hang())
	nth := int(l.creations.Load()) + 1
	creating := make(chan error, 1)
	ctx := context.WithoutCancel(t.Context())
	go func() {
		_, err := l.create(ctx, inputs, false)
		creating <- err
	}()
	for !l.reached(nth, l.Stderr()) {
		select {
		case err := <-creating:
			t.Fatalf("it does not hang: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	return creating
}

// deleted finds nothing any more, neither by a refresh nor by an import.
func (l *living) deleted(t *testing.T, it made) {
	t.Helper()
	l.remove(t, it)
	if l.importID != "" { // what is imported by something else is never gone
		return
	}
	for _, known := range []made{it, {id: it.id}} {
		gone, err := l.Read(t.Context(), l.reading(known))
		if err != nil || !proto.Equal(gone, &pulumirpc.ReadResponse{}) {
			t.Errorf("what is gone: %v, %v", gone, err)
		}
	}
}

// cancelled ends the plugin in the middle of a call: that call ends, others
// are refused, and no process is left. A provider that does not listen goes on
// until the plugin is told to end.
func (l *living) cancelled(t *testing.T) {
	t.Helper()
	ended := l.hanging(t)
	if _, err := l.Cancel(t.Context(), &emptypb.Empty{}); err != nil {
		t.Fatal(err)
	}
	_, err := l.Check(t.Context(), &pulumirpc.CheckRequest{Urn: l.urn()})
	wantStatus(t, err, codes.Canceled, "Check after Cancel")
	if !l.deaf {
		wantFailure(t, <-ended)
	}
	if err := l.End(); err != nil {
		t.Error(err)
	}
	if l.deaf {
		wantFailure(t, <-ended)
	}
	for _, id := range l.world.processes(t) {
		if alive(t, id) {
			t.Errorf("process %s is left", id)
		}
	}
}

func wantFailure(t *testing.T, err error) {
	t.Helper()
	if status.Code(err) == codes.OK {
		t.Error("nothing can have been created")
	}
}

// promised fails where an output is not what a preview said of it.
func promised(t *testing.T, preview, outputs *structpb.Struct) {
	t.Helper()
	after := plain(outputs)
	for name, v := range plain(preview) {
		if text, ok := v.(string); ok && text == unknownString {
			continue
		}
		if diff := cmp.Diff(v, after[name]); diff != "" && !strings.Contains(diff, unknownString) {
			t.Errorf("the preview of %s was wrong: %s", name, diff)
		}
	}
}

// unknownString stands for a string that is not known yet.
const unknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

// plain is what a struct holds, without what the bridge keeps for itself, and
// without empty maps: providers of the old SDK are not sure about these.
func plain(s *structpb.Struct) map[string]any {
	out := s.AsMap()
	delete(out, "__meta")
	delete(out, "__pulumi_raw_state_delta")
	withoutEmpty(out)
	return out
}

func withoutEmpty(in map[string]any) {
	maps.DeleteFunc(in, func(_ string, v any) bool {
		inner, isMap := v.(map[string]any)
		withoutEmpty(inner)
		return isMap && len(inner) == 0
	})
}
