package bridge_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

// estatePlugin is a bridge that is an estate's provider, configured.
type estatePlugin struct {
	*pluginprocess.Process
	estate *estate.Server
	world  *world
	pkg    string
}

func startEstate(t *testing.T, pkg string) *estatePlugin {
	t.Helper()
	e := &estatePlugin{estate: estate.Start(t, estate.Options{}), world: newWorld(t), pkg: pkg}
	e.world.local(t, "terraform-provider-"+pkg, e.world.provider(t, pkg))
	e.world.env = append(e.world.env, "ESTATE_ENDPOINT="+e.estate.URL, "ESTATE_TOKEN=")
	e.Process = e.world.bridge(t)
	e.configure(t)
	return e
}

// configure brings a plugin to where it can work, as the engine does.
func (e *estatePlugin) configure(t *testing.T) {
	t.Helper()
	if _, err := e.Handshake(t.Context(), &pulumirpc.ProviderHandshakeRequest{EngineAddress: e.Engine.Target(), ConfigureWithUrn: true}); err != nil {
		t.Fatal(err)
	}
	parameterize(t, e.Process, args("terraform-provider-"+e.pkg), e.pkg, "0.0.0")
	urn := "urn:pulumi:dev::test::pulumi:providers:" + e.pkg + "::default"
	checked, err := e.CheckConfig(t.Context(), &pulumirpc.CheckRequest{Urn: urn, News: object(t, `{"version":"0.0.0"}`)})
	if err != nil || len(checked.GetFailures()) > 0 {
		t.Fatal(checked, err)
	}
	configured, err := e.Configure(t.Context(), &pulumirpc.ConfigureRequest{
		Args: checked.GetInputs(), AcceptSecrets: true, AcceptResources: true, SendsOldInputs: true, SendsOldInputsToDelete: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !configured.GetAcceptSecrets() || !configured.GetSupportsPreview() {
		t.Errorf("got %v", configured)
	}
}

func object(t *testing.T, text string) *structpb.Struct {
	t.Helper()
	var out structpb.Struct
	if err := out.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return &out
}

// network is the token and URN of a network.
func (e *estatePlugin) network() (token, urn string) {
	token = e.pkg + ":index/network:Network"
	return token, "urn:pulumi:dev::test::" + token + "::net"
}

func (e *estatePlugin) check(t *testing.T, news string) *structpb.Struct {
	t.Helper()
	token, urn := e.network()
	checked, err := e.Check(t.Context(), &pulumirpc.CheckRequest{Urn: urn, Type: token, Name: "net", News: object(t, news), RandomSeed: []byte("seed")})
	if err != nil {
		t.Fatal(err)
	}
	if len(checked.GetFailures()) > 0 {
		t.Fatal(checked.GetFailures())
	}
	return checked.GetInputs()
}

func (e *estatePlugin) create(t *testing.T, inputs *structpb.Struct) *pulumirpc.CreateResponse {
	t.Helper()
	token, urn := e.network()
	created, err := e.Create(t.Context(), &pulumirpc.CreateRequest{Urn: urn, Type: token, Name: "net", Properties: inputs})
	if err != nil {
		t.Fatal(err)
	}
	return created
}

// TestCheckFailures reports what is wrong with inputs.
func TestCheckFailures(t *testing.T) {
	t.Parallel()
	e := startEstate(t, "estate")
	token, urn := e.network()
	checked, err := e.Check(t.Context(), &pulumirpc.CheckRequest{Urn: urn, Type: token, Name: "net", News: object(t, `{"name":"main","mtu":"many"}`)})
	if err != nil {
		t.Fatal(err)
	}
	var properties []string
	for _, f := range checked.GetFailures() {
		properties = append(properties, f.GetProperty())
		if f.GetReason() == "" {
			t.Errorf("%s fails without a reason", f.GetProperty())
		}
	}
	if slices.Sort(properties); !slices.Contains(properties, "mtu") && !slices.Contains(properties, "cidr") {
		t.Errorf("failures %v", checked.GetFailures())
	}
	_, err = e.Check(t.Context(), &pulumirpc.CheckRequest{Urn: urn, Type: e.pkg + ":index/netwerk:Netwerk"})
	wantStatus(t, err, codes.NotFound, e.pkg+":index/netwerk:Netwerk", token)
	_, err = e.Check(t.Context(), &pulumirpc.CheckRequest{Urn: urn, Type: token, News: object(t, `{"a":{"4dabf18193072939515e22adb298388d":"b"}}`)})
	wantStatus(t, err, codes.InvalidArgument, "The news of the request cannot be read", "a")
}

// TestFailedUpdate meets an API that refuses an update. One provider says that
// nothing happened, which is a known failure; the other, of the old SDK, says
// that it did in part, and that is kept.
func TestFailedUpdate(t *testing.T) {
	t.Parallel()
	for pkg, want := range map[string]codes.Code{"estate": codes.FailedPrecondition, "classic": codes.Unknown} {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			e := startEstate(t, pkg)
			_, urn := e.network()
			inputs := e.check(t, `{"name":"main","cidr":"10.0.0.0/16"}`)
			created := e.create(t, inputs)
			e.estate.SetFaults(estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpUpdate}, Message: "locked for now"}}})
			_, err := e.Update(t.Context(), &pulumirpc.UpdateRequest{
				Id: created.GetId(), Urn: urn, Olds: created.GetProperties(), OldInputs: inputs,
				News: e.check(t, `{"name":"main","cidr":"10.0.0.0/16","description":"new"}`),
			})
			wantStatus(t, err, want, "locked for now")
			kept := initFailed(err)
			if (kept != nil) != (want == codes.Unknown) {
				t.Fatalf("kept %v", kept)
			}
			if kept != nil && (kept.GetId() != created.GetId() || len(kept.GetReasons()) != 1 || kept.GetProperties().GetFields()["arn"] == nil) {
				t.Errorf("kept %v", kept)
			}
		})
	}
}

// initFailed is what an error has the engine keep of a resource, or nil.
func initFailed(err error) *pulumirpc.ErrorResourceInitFailed {
	for _, detail := range status.Convert(err).Details() {
		if failed, ok := detail.(*pulumirpc.ErrorResourceInitFailed); ok {
			return failed
		}
	}
	return nil
}

// TestCrash has the provider die of itself in the middle of a call. Its last
// words are the user's, and the next call finds another process.
func TestCrash(t *testing.T) {
	t.Parallel()
	for _, pkg := range []string{"estate", "classic"} {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			e := startEstate(t, pkg)
			_, urn := e.network()
			inputs := e.check(t, `{"name":"main","cidr":"10.0.0.0/16"}`)
			e.estate.SetFaults(estate.Faults{Crash: []estate.Crash{{Target: estate.Target{Op: estate.OpCreate}, Message: "out of cheese"}}})
			_, err := e.Create(t.Context(), &pulumirpc.CreateRequest{Urn: urn, Properties: inputs})
			wantStatus(t, err, codes.Unknown, "crashed", "out of cheese")
			e.estate.SetFaults(estate.Faults{})
			e.create(t, inputs)
		})
	}
}

// TestConfigurations configures providers in ways that are wrong.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-estate", w.provider(t, "estate"))
	p := w.bridge(t, "ESTATE_ENDPOINT=", "ESTATE_TOKEN=")
	parameterize(t, p, args("terraform-provider-estate"), "estate", "0.0.0")
	urn := "urn:pulumi:dev::test::pulumi:providers:estate::default"
	checked, err := p.CheckConfig(t.Context(), &pulumirpc.CheckRequest{Urn: urn, News: object(t, `{"endpont":"http://localhost:1"}`)})
	if err != nil || len(checked.GetFailures()) != 1 {
		t.Fatal(checked, err)
	}
	if f := checked.GetFailures()[0]; !strings.Contains(f.GetProperty()+f.GetReason(), "endpont") {
		t.Errorf("got %v", f)
	}
	compared, err := p.DiffConfig(t.Context(), &pulumirpc.DiffRequest{
		Urn: urn, OldInputs: object(t, `{"endpoint":"http://a"}`), News: object(t, `{"endpoint":"http://b"}`),
	})
	if err != nil || !slices.Equal(compared.GetDiffs(), []string{"endpoint"}) {
		t.Errorf("got %v, %v", compared, err)
	}
	// Engines of old have no arguments.
	estate := estate.Start(t, estate.Options{})
	_, err = p.Configure(t.Context(), &pulumirpc.ConfigureRequest{
		Variables: map[string]string{"estate:config:endpoint": estate.URL}, //nolint:staticcheck // as they do
	})
	if err != nil {
		t.Fatal(err)
	}
	created, err := p.Create(t.Context(), &pulumirpc.CreateRequest{
		Urn: "urn:pulumi:dev::test::estate:index/network:Network::net", Properties: object(t, `{"name":"main","cidr":"10.0.0.0/16"}`),
	})
	if err != nil || created.GetId() == "" {
		t.Errorf("got %v, %v", created, err)
	}
}

// TestReattach uses a provider that runs already, under the names of either
// variable. It has no version, and no schema of it is kept.
func TestReattach(t *testing.T) {
	t.Parallel()
	e := startEstate(t, "estate")
	variable, address := e.debugged(t)
	for name, test := range map[string]struct {
		req     *pulumirpc.ParameterizeRequest
		version string
	}{
		"PULUMI_BRIDGE_REATTACH_PROVIDERS": {args(address), "0.0.0"},
		"TF_REATTACH_PROVIDERS":            {value("estate", "1.2.3", fmt.Sprintf(`{"remote":{"url":%q,"version":"1.2.3"}}`, address)), "1.2.3"},
	} {
		p := e.world.bridge(t, name+"="+variable)
		parameterize(t, p, test.req, "estate", test.version)
		if spec := schema(t, p, "estate", test.version); len(spec.Resources) == 0 {
			t.Error("an empty schema")
		}
	}
	_, err := e.world.bridge(t, "PULUMI_BRIDGE_REATTACH_PROVIDERS=yes").Parameterize(t.Context(), args(address))
	wantStatus(t, err, codes.FailedPrecondition, "Malformed reattach information in PULUMI_BRIDGE_REATTACH_PROVIDERS")
}

// debugged runs the estate's provider as for a debugger, and returns what it
// says of that, and its address.
func (e *estatePlugin) debugged(t *testing.T) (variable, address string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), build.Binary(t, "terraform-provider-estate"), "-debug")
	cmd.Env = append(os.Environ(), e.world.env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, text, found := strings.Cut(lines.Text(), "TF_REATTACH_PROVIDERS="); found {
			go func() { _, _ = io.Copy(io.Discard, out) }() // it must not wait for a reader
			variable = strings.Trim(text, "'")
			break
		}
	}
	var providers map[string]any
	if err := json.Unmarshal([]byte(variable), &providers); err != nil || len(providers) != 1 {
		t.Fatalf("it prints no TF_REATTACH_PROVIDERS: %q, %v", variable, err)
	}
	for address = range providers {
	}
	return variable, address
}

// TestFunctions calls a data source and the provider's method, and lists.
func TestFunctions(t *testing.T) {
	t.Parallel()
	e := startEstate(t, "estate")
	created := e.create(t, e.check(t, `{"name":"main","cidr":"10.0.0.0/16"}`))
	found, err := e.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: "estate:index/getNetwork:getNetwork", Args: object(t, `{"name":"main"}`)})
	if err != nil || found.GetReturn().GetFields()["cidr"].GetStringValue() != "10.0.0.0/16" {
		t.Errorf("got %v, %v", found, err)
	}
	called, err := e.Call(t.Context(), &pulumirpc.CallRequest{
		Tok: "pulumi:providers:estate/terraformConfig", Args: object(t, `{"__self__":"ignored"}`),
	})
	if err != nil || len(called.GetReturn().GetFields()) == 0 {
		t.Errorf("got %v, %v", called, err)
	}
	stream, err := e.List(t.Context(), &pulumirpc.ListRequest{Token: "estate:index/network:Network"})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := stream.Recv()
	if err != nil || listed.GetResult().GetId() != created.GetId() {
		t.Errorf("got %v, %v", listed, err)
	}
	_, err = e.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: "estate:index/getNothing:getNothing"})
	wantStatus(t, err, codes.NotFound, "getNothing")
}
