package tfprovider

import (
	"context"
	"fmt"
	"net"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// answers are what a server says to each RPC, by its name; others are
// unimplemented. Several messages are a stream; nil is a service that cannot
// be reached.
type answers map[string][]proto.Message

// listener takes what a server is asked: the RPC's name, and the request.
type listener func(rpc string, request []byte)

// serve runs a provider that says what no SDK would, and attaches to it.
// method names are those of protocol 6.
func serve(t *testing.T, said answers, listeners ...listener) Provider {
	t.Helper()
	return serveTo(t, Config{}, said, listeners...)
}

// serveTo is serve to a client of another configuration.
func serveTo(t *testing.T, config Config, said answers, listeners ...listener) Provider {
	t.Helper()
	var listening net.ListenConfig
	at, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.ForceServerCodecV2(rawCodec{}), grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error { return said.answer(stream, listeners) }))
	go func() { _ = server.Serve(at) }()
	t.Cleanup(server.Stop)
	reattach := &Reattach{Protocol: "grpc", ProtocolVersion: 6}
	reattach.Addr.Network, reattach.Addr.String = "tcp", at.Addr().String()
	config.Name, config.Reattach = "test", reattach
	p := Launch(config)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func (a answers) answer(stream grpc.ServerStream, listeners []listener) error {
	method, _ := grpc.MethodFromServerStream(stream)
	var request []byte
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	for _, listen := range listeners {
		listen(path.Base(method), request)
	}
	messages, ok := a[path.Base(method)]
	switch {
	case !ok:
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	case messages == nil:
		return status.Error(codes.Unavailable, "the service is down")
	}
	for _, message := range messages {
		data, err := proto.Marshal(message)
		if err != nil {
			return err
		}
		if err := stream.SendMsg(data); err != nil {
			return err
		}
	}
	return nil
}

// bytesMessage is a message of any bytes.
func bytesMessage(data []byte) proto.Message {
	m := &wire.Empty{}
	m.ProtoReflect().SetUnknown(data)
	return m
}

// thingSchema is a GetProviderSchema answer with a resource type, a data
// source, a list and an ephemeral resource, all called "thing" and with the
// attributes name and tokens, a set.
func thingSchema(t testing.TB, capabilities *wire.ServerCapabilities) proto.Message {
	t.Helper()
	schema := &wire.Schema6{Block: &wire.Block6{Attributes: []*wire.Attribute6{
		{Name: "name", Type: []byte(`"string"`), Optional: true},
		{Name: "tokens", Type: []byte(`["set","string"]`), Optional: true},
	}}}
	var out []byte
	for _, field := range []int{fieldResources, fieldDataSources, fieldEphemeral, fieldList} {
		out = appendEntry(t, out, field, "thing", schema)
	}
	return bytesMessage(appendMessage(t, out, fieldCapabilities, capabilities))
}

// thingIdentities is the GetResourceIdentitySchemas answer beside it.
func thingIdentities() proto.Message {
	return &wire.GetResourceIdentitySchemasResponse{IdentitySchemas: map[string]*wire.ResourceIdentitySchema{
		"thing": {IdentityAttributes: []*wire.ResourceIdentitySchema_IdentityAttribute{
			{Name: "name", Type: []byte(`"string"`), RequiredForImport: true},
		}},
	}}
}

func inJSON(text string) *wire.DynamicValue { return &wire.DynamicValue{Json: []byte(text)} }

func jsonIdentity(name string) *wire.ResourceIdentityData {
	return &wire.ResourceIdentityData{IdentityData: inJSON(fmt.Sprintf(`{"name":%q}`, name))}
}

func thing(name string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(name), "tokens": cty.NullVal(cty.Set(cty.String))})
}

func only(m proto.Message) []proto.Message { return []proto.Message{m} }

// TestJSONAnswers takes values in the protocol's other encoding, and answers
// that put a call off.
func TestJSONAnswers(t *testing.T) {
	t.Parallel()
	state := inJSON(`{"name":"a","tokens":null}`)
	deferred := &wire.Deferred{Reason: wire.Deferred_ABSENT_PREREQ}
	renewal := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	p := serve(t, answers{
		"GetProviderSchema":          only(thingSchema(t, &wire.ServerCapabilities{GetProviderSchemaOptional: true, MoveResourceState: true})),
		"GetResourceIdentitySchemas": only(thingIdentities()),
		"ReadResource":               only(&wire.ReadResourceResponse{NewState: state, NewIdentity: jsonIdentity("a"), Deferred: deferred, Private: []byte("p")}),
		"MoveResourceState":          only(&wire.MoveResourceStateResponse{TargetState: state, TargetIdentity: jsonIdentity("a"), TargetPrivate: []byte("p")}),
		"UpgradeResourceIdentity":    only(&wire.UpgradeResourceIdentityResponse{UpgradedIdentity: jsonIdentity("a")}),
		"ImportResourceState": only(&wire.ImportResourceStateResponse{Deferred: &wire.Deferred{Reason: wire.Deferred_PROVIDER_CONFIG_UNKNOWN},
			ImportedResources: []*wire.ImportResourceStateResponse_ImportedResource{{TypeName: "thing", State: state}}}),
		"ReadDataSource": only(&wire.ReadDataSourceResponse{State: state, Deferred: &wire.Deferred{Reason: wire.Deferred_RESOURCE_CONFIG_UNKNOWN}}),
		"OpenEphemeralResource": only(&wire.OpenEphemeralResourceResponse{Result: state, RenewAt: timestamppb.New(renewal),
			Private: []byte("p"), Deferred: &wire.Deferred{}}),
		"RenewEphemeralResource": only(&wire.RenewEphemeralResourceResponse{RenewAt: timestamppb.New(renewal)}),
	})
	ctx := t.Context()
	check := func(what string, got, want any, diags diag.List) {
		t.Helper()
		if err := diags.Err(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
			t.Errorf("%s: got %#v, want %#v", what, got, want)
		}
	}
	identity := cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("a")})
	read, diags := p.ReadResource(ctx, ReadRequest{TypeName: "thing", State: thing("a"), Identity: identity})
	check("read", read, ReadResponse{State: thing("a"), Private: []byte("p"), Identity: identity, Deferred: DeferredAbsentPrereq}, diags)
	moved, diags := p.MoveResourceState(ctx, MoveRequest{TargetTypeName: "thing"})
	check("moved", moved, MoveResponse{State: thing("a"), Private: []byte("p"), Identity: identity}, diags)
	upgraded, diags := p.UpgradeResourceIdentity(ctx, UpgradeIdentityRequest{TypeName: "thing"})
	check("upgraded", upgraded, identity, diags)
	imported, diags := p.ImportResourceState(ctx, ImportRequest{TypeName: "thing", Identity: identity})
	check("imported", imported, []Imported{{TypeName: "thing", State: thing("a"), Deferred: DeferredProviderConfig}}, diags)
	data, diags := p.ReadDataSource(ctx, ReadDataRequest{TypeName: "thing", Config: thing("a")})
	check("data", data, ReadResponse{State: thing("a"), Deferred: DeferredResourceConfig}, diags)
	opened, diags := p.OpenEphemeral(ctx, "thing", thing("a"))
	check("opened", opened, EphemeralResponse{Result: thing("a"), Private: []byte("p"), RenewAt: renewal, Deferred: DeferredUnknownReason}, diags)
	renewed, diags := p.RenewEphemeral(ctx, "thing", nil)
	check("renewed", renewed, EphemeralResponse{RenewAt: renewal}, diags)
}

// TestProviderMeta sends a module's provider_meta with every call that has
// room for it.
func TestProviderMeta(t *testing.T) {
	t.Parallel()
	schema := bytesMessage(appendMessage(t, thingSchema(t, nil).ProtoReflect().GetUnknown(), fieldProviderMeta, &wire.Schema6{
		Block: &wire.Block6{Attributes: []*wire.Attribute6{{Name: "module", Type: []byte(`"string"`), Optional: true}}},
	}))
	sent := map[string][]byte{}
	p := serve(t, answers{"GetProviderSchema": only(schema)}, func(rpc string, request []byte) { sent[rpc] = request })
	meta := cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("m")})
	_, _ = p.ReadDataSource(t.Context(), ReadDataRequest{TypeName: "thing", Config: thing("a"), Meta: meta})
	_, _ = p.ReadResource(t.Context(), ReadRequest{TypeName: "thing", State: thing("a"), Meta: meta})
	_, _ = p.PlanResourceChange(t.Context(), PlanRequest{TypeName: "thing", Prior: thing("a"), ProposedNew: thing("a"), Config: thing("a"), Meta: meta})
	_, _ = p.ApplyResourceChange(t.Context(), ApplyRequest{TypeName: "thing", Prior: thing("a"), Planned: thing("a"), Config: thing("a"), Meta: meta})
	for rpc, m := range map[string]interface {
		proto.Message
		GetProviderMeta() *wire.DynamicValue
	}{
		"ReadDataSource": &wire.ReadDataSourceRequest{}, "ReadResource": &wire.ReadResourceRequest{},
		"PlanResourceChange": &wire.PlanResourceChangeRequest{}, "ApplyResourceChange": &wire.ApplyResourceChangeRequest{},
	} {
		if err := proto.Unmarshal(sent[rpc], m); err != nil {
			t.Fatal(err)
		}
		if got, err := ctyx.DecodeMsgpack(m.GetProviderMeta().GetMsgpack(), meta.Type()); err != nil || !got.RawEquals(meta) {
			t.Errorf("%s has %#v, %v", rpc, got, err)
		}
	}
}

// TestMoveRequest sends all that there is to say of what is moved, also what
// no SDK passes on.
func TestMoveRequest(t *testing.T) {
	t.Parallel()
	var sent []byte
	p := serve(t, answers{
		"GetProviderSchema": only(thingSchema(t, nil)),
		"MoveResourceState": only(&wire.MoveResourceStateResponse{TargetState: inJSON(`{"name":"a","tokens":null}`)}),
	}, func(rpc string, request []byte) {
		if rpc == "MoveResourceState" {
			sent = request
		}
	})
	_, diags := p.MoveResourceState(t.Context(), MoveRequest{
		SourceProvider: "example.com/a/other", SourceTypeName: "other_thing", SourceSchemaVersion: 2,
		SourceState:   RawState{JSON: []byte(`{"a":1}`), Flatmap: map[string]string{"a": "1"}},
		SourcePrivate: []byte("p"), SourceIdentity: []byte(`{"b":2}`), SourceIdentitySchemaVersion: 3,
		TargetTypeName: "thing",
	})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	want := &wire.MoveResourceStateRequest{
		SourceProviderAddress: "example.com/a/other", SourceTypeName: "other_thing", SourceSchemaVersion: 2,
		SourceState:   &wire.RawState{Json: []byte(`{"a":1}`), Flatmap: map[string]string{"a": "1"}},
		SourcePrivate: []byte("p"), SourceIdentity: &wire.RawState{Json: []byte(`{"b":2}`)}, SourceIdentitySchemaVersion: 3,
		TargetTypeName: "thing",
	}
	got := &wire.MoveResourceStateRequest{}
	if err := proto.Unmarshal(sent, got); err != nil || !proto.Equal(want, got) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

// TestOldProvider calls what a provider does not have: every one of them is
// unsupported, and nothing else breaks.
func TestOldProvider(t *testing.T) {
	t.Parallel()
	p := serve(t, answers{"GetProviderSchema": only(thingSchema(t, nil)), "StopProvider": only(&wire.StopResponse{Error: "cannot stop"})})
	catalog, diags := p.Schema(t.Context())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if id, err := catalog.Identity("thing"); id != nil || err != nil {
		t.Errorf("an identity %v, %v", id, err)
	}
	ctx, v := t.Context(), thing("a")
	discard := func(_ any, diags diag.List) diag.List { return diags }
	for name, diags := range map[string]diag.List{
		"GenerateResourceConfig":          discard(p.GenerateResourceConfig(ctx, "thing", v)),
		"MoveResourceState":               discard(p.MoveResourceState(ctx, MoveRequest{TargetTypeName: "thing"})),
		"UpgradeResourceIdentity":         discard(p.UpgradeResourceIdentity(ctx, UpgradeIdentityRequest{TypeName: "thing"})),
		"OpenEphemeralResource":           discard(p.OpenEphemeral(ctx, "thing", v)),
		"RenewEphemeralResource":          discard(p.RenewEphemeral(ctx, "thing", nil)),
		"CloseEphemeralResource":          p.CloseEphemeral(ctx, "thing", nil),
		"ValidateListResourceConfig":      p.ValidateListConfig(ctx, "thing", v),
		"ValidateEphemeralResourceConfig": p.ValidateEphemeralConfig(ctx, "thing", v),
		"ConfigureProvider":               p.Configure(ctx, cty.EmptyObjectVal),
		"ListResource": func() (all diag.List) {
			for e := range p.ListResource(ctx, ListRequest{TypeName: "thing", Config: v}) {
				all = append(all, e.Diagnostics...)
			}
			return all
		}(),
	} {
		if len(diags) != 1 || diags[0].Code != CodeUnsupported || !strings.Contains(diags[0].Detail, "does not implement "+name) {
			t.Errorf("%s: %v", name, diags)
		}
	}
	if err := p.Stop(ctx); err == nil || err.Error() != "cannot stop" {
		t.Errorf("stop: %v", err)
	}
}

// TestStream takes events of every sort: some identify nothing, some come
// again, one is malformed.
func TestStream(t *testing.T) {
	t.Parallel()
	p := serve(t, answers{
		"GetProviderSchema":          only(thingSchema(t, nil)),
		"GetResourceIdentitySchemas": only(thingIdentities()),
		"ListResource": {
			&wire.ListResourceEvent{Diagnostic: []*wire.Diagnostic{{Severity: wire.Diagnostic_WARNING, Summary: "slow"}}},
			&wire.ListResourceEvent{Identity: jsonIdentity("a"), DisplayName: "A\x1b[2J"},
			&wire.ListResourceEvent{Identity: jsonIdentity("a"), DisplayName: "again"},
			&wire.ListResourceEvent{Identity: &wire.ResourceIdentityData{IdentityData: inJSON(`{"name":[]}`)}},
			bytesMessage([]byte{0x0a, 0x7f}),
			&wire.ListResourceEvent{Identity: jsonIdentity("b"), ResourceObject: inJSON(`{"name":"b","tokens":["x"]}`)},
			&wire.ListResourceEvent{Identity: jsonIdentity("beyond the limit")},
		},
	})
	var got []string
	for e := range p.ListResource(t.Context(), ListRequest{TypeName: "thing", Limit: 3}) {
		line := e.DisplayName
		for _, d := range e.Diagnostics {
			line += d.Severity.String() + " " + d.Code + " " + d.Summary
		}
		if e.Object != cty.NilVal {
			line += "object " + e.Object.GetAttr("name").AsString()
		}
		got = append(got, line)
	}
	want := []string{"warning TP0001 slow", "A\ufffd[2J", "error TP0006 Provider test sent a malformed answer",
		"error TP0006 Provider test sent a malformed answer", "object b"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSetsStaySecret has a provider name an element of a set by its value.
func TestSetsStaySecret(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	on := &wire.AttributePath{Steps: []*wire.AttributePath_Step{
		{Selector: &wire.AttributePath_Step_AttributeName{AttributeName: "tokens"}},
		{Selector: &wire.AttributePath_Step_ElementKeyString{ElementKeyString: secret}},
	}}
	p := serve(t, answers{
		"GetProviderSchema": only(thingSchema(t, nil)),
		"ValidateResourceConfig": only(&wire.Outcome{Diagnostics: []*wire.Diagnostic{
			{Summary: "too short", Attribute: on}, {Summary: "odd", Attribute: &wire.AttributePath{Steps: []*wire.AttributePath_Step{{}}}},
		}}),
	})
	diags := p.ValidateResourceConfig(t.Context(), "thing", thing("a"))
	if len(diags) != 2 || ctyx.PathString(diags[0].Path) != "tokens[*]" || diags[1].Path != nil {
		t.Errorf("got %v", diags)
	}
}

// TestLargeAnswer takes a message beyond gRPC's own limit of 4 MiB, and sends
// one.
func TestLargeAnswer(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 8<<20)
	p := serve(t, answers{
		"GetProviderSchema": only(thingSchema(t, nil)),
		"ReadResource":      only(&wire.ReadResourceResponse{NewState: inJSON(`{"name":"` + large + `","tokens":null}`)}),
	})
	resp, diags := p.ReadResource(t.Context(), ReadRequest{TypeName: "thing", State: thing(large)})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := len(resp.State.GetAttr("name").AsString()); got != len(large) {
		t.Errorf("read %d bytes", got)
	}
}

// TestProviderSaysUnavailable keeps the process: that some service cannot be
// reached is no crash.
func TestProviderSaysUnavailable(t *testing.T) {
	t.Parallel()
	p := serve(t, answers{"GetProviderSchema": only(thingSchema(t, nil)), "ReadResource": nil})
	_, diags := p.ReadResource(t.Context(), ReadRequest{TypeName: "thing", State: thing("a")})
	if len(diags) != 1 || diags[0].Code != "TP0005" || !strings.Contains(diags[0].Detail, "the service is down") {
		t.Error(diags)
	}
}

// TestNothingToSend refuses requests that cannot be encoded.
func TestNothingToSend(t *testing.T) {
	t.Parallel()
	p := serve(t, answers{"GetProviderSchema": only(thingSchema(t, nil)), "GetResourceIdentitySchemas": only(thingIdentities())})
	for want, req := range map[string]ImportRequest{
		"TP0008": {TypeName: "thing", ID: "\xff"},
		"TP0014": {TypeName: "thing"},
	} {
		_, diags := p.ImportResourceState(t.Context(), req)
		if len(diags) != 1 || diags[0].Code != want {
			t.Errorf("got %v, want %s", diags, want)
		}
	}
}

// TestNobodyListens attaches to an address where nothing speaks gRPC.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	var listening net.ListenConfig
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("220 mail.example ready\r\n"))
			_ = conn.Close()
		}
	}()
	at := &Reattach{Protocol: "grpc"}
	at.Addr.Network, at.Addr.String = "tcp", listener.Addr().String()
	p := Launch(Config{Name: "test", Reattach: at, StartTimeout: 5 * time.Second})
	defer p.Close()
	_, diags := p.Schema(context.WithoutCancel(t.Context()))
	if len(diags) != 1 || diags[0].Code != CodeNotStarted || !strings.Contains(diags[0].Detail, "does not speak gRPC") {
		t.Errorf("got %v", diags)
	}
}

// TestCapabilities reads what a provider says it can do.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	p := serve(t, answers{"GetProviderSchema": only(thingSchema(t, &wire.ServerCapabilities{
		PlanDestroy: true, GetProviderSchemaOptional: true, MoveResourceState: true, GenerateResourceConfig: true,
	}))})
	catalog, diags := p.Schema(t.Context())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := catalog.Capabilities(); got != (tfschema.Capabilities{
		PlanDestroy: true, GetProviderSchemaOptional: true, MoveResourceState: true, GenerateResourceConfig: true,
	}) {
		t.Errorf("got %+v", got)
	}
}
