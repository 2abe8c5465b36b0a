package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// place is a machine with a few directories for plugins.
type place struct {
	t       *testing.T
	path    string // on the PATH
	cache   plugin.Cache
	project string
	opts    host.Options
	said    *said
}

// said gathers what plugins say.
type said struct {
	mu    sync.Mutex
	lines map[bool][]string // of stderr, and of stdout
	logs  []host.Log
}

func (s *said) listener() host.Listener {
	return host.Listener{
		Line: func(l host.Line) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.lines[l.Stderr]) < 100 {
				s.lines[l.Stderr] = append(s.lines[l.Stderr], fmt.Sprintf("%s %s %v %s", l.Kind, l.Name, l.Stderr, l.Text))
			}
		},
		Log: func(l host.Log) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.logs = append(s.logs, l)
		},
	}
}

func (s *said) all() ([]string, []host.Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.lines[true], s.lines[false]), slices.Clone(s.logs)
}

// newPlace makes a machine whose plugins get more environment.
func newPlace(t *testing.T, more ...string) *place {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{
		t: t, path: filepath.Join(root, "bin"), project: filepath.Join(root, "project"),
		cache: plugin.Cache{Root: filepath.Join(root, "plugins")}, said: &said{lines: map[bool][]string{}},
	}
	if err := os.MkdirAll(p.project, 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(host.Environment{"PATH=" + p.path, "HOME=" + root}, more...)
	p.opts = host.Options{
		Finder:  host.Finder{Env: env, Cache: p.cache},
		Env:     env,
		WorkDir: p.project, Listener: p.said.listener(),
		StartTimeout: 20 * time.Second, Grace: 10 * time.Second,
	}
	return p
}

// fake is a place with one resource plugin, "fake", on the PATH.
func fake(t *testing.T, more ...string) *place {
	p := newPlace(t, more...)
	fakeplugin.Link(t, p.path, "resource", "fake")
	return p
}

func (p *place) host() *host.Host {
	p.t.Helper()
	h, err := host.New(p.t.Context(), p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := h.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return h
}

// install puts a fake plugin into the cache.
func (p *place) install(kind plugin.Kind, name, version string) {
	fakeplugin.Link(p.t, p.cache.Dir(concrete(kind, name, version)), string(kind), name)
}

func concrete(kind plugin.Kind, name, version string) plugin.Concrete {
	v, err := plugin.ParseVersion(version)
	if err != nil {
		panic(err)
	}
	return plugin.Concrete{Kind: kind, Name: name, Version: v}
}

func exactly(version string) plugin.Constraint { return plugin.Exactly(exactVersion(version)) }

func exactVersion(version string) semver.Version {
	return concrete(plugin.Resource, "", version).Version
}

// resource starts the plugin "fake".
func resource(t *testing.T, h *host.Host, ps ...plugin.Parameterization) *host.Resource {
	t.Helper()
	r, diags := h.Resource(t.Context(), host.Wanted{Name: "fake"}, ps...)
	if r == nil {
		t.Fatal(diags.Err())
	}
	return r
}

// self asks a fake plugin how it was started.
func self(t *testing.T, r *host.Resource) fakeplugin.Self {
	t.Helper()
	response, err := r.Client.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: "fake:index:self"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := response.GetReturn().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return decodeSelf(t, text)
}

func decodeSelf(t *testing.T, text []byte) fakeplugin.Self {
	t.Helper()
	var s fakeplugin.Self
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

// wantDiag looks for one diagnostic with a code and words in its text.
func wantDiag(t *testing.T, diags diag.List, code string, words ...string) {
	t.Helper()
	for _, d := range diags {
		text := d.Summary + ": " + d.Detail
		if d.Code == code && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			return
		}
	}
	t.Errorf("no %s with %q in %v", code, words, diags)
}

func write(t *testing.T, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// promptly fails where do takes longer than anything here may.
func promptly(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it takes forever")
	}
}
