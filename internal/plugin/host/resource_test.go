package host_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// TestResourceContract compares what a resource plugin is started with.
func TestResourceContract(t *testing.T) {
	t.Parallel()
	p := fake(t, "FAKE_X=kept", "PULUMI_PROJECT=overridden")
	p.opts.ProjectDir, p.opts.WorkDir = p.project, filepath.Dir(p.project)
	p.opts.Broker, p.opts.Verbosity = "127.0.0.1:9", 3
	p.opts.Project = host.ProjectInfo{
		Name: "proj", Config: `{"a":"b"}`, RuntimeOptions: map[string]any{"virtualenv": "venv", "depth": 3},
	}
	got := self(t, resource(t, p.host()))
	if len(got.Args) != 3 || got.Args[2] != got.Engine || !strings.HasPrefix(got.Engine, "127.0.0.1:") {
		t.Errorf("arguments %q, engine %q", got.Args, got.Engine)
	}
	want := fakeplugin.Self{
		PID: got.PID, Args: []string{"--logtostderr", "-v=3", got.Engine}, Dir: p.project, Engine: got.Engine, Root: p.path, Broker: p.opts.Broker,
		Env: []string{"FAKE_X=kept", `PULUMI_CONFIG={"a":"b"}`, "PULUMI_PROJECT=proj", "PULUMI_RUNTIME_DEPTH=3", "PULUMI_RUNTIME_VIRTUALENV=venv"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNodeDynamicProvider(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	fakeplugin.Link(t, p.path, "resource", "pulumi-nodejs")
	p.opts.Project.Name = "proj"
	r, diags := p.host().Resource(t.Context(), host.Wanted{Name: "pulumi-nodejs"})
	if r == nil {
		t.Fatal(diags)
	}
	if got := self(t, r).Env; !slices.Contains(got, "PULUMI_NODEJS_PROJECT=proj") {
		t.Errorf("environment %q", got)
	}
}

// TestHandshake starts plugins with and without one.
func TestHandshake(t *testing.T) {
	t.Parallel()
	if accepts := resource(t, fake(t).host()).Accepts; !accepts.GetAcceptSecrets() {
		t.Errorf("accepts %v", accepts)
	}
	if accepts := resource(t, fake(t, "FAKE_MODE=no-handshake").host()).Accepts; accepts != nil {
		t.Errorf("accepts %v", accepts)
	}
}

func value(name string) plugin.Parameterization {
	return plugin.Parameterization{Value: &plugin.Parameter{Name: name, Version: semver.MustParse("2.0.0"), Value: []byte("v")}}
}

// TestParameterize gives every parameterization a process of its own.
func TestParameterize(t *testing.T) {
	t.Parallel()
	h := fake(t).host()
	tests := map[string]struct {
		parameterizations []plugin.Parameterization
		pkg               host.Package
		want              fakeplugin.Schema
	}{
		"none":      {nil, host.Package{}, fakeplugin.Schema{Name: "fake", Version: "1.0.0"}},
		"zero":      {[]plugin.Parameterization{{}}, host.Package{}, fakeplugin.Schema{Name: "fake", Version: "1.0.0"}},
		"args":      {[]plugin.Parameterization{{Args: []string{"a", "1.2.3"}}}, host.Package{Name: "a", Version: "1.2.3"}, fakeplugin.Schema{Name: "a", Version: "1.2.3", Parameter: "a 1.2.3"}},
		"value":     {[]plugin.Parameterization{value("b")}, host.Package{Name: "b", Version: "2.0.0"}, fakeplugin.Schema{Name: "b", Version: "2.0.0", Parameter: "v"}},
		"extension": {[]plugin.Parameterization{value("b"), {Args: []string{"c"}}}, host.Package{Name: "c", Version: "1.0.0"}, fakeplugin.Schema{Name: "c", Version: "1.0.0", Parameter: "c"}},
	}
	pids := map[int]string{}
	for name, test := range tests {
		r := resource(t, h, test.parameterizations...)
		text, diags := r.Schema(t.Context())
		if len(diags) > 0 {
			t.Fatal(name, diags)
		}
		var got fakeplugin.Schema
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if other := pids[got.PID]; other != "" {
			t.Errorf("%s and %s share process %d", name, other, got.PID)
		}
		pids[got.PID] = name
		got.PID = 0
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if r.Package != test.pkg {
			t.Errorf("%s: package %v", name, r.Package)
		}
	}
}

func TestParameterizeRefused(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string][]string{
		"wrong-package": {"PH0014", "made another package", "parameterized for package b, and says that it is other now"},
		"bad-version":   {"PH0013", "sent a malformed answer", `the version of package b: "newest" is not`},
		"exit-call":     {host.CodeCrashed, "during Parameterize (exit status 4)", "fake: asked to exit in Parameterize"},
	} {
		r, diags := fake(t, "FAKE_MODE="+mode, "FAKE_CALL=Parameterize").host().Resource(t.Context(), host.Wanted{Name: "fake"}, value("b"))
		if r != nil {
			t.Errorf("%s: it runs", mode)
		}
		wantDiag(t, diags, want[0], want[1:]...)
	}
}

func TestMappings(t *testing.T) {
	t.Parallel()
	r := resource(t, fake(t, "FAKE_MAPPINGS=a,b", "FAKE_MAPPING=c").host())
	names, diags := r.MappedProviders(t.Context(), "terraform")
	if diff := cmp.Diff([]string{"a", "b"}, names); diff != "" || len(diags) > 0 {
		t.Errorf("%s, %v", diff, diags)
	}
	for provider, want := range map[string]host.Mapping{
		"a": {Provider: "a", Data: []byte("a by fake")}, "": {Provider: "c", Data: []byte("c by fake")}, "x": {},
	} {
		got, diags := r.Mapping(t.Context(), "terraform", provider)
		if diff := cmp.Diff(want, got); diff != "" || len(diags) > 0 {
			t.Errorf("%q: %s, %v", provider, diff, diags)
		}
	}
}

// TestTalkingBack has a plugin send a message to its engine.
func TestTalkingBack(t *testing.T) {
	t.Parallel()
	p := fake(t)
	r := resource(t, p.host())
	if _, err := r.Client.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: "fake:index:log"}); err != nil {
		t.Fatal(err)
	}
	want := []host.Log{{Severity: pulumirpc.LogSeverity_WARNING, URN: "urn:pulumi:s::p::t::n", Text: "a word \ufffdto the engine"}}
	if _, logs := p.said.all(); !cmp.Equal(want, logs) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, logs))
	}
}
