package broker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/project"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// machine has a plugin cache, a store, and fake plugins that note their starts.
type machine struct {
	t     *testing.T
	dir   string
	cache plugin.Cache
	store broker.Store
	env   host.Environment
}

func newMachine(t *testing.T, env ...string) *machine {
	dir := t.TempDir()
	return &machine{
		t: t, dir: dir, cache: plugin.Cache{Root: filepath.Join(dir, "plugins")}, store: broker.Store{Dir: filepath.Join(dir, "answers")},
		env: append(host.Environment{"PATH=/usr/bin:/bin", "HOME=" + dir, "FAKE_STARTS=" + filepath.Join(dir, "starts")}, env...),
	}
}

func (m *machine) install(kind plugin.Kind, name, version string) {
	dir := m.cache.Dir(plugin.Concrete{Kind: kind, Name: name, Version: semver.MustParse(version)})
	fakeplugin.Link(m.t, dir, string(kind), name)
}

// host makes a host with more environment for its plugins.
func (m *machine) host(broker string, env ...string) *host.Host {
	m.t.Helper()
	all := slices.Concat(m.env, env)
	h, err := host.New(m.t.Context(), host.Options{
		Finder: host.Finder{Env: all, Cache: m.cache}, Env: all, WorkDir: m.dir, Broker: broker, Grace: 5 * time.Second,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if err := h.Close(); err != nil {
			m.t.Error(err)
		}
	})
	return h
}

// starts takes the names of the plugins that were started since it was called
// last, sorted.
func (m *machine) starts() string {
	m.t.Helper()
	file := filepath.Join(m.dir, "starts")
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	if err := os.Remove(file); err != nil {
		m.t.Fatal(err)
	}
	names := strings.Fields(string(text))
	slices.Sort(names)
	return strings.Join(names, " ")
}

// started reports whether a plugin was started since starts was called.
func (m *machine) started() bool {
	text, _ := os.ReadFile(filepath.Join(m.dir, "starts")) // it may not be there yet
	return len(text) > 0
}

// mappings answers from installed plugins, in a run of its own.
func (m *machine) mappings(env ...string) *broker.InstalledMappings {
	return broker.NewInstalledMappings(m.host("", env...), m.store, nil)
}

func wantMapping(t *testing.T, m broker.Mappings, q broker.Question, want string) diag.List {
	t.Helper()
	data, diags := m.Mapping(t.Context(), q)
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("%+v (-want +got):\n%s\n%v", q, diff, diags)
	}
	return diags
}

// value parameterizes a plugin as package "p".
func value(parameter string) plugin.Parameterization {
	return plugin.Parameterization{Value: &plugin.Parameter{Name: "p", Version: semver.MustParse("1.0.0"), Value: []byte(parameter)}}
}

// TestMapping asks the plugins that should know, and then the others.
func TestMapping(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS_AA=x,y,z", "FAKE_MAPPING_BB=bb", "FAKE_MAPPINGS_DD=z")
	for _, name := range []string{"aa", "bb", "cc", "dd"} {
		m.install(plugin.Resource, name, "1.0.0")
		m.install(plugin.Resource, name, "0.9.0")
	}
	m.install(plugin.Language, "ee", "1.0.0")
	mappings := m.mappings()
	for _, test := range []struct {
		q      broker.Question
		want   string
		starts string
	}{
		{broker.Question{Provider: "bb"}, "bb by bb", "bb"},
		{broker.Question{Provider: "y"}, "y by aa", "aa cc dd"}, // of bb it is known
		{broker.Question{Provider: "z"}, "z by aa", "aa dd"},
		{broker.Question{Provider: "z", Plugin: "dd"}, "z by dd", ""},
		{broker.Question{Provider: "nobody"}, "", ""},
		{broker.Question{Provider: "y"}, "y by aa", ""},
		{broker.Question{Provider: "y", Ecosystem: "cloudformation"}, "", "aa bb cc dd"},
		{broker.Question{Provider: "x", Plugin: "aa", Parameterization: value("one")}, "x by aa one", "aa"},
		{broker.Question{Provider: "x", Plugin: "aa", Parameterization: value("two")}, "x by aa two", "aa"},
		{broker.Question{Provider: "x", Plugin: "aa"}, "x by aa", "aa"},
	} {
		if diags := wantMapping(t, mappings, test.q, test.want); len(diags) > 0 {
			t.Error(diags)
		}
		if starts := m.starts(); starts != test.starts {
			t.Errorf("%+v started %q, want %q", test.q, starts, test.starts)
		}
	}
}

// TestMappingIsRemembered asks again in another run, which starts nothing, and
// after a plugin has changed.
func TestMappingIsRemembered(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install(plugin.Resource, "aa", "1.0.0")
	m.install(plugin.Resource, "bb", "1.0.0")
	const env = "FAKE_MAPPING_BB=x"
	for run, want := range []string{"aa bb", ""} {
		wantMapping(t, m.mappings(env), broker.Question{Provider: "x"}, "x by bb")
		if starts := m.starts(); starts != want {
			t.Errorf("run %d started %q", run, starts)
		}
	}
	dir := m.cache.Dir(plugin.Concrete{Kind: plugin.Resource, Name: "bb", Version: semver.MustParse("1.0.0")})
	binary, err := filepath.EvalSymlinks(filepath.Join(dir, "pulumi-resource-bb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Not written by this process: what it has open for writing while another
	// test starts a process cannot be run.
	if out, err := exec.CommandContext(t.Context(), "cp", binary, filepath.Join(dir, "pulumi-resource-bb")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantMapping(t, m.mappings("FAKE_MAPPING_BB=y"), broker.Question{Provider: "x"}, "")
	if starts := m.starts(); starts != "bb" {
		t.Errorf("started %q", starts)
	}
	shelves, err := filepath.Glob(filepath.Join(m.store.Dir, "*", "*"))
	if err != nil || len(shelves) != 2 {
		t.Errorf("kept are %q, %v", shelves, err)
	}
}

// TestMappingOutlastsBadPlugins has plugins that cannot be asked, in each of
// their steps.
func TestMappingOutlastsBadPlugins(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS_GOOD=x", "FAKE_MODE_BAD=exit", "FAKE_MODE_WORSE=crash", "FAKE_CALL_WORSE=GetMappings",
		"FAKE_MODE_WORST=crash", "FAKE_CALL_WORST=GetMapping", "FAKE_MAPPINGS_WORST=x")
	for _, name := range []string{"bad", "good", "worse", "worst"} {
		m.install(plugin.Resource, name, "1.0.0")
	}
	mappings := m.mappings()
	diags := wantMapping(t, mappings, broker.Question{Provider: "x", Plugin: "worst"}, "x by good")
	if diags.HasErrors() || len(diags) != 3 {
		t.Errorf("got %v", diags)
	}
	for _, want := range []string{
		"Cannot ask plugin worst for mappings: resource plugin worst crashed: Its process ended during GetMapping ",
		"Cannot ask plugin bad for mappings: Cannot start resource plugin bad: ",
		"Cannot ask plugin worse for mappings: resource plugin worse crashed: ",
	} {
		if !slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return strings.HasPrefix(d.Error(), want) }) {
			t.Errorf("nothing begins with %q in %v", want, diags)
		}
	}
	if diags := wantMapping(t, mappings, broker.Question{Provider: "x", Plugin: "worst"}, "x by good"); len(diags) > 0 {
		t.Errorf("reported again: %v", diags)
	}
}

// TestMappingInstalls brings the expected plugin.
func TestMappingInstalls(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS_NEW=x")
	var asked []string
	mappings := broker.NewInstalledMappings(m.host(""), m.store, func(_ context.Context, name string) diag.List {
		asked = append(asked, name)
		if name != "new" {
			return diag.List{diag.Errorf("XX0001", "No plugin "+name, "There is none.")}
		}
		m.install(plugin.Resource, name, "1.0.0")
		return nil
	})
	for range 2 {
		if diags := wantMapping(t, mappings, broker.Question{Provider: "x"}, ""); len(diags) > 0 {
			t.Error(diags)
		}
		diags := wantMapping(t, mappings, broker.Question{Provider: "x", Plugin: "gone"}, "")
		if len(diags) != 1 || diags[0].Severity != diag.Warning || !strings.HasPrefix(diags[0].Detail, "No plugin gone: There is none.") {
			t.Error(diags)
		}
	}
	wantMapping(t, mappings, broker.Question{Provider: "x", Plugin: "new"}, "x by new")
	if diff := cmp.Diff([]string{"x", "gone", "new"}, asked); diff != "" {
		t.Errorf("installed (-want +got):\n%s", diff)
	}
}

// TestConcurrentQuestions starts no plugin twice.
func TestConcurrentQuestions(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS=x,y")
	m.install(plugin.Resource, "aa", "1.0.0")
	m.install(plugin.Resource, "bb", "1.0.0")
	h := m.host("")
	mappings, schemas := broker.NewInstalledMappings(h, m.store, nil), broker.NewInstalledSchemas(h, m.store)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() { wantMapping(t, mappings, broker.Question{Provider: "x"}, "x by aa") })
		callers.Go(func() {
			if _, diags := schemas.Schema(t.Context(), plugin.Descriptor{Source: "bb"}); len(diags) > 0 {
				t.Error(diags)
			}
		})
	}
	callers.Wait()
	if starts := m.starts(); starts != "aa bb bb" { // bb for its schema, and for its mappings
		t.Errorf("started %q", starts)
	}
}

// TestGiveUp ends a question while a plugin says nothing. The next one asks
// anew.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MODE_AA=silent")
	m.install(plugin.Resource, "aa", "1.0.0")
	mappings := m.mappings()
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for wait := 0; wait < 2000 && !m.started(); wait++ {
				time.Sleep(5 * time.Millisecond)
			}
		}()
		_, diags := mappings.Mapping(ctx, broker.Question{Provider: "aa"})
		if !diags.HasErrors() {
			t.Errorf("got %v", diags)
		}
		if starts := m.starts(); starts != "aa" {
			t.Errorf("started %q", starts)
		}
	}
}

// TestMappingFiles lets files win.
func TestMappingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.y.json")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, diags := broker.LoadMappingFiles([]string{file, filepath.Join(dir, "gone.json")})
	if len(diags) != 1 || !strings.Contains(diags[0].Summary, "gone.json") {
		t.Error(diags)
	}
	m := newMachine(t, "FAKE_MAPPINGS_AA=x.y,z")
	m.install(plugin.Resource, "aa", "1.0.0")
	mappings := files.Or(m.mappings())
	wantMapping(t, mappings, broker.Question{Provider: "x.y", Ecosystem: "any"}, "mine")
	wantMapping(t, mappings, broker.Question{Provider: "z"}, "z by aa")
}

// TestSchema asks for schemas of plugins and of what they are parameterized
// as, and remembers those.
func TestSchema(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install(plugin.Resource, "aa", "1.0.0")
	m.install(plugin.Resource, "aa", "2.0.0")
	tests := map[string]struct {
		d      plugin.Descriptor
		want   fakeplugin.Schema
		second string // starts in the second run
	}{
		"plain":         {plugin.Descriptor{Source: "aa"}, fakeplugin.Schema{Name: "aa", Version: "1.0.0"}, ""},
		"version":       {plugin.Descriptor{Source: "aa", Constraint: plugin.Exactly(semver.MustParse("1.0.0"))}, fakeplugin.Schema{Name: "aa", Version: "1.0.0"}, ""},
		"parameterized": {plugin.Descriptor{Source: "aa", Parameterization: value("v")}, fakeplugin.Schema{Name: "p", Version: "1.0.0", Parameter: "v"}, ""},
		"arguments":     {plugin.Descriptor{Source: "aa", Parameterization: plugin.Parameterization{Args: []string{"q"}}}, fakeplugin.Schema{Name: "q", Version: "1.0.0", Parameter: "q"}, "aa"},
	}
	for _, name := range []string{"plain", "version", "parameterized", "arguments"} {
		for run, starts := range []string{"aa", tests[name].second} {
			text, diags := broker.NewInstalledSchemas(m.host(""), m.store).Schema(t.Context(), tests[name].d)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			var got fakeplugin.Schema
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			got.PID = 0
			if diff := cmp.Diff(tests[name].want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if got := m.starts(); got != starts {
				t.Errorf("%s, run %d: started %q, want %q", name, run, got, starts)
			}
		}
	}
}

// TestDocument makes documents of schemas again only where these may have
// changed.
func TestDocument(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install(plugin.Resource, "aa", "1.0.0")
	plain := plugin.Descriptor{Source: "aa"}
	argued := plugin.Descriptor{Source: "aa", Parameterization: plugin.Parameterization{Args: []string{"q"}}}
	valued := plugin.Descriptor{Source: "aa", Parameterization: value("v")}
	doubt := diag.List{{Severity: diag.Warning, Code: "XX0001", Summary: "Hm"}}
	for n, step := range []struct {
		d            plugin.Descriptor
		name, tag    string
		doubt        diag.List
		made         bool
		starts, want string
	}{
		{plain, "a", "", nil, true, "aa", "a of aa"},
		{plain, "a", "", nil, false, "", "a of aa"},
		{plain, "b", "", nil, true, "", "b of aa"}, // of the schema that is kept
		{plain, "a", "t", nil, false, "", "a of aa"},
		{valued, "a", "", nil, true, "aa", "a of p"},
		{valued, "a", "", nil, false, "", "a of p"},
		{argued, "a", "", nil, true, "aa", "a of q"},
		{argued, "a", "", nil, true, "aa", "a of q"},
		{argued, "a", "t", nil, true, "aa", "a of q"},
		{argued, "a", "t", nil, false, "aa", "a of q"},
		{argued, "b", "t", nil, true, "aa", "b of q"},
		{argued, "a", "u", nil, true, "aa", "a of q"},
		{argued, "a", "t", nil, true, "aa", "a of q"},
		{argued, "a", "", nil, true, "aa", "a of q"},
		{argued, "c", "t", doubt, true, "aa", "c of q"},
		{argued, "c", "t", doubt, true, "aa", "c of q"}, // which is said again
	} {
		made := false
		document, diags := broker.NewInstalledSchemas(m.host("", "FAKE_TAG="+step.tag), m.store).Document(t.Context(), step.d, broker.Rendering{
			Name: step.name,
			Render: func(schema string) (func(io.Writer) error, diag.List) {
				var of fakeplugin.Schema
				err := json.Unmarshal([]byte(schema), &of)
				made = true
				return func(w io.Writer) error { _, err := fmt.Fprintf(w, "%s of %s", step.name, of.Name); return err },
					append(diag.FromError("XX0002", "No schema", err), step.doubt...)
			},
		})
		if diff := cmp.Diff(step.doubt, diags); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", n, diff)
		}
		var got strings.Builder
		if err := document.Write(&got); err != nil {
			t.Error(err)
		}
		document.Close()
		if starts := m.starts(); got.String() != step.want || made != step.made || starts != step.starts {
			t.Errorf("step %d: got %q, made: %v, started: %q; want %+v", n, &got, made, starts, step)
		}
	}
}

// TestDocumentUnread has the reader of a document fail: it is told, and the
// document is not kept. A file that is broken later is made anew.
func TestDocumentUnread(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install(plugin.Resource, "aa", "1.0.0")
	made := 0
	document := func() *broker.Document {
		t.Helper()
		document, diags := broker.NewInstalledSchemas(m.host(""), m.store).Document(t.Context(), plugin.Descriptor{Source: "aa"}, broker.Rendering{
			Name: "a",
			Render: func(string) (func(io.Writer) error, diag.List) {
				made++
				return func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }, nil
			},
		})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return document
	}
	closed, pipe := io.Pipe()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for want := 1; want <= 2; want++ {
		d := document()
		if err := d.Write(pipe); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
		if d.Close(); made != want {
			t.Errorf("made %d times, want %d", made, want)
		}
	}
	for want := 3; want <= 4; want++ {
		d := document()
		if err := d.Write(io.Discard); err != nil {
			t.Error(err)
		}
		if d.Close(); made != want {
			t.Errorf("made %d times, want %d", made, want)
		}
		files, err := filepath.Glob(filepath.Join(m.store.Dir, "*", "*", "document-*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		if err := os.Truncate(files[0], 12); err != nil {
			t.Fatal(err)
		}
	}
}

// client connects to a broker, or to whatever is at an address.
func client(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func listen(t *testing.T) *broker.Server {
	t.Helper()
	s, err := broker.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestServedToPlugins has a converter ask the broker that it is told of.
func TestServedToPlugins(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS_AA=x,y", "FAKE_MODE_BAD=exit")
	m.install(plugin.Resource, "aa", "1.0.0")
	m.install(plugin.Resource, "bad", "1.0.0")
	m.install(plugin.Converter, "fake", "1.0.0")
	s := listen(t)
	h := m.host(s.Address())
	var warned diag.List
	s.Serve(broker.Services{Mappings: broker.NewInstalledMappings(h, m.store, nil), Report: func(diags diag.List) { warned = append(warned, diags...) }})
	c, diags := h.Converter(t.Context(), host.Wanted{Name: "fake"})
	if c == nil {
		t.Fatal(diags)
	}
	response, err := c.Client.ConvertProgram(t.Context(), &pulumirpc.ConvertProgramRequest{MapperTarget: s.Address(), Args: []string{"y", "nobody", "nobody"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range response.GetDiagnostics() {
		got = append(got, d.GetSummary())
	}
	if diff := cmp.Diff([]string{"y by aa", "", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(warned) != 1 || !strings.Contains(warned[0].Summary, "bad") {
		t.Errorf("warned of %v", warned)
	}
}

// TestLoader speaks the protocol.
func TestLoader(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install(plugin.Resource, "aa", "1.0.0")
	s := listen(t)
	loader := codegen.NewLoaderClient(client(t, s.Address()))
	asked := make(chan error)
	go func() { // who asks before anybody serves waits
		_, err := loader.GetSchema(t.Context(), &codegen.GetSchemaRequest{Package: "pulumi"})
		asked <- err
	}()
	time.Sleep(50 * time.Millisecond)
	s.Serve(broker.Services{Schemas: broker.NewInstalledSchemas(m.host(""), m.store)})
	if err := <-asked; err != nil {
		t.Error(err)
	}
	tests := map[string]struct {
		req  *codegen.GetSchemaRequest
		code codes.Code
		want string
	}{
		"plain":         {&codegen.GetSchemaRequest{Package: "aa", Version: "1.0.0"}, codes.OK, `"name":"aa"`},
		"parameterized": {&codegen.GetSchemaRequest{Package: "aa", Parameterization: &codegen.Parameterization{Name: "p", Version: "v1.2", Value: []byte("v")}}, codes.OK, `"name":"p","version":"1.2.0","parameter":"v"`},
		"built in":      {&codegen.GetSchemaRequest{Package: "pulumi"}, codes.OK, `"pulumi:pulumi:StackReference"`},
		"not there":     {&codegen.GetSchemaRequest{Package: "aa", Version: "9.0.0"}, codes.NotFound, "Cannot find resource plugin aa 9.0.0"},
		"bad version":   {&codegen.GetSchemaRequest{Package: "aa", Version: "x"}, codes.InvalidArgument, `"x" is not a semantic version`},
		"bad parameter": {&codegen.GetSchemaRequest{Package: "aa", Parameterization: &codegen.Parameterization{Name: "p"}}, codes.InvalidArgument, "is not a semantic version"},
	}
	for name, test := range tests {
		response, err := loader.GetSchema(t.Context(), test.req)
		text := string(response.GetSchema())
		if err != nil {
			text = err.Error()
		} else if !json.Valid(response.GetSchema()) {
			t.Errorf("%s: no JSON", name)
		}
		if status.Code(err) != test.code || !strings.Contains(text, test.want) {
			t.Errorf("%s: %s, %s", name, status.Code(err), text)
		}
	}
}

// TestMapper speaks the protocol.
func TestMapper(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "FAKE_MAPPINGS_AA=x")
	m.install(plugin.Resource, "aa", "1.0.0")
	s := listen(t)
	s.Serve(broker.Services{Mappings: m.mappings()})
	mapper := codegen.NewMapperClient(client(t, s.Address()))
	hint := &codegen.MapperParameterizationHint{Name: "p", Version: "1.0.0", Value: []byte("v")}
	tests := map[string]struct {
		req  *codegen.GetMappingRequest
		want string
	}{
		"plain":              {&codegen.GetMappingRequest{Provider: "x"}, "x by aa"},
		"hint":               {&codegen.GetMappingRequest{Provider: "x", PulumiProvider: "aa", ParameterizationHint: hint}, "x by aa v"},
		"hint without name":  {&codegen.GetMappingRequest{Provider: "x", ParameterizationHint: hint}, "x by aa"},
		"nobody":             {&codegen.GetMappingRequest{Provider: "y"}, ""},
		"another ecosystem":  {&codegen.GetMappingRequest{Provider: "x", Ecosystem: "arm"}, ""},
		"the same ecosystem": {&codegen.GetMappingRequest{Provider: "x", Ecosystem: "terraform"}, "x by aa"},
	}
	for name, test := range tests {
		response, err := mapper.GetMapping(t.Context(), test.req)
		if err != nil || string(response.GetData()) != test.want {
			t.Errorf("%s: %q, %v", name, response.GetData(), err)
		}
	}
	_, err := mapper.GetMapping(t.Context(), &codegen.GetMappingRequest{Provider: "x", PulumiProvider: "aa", ParameterizationHint: &codegen.MapperParameterizationHint{}})
	if status.Code(err) != codes.InvalidArgument {
		t.Error(err)
	}
}

type fixedResolver struct{}

func (fixedResolver) ResolvePackage(_ context.Context, spec project.PackageSpec) (broker.Resolved, diag.List) {
	if spec.Source == "gone" {
		return broker.Resolved{}, diag.List{diag.Errorf(host.CodeNotFound, "No package gone", "There is none.")}
	}
	return broker.Resolved{
		Plugin: plugin.Concrete{
			Kind: plugin.Resource, Name: spec.Source, Version: semver.MustParse(spec.Version), Server: spec.PluginDownloadURL,
			Checksums: spec.Checksums,
		},
		Parameterization: value(fmt.Sprint(spec.Parameters)).Value,
	}, nil
}

func TestResolver(t *testing.T) {
	t.Parallel()
	s := listen(t)
	s.Serve(broker.Services{Resolver: fixedResolver{}})
	resolver := pulumirpc.NewPackageResolverClient(client(t, s.Address()))
	got, err := resolver.ResolvePackage(t.Context(), &pulumirpc.PackageSpec{
		Source: "a", Version: "1.0.0", Parameters: []string{"b"}, Server: "https://x", Checksums: map[string][]byte{"linux-amd64": {1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &pulumirpc.PackageDependency{
		Name: "a", Kind: "resource", Version: "1.0.0", Server: "https://x", Checksums: map[string][]byte{"linux-amd64": {1}},
		Parameterization: &pulumirpc.PackageParameterization{Name: "p", Version: "1.0.0", Value: []byte("[b]")},
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := resolver.ResolvePackage(t.Context(), &pulumirpc.PackageSpec{Source: "gone"}); status.Code(err) != codes.NotFound {
		t.Error(err)
	}
}

func TestCloseBeforeServe(t *testing.T) {
	t.Parallel()
	s := listen(t)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
