package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// guests is a place with the language "fake", and returns the path of a
// directory that is a plugin in it.
func guests(t *testing.T, kind plugin.Kind, more ...string) (p *place, dir string) {
	p = newPlace(t, more...)
	p.install(plugin.Language, "fake", "1.0.0")
	binary := fakeplugin.Link(t, filepath.Join(filepath.Dir(p.path), "guest"), string(kind), "guest")
	manifest := "PulumiPlugin.yaml"
	if kind == plugin.Analyzer {
		manifest = "PulumiPolicy.yaml"
	}
	dir = filepath.Join(p.project, "guest")
	write(t, filepath.Join(dir, manifest), fmt.Sprintf("runtime:\n  name: fake\n  options:\n    binary: %s\n", binary), 0o600)
	return p, dir
}

// TestGuest runs a directory through its language plugin.
func TestGuest(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Resource, "FAKE_X=kept")
	p.opts.Project.Name = "proj"
	r, diags := p.host().Resource(t.Context(), host.Wanted{Path: dir}, plugin.Parameterization{Args: []string{"a"}})
	if r == nil {
		t.Fatal(diags)
	}
	got := self(t, r)
	if got.Root != dir || got.Dir != p.project || !slices.Equal(got.Args, []string{got.Engine}) || !slices.Equal(got.Env, []string{"FAKE_X=kept", "PULUMI_PROJECT=proj"}) {
		t.Errorf("started as %+v", got)
	}
	if r.Package.Name != "a" || r.Found().Path != dir {
		t.Errorf("package %v of %v", r.Package, r.Found())
	}
}

// TestGuestOfPatient has a language plugin that ends when the stream does in
// which it runs plugins.
func TestGuestOfPatient(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Resource, "FAKE_MODE=patient")
	p.opts.Grace = time.Hour
	r, diags := p.host().Resource(t.Context(), host.Wanted{Path: dir}, plugin.Parameterization{})
	if r == nil {
		t.Fatal(diags)
	}
	promptly(t, func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestGuestCrashes(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Resource, "FAKE_MODE=exit-call")
	r, diags := p.host().Resource(t.Context(), host.Wanted{Path: dir})
	if r == nil {
		t.Fatal(diags)
	}
	promptly(t, func() {
		wantDiag(t, diag.FromError("", "", invoke(t.Context(), r)), host.CodeCrashed,
			"Its process ended during Invoke (exit status 4).", "Its last words:\nfake: asked to exit in Invoke")
	})
}

func TestGuestCannotStart(t *testing.T) {
	t.Parallel()
	const options = "\n  options: {binary: /nowhere}\n"
	tests := map[string]struct {
		manifest string
		env      string
		code     string
		words    []string
	}{
		"no language":   {"runtime: {name: klingon}\n", "", host.CodeNotFound, []string{"Cannot find language plugin klingon"}},
		"and says why":  {"runtime: {name: klingon}\n", "", host.CodeNotStarted, []string{"It is a directory with a klingon program"}},
		"bad language":  {"runtime: fake\n", "FAKE_LANGUAGE_MODE=garbage", host.CodeNotStarted, []string{"Cannot start language plugin fake"}},
		"refused":       {"runtime: fake\n", "", host.CodeNotStarted, []string{"fake: no option `binary`"}},
		"no binary":     {"runtime:\n  name: fake" + options, "", host.CodeNotStarted, []string{"/nowhere"}},
		"bad manifest":  {"runtime: [\n", "", "PJ0002", nil},
		"other version": {"runtime: fake\nrequiredPulumiVersion: '>=4.0.0'\n", "", "PJ0013", []string{"It needs >=4.0.0"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := guests(t, plugin.Resource, test.env)
			write(t, filepath.Join(dir, "PulumiPlugin.yaml"), test.manifest, 0o600)
			promptly(t, func() {
				r, diags := p.host().Resource(t.Context(), host.Wanted{Path: dir})
				if r != nil {
					t.Error("it runs")
				}
				wantDiag(t, diags, test.code, test.words...)
			})
		})
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install(plugin.Language, "fake", "1.0.0")
	l, diags := p.host().Language(t.Context(), "fake")
	if l == nil {
		t.Fatal(diags)
	}
	info, err := l.Client.GetPluginInfo(t.Context(), &emptypb.Empty{})
	if err != nil || info.GetVersion() != "1.2.3" {
		t.Errorf("%v, %v", info, err)
	}
	attached := newPlace(t, "PULUMI_DEBUG_LANGUAGES=fake:"+strings.TrimPrefix(l.Address(), "127.0.0.1:"))
	other, diags := attached.host().Language(t.Context(), "fake")
	if other == nil {
		t.Fatal(diags)
	}
	if _, err := other.Client.GetPluginInfo(t.Context(), &emptypb.Empty{}); err != nil {
		t.Error(err)
	}
}

// analyzerSelf asks a fake analyzer how it was started, and for which stack.
func analyzerSelf(t *testing.T, a *host.Analyzer) (self fakeplugin.Self, stack string) {
	t.Helper()
	info, err := a.Client.GetAnalyzerInfo(t.Context(), &emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return decodeSelf(t, []byte(info.GetDescription())), info.GetName()
}

func TestAnalyzer(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Analyzer)
	binary := fakeplugin.Link(t, filepath.Join(p.project, "built"), "analyzer", "built")
	h := p.host()
	for _, path := range []string{dir, binary} {
		for _, stack := range []*host.Stack{nil, {Name: "dev"}} {
			a, diags := h.Analyzer(t.Context(), host.Wanted{Path: path}, stack)
			if a == nil {
				t.Fatal(diags)
			}
			self, name := analyzerSelf(t, a)
			if len(self.Args) != 1 || self.Dir != p.project || len(self.Env) != 0 || a.Answer != nil || (stack != nil) != (name == "dev") {
				t.Errorf("%s: %+v for stack %q, answer %v", path, self, name, a.Answer)
			}
		}
	}
	_, diags := h.Analyzer(t.Context(), host.Wanted{Path: dir}, &host.Stack{Name: "refused"})
	wantDiag(t, diags, host.CodeRefused, "fake: no such stack")
}

// TestPolicyRunner has a policy pack in a language without a language plugin.
func TestPolicyRunner(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	h := p.host()
	for _, runtime := range []string{"opa", "nodejs"} {
		dir := filepath.Join(p.project, runtime)
		write(t, filepath.Join(dir, "PulumiPolicy.yaml"), "runtime:\n  name: "+runtime+"\n  options: {b: 2, a: x, empty: ''}\n", 0o600)
		_, diags := h.Analyzer(t.Context(), host.Wanted{Path: dir}, nil)
		wantDiag(t, diags, host.CodeNotFound, "Cannot find language plugin "+runtime)
		wantDiag(t, diags, host.CodeNotStarted, "the analyzer plugin policy-"+runtime)

		fakeplugin.Link(t, p.path, "analyzer", "policy-"+runtime)
		a, diags := h.Analyzer(t.Context(), host.Wanted{Path: dir}, &host.Stack{
			Organization: "org", Project: "proj", Name: "dev", Config: map[string]string{"a:b": "c"}, DryRun: true,
		})
		if a == nil {
			t.Fatal(diags)
		}
		self, stack := analyzerSelf(t, a)
		env := []string{`PULUMI_CONFIG={"a:b":"c"}`, "PULUMI_DRY_RUN=true", "PULUMI_ORGANIZATION=org", "PULUMI_PROJECT=proj", "PULUMI_STACK=dev"}
		if runtime == "nodejs" {
			env = append(env, "PULUMI_NODEJS_DRY_RUN=true", "PULUMI_NODEJS_ORGANIZATION=org", "PULUMI_NODEJS_PROJECT=proj", "PULUMI_NODEJS_STACK=dev")
			slices.Sort(env)
		}
		if self.Dir != dir || !slices.Equal(self.Args[1:], []string{".", "-a=x", "-b=2"}) || !slices.Equal(self.Env, env) || stack != "dev" {
			t.Errorf("started as %+v for stack %q", self, stack)
		}
	}
}

func TestConverter(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	fakeplugin.Link(t, p.path, "converter", "fake")
	c, diags := p.host().Converter(t.Context(), host.Wanted{Name: "fake"})
	if c == nil {
		t.Fatal(diags)
	}
	if _, err := c.Client.ConvertProgram(t.Context(), &pulumirpc.ConvertProgramRequest{MapperTarget: "127.0.0.1:1"}); err != nil {
		t.Error(err)
	}
}

// TestTool runs tools to their end: an executable, and a directory.
func TestTool(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Tool)
	fakeplugin.Link(t, p.path, "tool", "fake")
	p.opts.Broker = "127.0.0.1:9"
	h := p.host()
	for name, w := range map[string]host.Wanted{"executable": {Name: "fake"}, "directory": {Path: dir}} {
		var stdout, stderr bytes.Buffer
		code, diags := h.Run(t.Context(), plugin.Tool, w, []string{"7", "--flag"}, host.Streams{In: strings.NewReader("in"), Out: &stdout, Err: &stderr})
		if code != 7 || diags.HasErrors() || stderr.String() != "fake: so be it\n" {
			t.Fatalf("%s: code %d, %v, %s", name, code, diags, &stderr)
		}
		got := decodeSelf(t, stdout.Bytes())
		if got.Dir != p.project || !slices.Equal(got.Args, []string{"7", "--flag"}) || !slices.Contains(got.Env, "PULUMI_RPC_TARGET=127.0.0.1:9") {
			t.Errorf("%s: started as %+v", name, got)
		}
		if name == "executable" && got.Stdin != "in" {
			t.Errorf("read %q", got.Stdin)
		}
	}
}

// TestToolInterrupted ends tools that would go on.
func TestToolInterrupted(t *testing.T) {
	t.Parallel()
	p, dir := guests(t, plugin.Tool, "FAKE_MODE=silent")
	fakeplugin.Link(t, p.path, "tool", "fake")
	h := p.host()
	for _, w := range []host.Wanted{{Name: "fake"}, {Path: dir}} {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errors.New("ctrl-c"))
		defer cancel()
		promptly(t, func() {
			_, diags := h.Run(ctx, plugin.Tool, w, nil, host.Streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
			wantDiag(t, diags, host.CodeInterrupted, "ctrl-c")
		})
	}
}
