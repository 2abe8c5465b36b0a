package source_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// internet is a server that is every host there is.
type internet struct {
	server *httptest.Server
	mu     sync.Mutex
	// sites maps "host/path" to what it answers.
	sites map[string]http.HandlerFunc
	asked []string
}

func newInternet(t *testing.T) *internet {
	t.Helper()
	n := &internet{sites: map[string]http.HandlerFunc{}}
	n.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		at := r.Host + r.URL.Path
		asked := at
		if authorization := r.Header.Get("Authorization"); authorization != "" {
			asked += " [" + authorization + "]"
		}
		if bytesRange := r.Header.Get("Range"); bytesRange != "" {
			asked += " " + bytesRange
		}
		n.asked = append(n.asked, asked)
		site := n.sites[at]
		n.mu.Unlock()
		if site == nil {
			http.NotFound(w, r)
			return
		}
		site(w, r)
	}))
	t.Cleanup(n.server.Close)
	return n
}

func (n *internet) transport() http.RoundTripper {
	return &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, n.server.Listener.Addr().String())
		},
	}
}

// wantAsked fails unless exactly these requests were made since last asked.
func (n *internet) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if diff := cmp.Diff(want, n.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	n.asked = nil
}

// file serves content with a validator.
func file(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

func text(content string) http.HandlerFunc { return file([]byte(content)) }

func answer(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// tarball packs files by name.
func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// random is the plugin that most tests are about, at version 1.0.0.
func random() plugin.Concrete {
	return plugin.Concrete{Kind: plugin.Resource, Name: "random", Version: semver.MustParse("1.0.0")}
}

// linux is the platform of every test.
var linux = plugin.Platform{OS: "linux", Arch: "amd64"}

func asset(version string) string {
	return "pulumi-resource-random-v" + version + "-linux-amd64.tar.gz"
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

// sources talks to n with pauses that take no time.
func sources(t *testing.T, n *internet, opts source.Options) *source.Sources {
	t.Helper()
	if n != nil {
		opts.Transport = n.transport()
	}
	if opts.Env == nil {
		opts.Env = environment()
	}
	opts.Platform = linux
	opts.Clock = fetch.Clock{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
	s, diags := source.New(opts)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return s
}

func newRoom(t *testing.T) source.Room {
	t.Helper()
	top := t.TempDir()
	room := source.Room{Dir: filepath.Join(top, "room"), Download: filepath.Join(top, "download")}
	if err := os.Mkdir(room.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return room
}

// wantCodes fails unless diags have exactly these codes.
func wantCodes(t *testing.T, diags diag.List, want ...string) {
	t.Helper()
	var got []string
	for _, d := range diags {
		got = append(got, d.Code)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("codes (-want +got):\n%s\n%v", diff, diags)
	}
}

func wantFile(t *testing.T, room source.Room, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(room.Dir, name))
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, %v", name, got, err)
	}
	if left, _ := filepath.Glob(room.Download + "*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func sums(archive []byte) plugin.Checksums {
	sum := sha256.Sum256(archive)
	return plugin.Checksums{linux.String(): sum[:]}
}
