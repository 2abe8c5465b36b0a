package install_test

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// world is a server with archives, which are below its root, and a registry.
// Faults strike requests whose path holds a text.
type world struct {
	server *httptest.Server

	mu     sync.Mutex
	files  map[string][]byte
	faults []*fault
	asked  []string
}

// fault strikes some requests.
type fault struct {
	path   string
	status int // what is answered; 0 to cut the connection
	after  int // bytes before the cut
	times  int // how often; below 0 for ever
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{files: map[string][]byte{}}
	w.server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, r.URL.Path)
	content, ok := w.files[r.URL.Path]
	var struck *fault
	for _, f := range w.faults {
		if f.times != 0 && strings.Contains(r.URL.Path, f.path) {
			f.times--
			struck = f
			break
		}
	}
	w.mu.Unlock()
	out.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	switch {
	case struck == nil && !ok:
		http.NotFound(out, r)
	case struck == nil:
		http.ServeContent(out, r, "", time.Time{}, bytes.NewReader(content))
	case struck.status != 0:
		out.WriteHeader(struck.status)
	default:
		out.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = out.Write(content[:min(struck.after, len(content))])
		_ = http.NewResponseController(out).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (w *world) fail(faults ...*fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = faults
}

// count is how many requests had a path with this text.
func (w *world) count(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, asked := range w.asked {
		if strings.Contains(asked, path) {
			n++
		}
	}
	return n
}

func archivePath(name, version string) string {
	p := plugin.CurrentPlatform()
	return fmt.Sprintf("/pulumi-resource-%s-v%s-%s-%s.tar.gz", name, version, p.OS, p.Arch)
}

// publish puts a plugin onto the server.
func (w *world) publish(t *testing.T, name, version string, files map[string]string) {
	t.Helper()
	packed := tarball(t, files)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[archivePath(name, version)] = packed
}

// register tells of a package acme/name in the registry, newest version.
func (w *world) register(name, version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	answer := fmt.Sprintf(`{"source": "private", "publisher": "acme", "name": %q, "version": %q, "pluginDownloadURL": %q}`, name, version, w.server.URL)
	for _, v := range []string{version, "latest"} {
		w.files["/api/registry/packages/private/acme/"+name+"/versions/"+v] = []byte(answer)
	}
}

func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(files[name]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// binary is what a plugin that is an executable consists of.
func binary(name, content string) map[string]string {
	return map[string]string{"pulumi-resource-" + name: content, "README": "about " + name}
}

// toy is a language whose dependencies are a file, and whose programs name the
// packages they need in files: `plugins` and `packages`, one source on a line.
type toy struct {
	// before is called before dependencies are installed.
	before func(dir string) error
}

func (l toy) RequiredPackages(_ context.Context, m *project.Manifest) (plugin.Requirements, diag.List) {
	plugins, err := describeLines(filepath.Join(m.Dir(), "plugins"))
	packages, err2 := describeLines(filepath.Join(m.Dir(), "packages"))
	return plugin.Requirements{Plugins: plugins, Packages: packages}, diag.FromError("XX0001", "toy", errors.Join(err, err2))
}

func describeLines(path string) ([]plugin.Descriptor, error) {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []plugin.Descriptor
	for _, line := range strings.Fields(string(src)) {
		text, server, _ := strings.Cut(line, "|")
		d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(text, "@"), Server: server})
		if diags.HasErrors() {
			return nil, diags.Err()
		}
		out = append(out, d)
	}
	return out, err
}

func (l toy) InstallDependencies(_ context.Context, m *project.Manifest) diag.List {
	if l.before != nil {
		if err := l.before(m.Dir()); err != nil {
			return diag.FromError("XX0002", "The toy's dependencies failed", err)
		}
	}
	err := os.WriteFile(filepath.Join(m.Dir(), "dependencies"), []byte("of "+m.Runtime.Name), 0o600)
	return diag.FromError("XX0002", "The toy's dependencies failed", err)
}

// pen writes an SDK that consists of the package's name and the plugin's path.
type pen struct {
	before func(dir string) error
}

func (p pen) Link(_ context.Context, m *project.Manifest, packages []install.Installed) diag.List {
	if p.before != nil {
		if err := p.before(m.Dir()); err != nil {
			return diag.FromError("XX0003", "The pen failed", err)
		}
	}
	for _, pkg := range packages {
		if _, err := os.Stat(pkg.Path); err != nil {
			return diag.FromError("XX0003", "A package is not there to be linked", err)
		}
		name := cmp.Or(pkg.Name, pkg.Plugin.Name)
		text := name + " " + strings.Join(pkg.Parameterization.Args, ",")
		if err := os.MkdirAll(filepath.Join(m.Dir(), "sdks"), 0o755); err != nil {
			return diag.FromError("XX0003", "The pen failed", err)
		}
		if err := os.WriteFile(filepath.Join(m.Dir(), "sdks", name), []byte(text), 0o600); err != nil {
			return diag.FromError("XX0003", "The pen failed", err)
		}
	}
	return nil
}

// home is a cache with an installer for it.
type home struct {
	*install.Installer
	cache plugin.Cache
}

// options of an installer; server is that of a world, or "".
func options(t testing.TB, cache plugin.Cache, server string, opts source.Options) install.Options {
	t.Helper()
	if opts.Env == nil {
		opts.Env = environment()
	}
	opts.Clock = impatient()
	sources, diags := source.New(opts)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	out := install.Options{Cache: cache, Sources: sources, Language: toy{}, Linker: pen{}, Env: opts.Env}
	if server != "" {
		registry, err := source.NewHTTPRegistry(sources.Client(), server, "")
		if err != nil {
			t.Fatal(err)
		}
		out.Registry = registry
	}
	return out
}

// impatient tries again at once.
func impatient() fetch.Clock {
	return fetch.Clock{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

func newHome(t *testing.T, w *world) *home {
	t.Helper()
	cache := plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}
	return homeAt(t, cache, w)
}

func homeAt(t *testing.T, cache plugin.Cache, w *world) *home {
	t.Helper()
	return &home{install.New(options(t, cache, w.server.URL, source.Options{})), cache}
}

// installText installs what a text names, as one would type it, and returns
// what is said: code and text, one on a line.
func (h *home) installText(ctx context.Context, t testing.TB, text string) (said string) {
	t.Helper()
	d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: true})
	wantCodes(t, diags)
	_, diags = h.Install(ctx, install.Request{Descriptors: []plugin.Descriptor{d}})
	for _, d := range diags {
		said += d.Code + " " + d.Error() + "\n"
	}
	return said
}

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func concrete(name, version string) plugin.Concrete {
	return plugin.Concrete{Kind: plugin.Resource, Name: name, Version: semver.MustParse(version)}
}

// wish describes a package by what one would type.
func (w *world) wish(t testing.TB, text string) plugin.Descriptor {
	t.Helper()
	d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(text, "@"), Server: w.server.URL})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return d
}

// wantCodes fails unless diags have exactly these codes.
func wantCodes(t testing.TB, diags diag.List, want ...string) {
	t.Helper()
	var got []string
	for _, d := range diags {
		got = append(got, d.Code)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("codes (-want +got):\n%s\n%v", diff, diags)
	}
}

// tree lists the files below dir with their content, and the directories that
// are empty; of locks only that they are there.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

// wantTree compares the cache to files by their path, locks aside.
func (h *home) wantTree(t testing.TB, want map[string]string) {
	t.Helper()
	got := tree(t, h.cache.Root)
	maps.DeleteFunc(got, func(path, _ string) bool { return strings.HasSuffix(path, ".lock") })
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the cache (-want +got):\n%s", diff)
	}
}
