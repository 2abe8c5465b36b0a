package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/fetch"
)

// site is a server by HTTPS whose requests are kept.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

func serve(t *testing.T, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) host(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// client talks to s with pauses that take no time; they are returned.
func client(s *site, opts fetch.Options) (*fetch.Client, *[]time.Duration) {
	waits := &[]time.Duration{}
	opts.Transport = s.Client().Transport
	opts.Clock = fetch.Clock{
		Now: func() time.Time { return time.Unix(1000, 0) },
		Sleep: func(ctx context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return ctx.Err()
		},
	}
	return fetch.New(opts), waits
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func TestPassingFaultsAreTriedAgain(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	for code, want := range map[int][]time.Duration{
		503: {80 * ms, 160 * ms, 320 * ms, 640 * ms}, 408: {80 * ms, 160 * ms, 320 * ms, 640 * ms},
		403: nil, 404: nil, 401: nil,
	} {
		s := serve(t, status(code))
		c, waits := client(s, fetch.Options{Attempts: 5, FirstWait: 80 * ms})
		_, _, err := c.Get(t.Context(), s.URL, 10)
		if !fetch.HasStatus(err, code) || fetch.IsTransient(err) != (want != nil) {
			t.Errorf("%d: got %v", code, err)
		}
		if diff := cmp.Diff(want, *waits, cmp.Transformer("nil", func(d []time.Duration) []time.Duration {
			return append([]time.Duration{}, d...)
		})); diff != "" {
			t.Errorf("%d: waits (-want +got):\n%s", code, diff)
		}
	}
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code    int
		headers map[string]string
		limited bool
		after   time.Duration
	}{
		"retry-after":      {429, map[string]string{"Retry-After": "7"}, true, 7 * time.Second},
		"github":           {403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1090"}, true, 90 * time.Second},
		"github, past":     {403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "10"}, true, 0},
		"forbidden":        {403, map[string]string{"X-RateLimit-Remaining": "59"}, false, 0},
		"limit, no number": {403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range c.headers {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.code)
			})
			client, _ := client(s, fetch.Options{Attempts: 1})
			_, _, err := client.Get(t.Context(), s.URL, 10)
			var answer *fetch.StatusError
			if !errors.As(err, &answer) || answer.RateLimited != c.limited || answer.After != c.after {
				t.Errorf("got %+v", answer)
			}
		})
	}
}

// TestTokensStayHome follows a redirect to another host and back.
func TestTokensStayHome(t *testing.T) {
	t.Parallel()
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })
	home := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/file?signature=secret", http.StatusFound)
	})
	c := fetch.New(fetch.Options{Transport: insecure()})
	ctx := fetch.WithAccept(fetch.WithBearer(t.Context(), home.host(t), "secret"), "text/special")
	final, err := c.GetJSON(ctx, home.URL, &struct{}{})
	if err != nil || final.Path != "/file" {
		t.Fatal(final, err)
	}
	if got := home.requests[0].Header.Get("Authorization"); got != "Bearer secret" {
		t.Errorf("home got %q", got)
	}
	if got := other.requests[0].Header; got.Get("Authorization") != "" || got.Get("Referer") != "" || got.Get("Accept") != "text/special" {
		t.Errorf("the other host got %v", got)
	}
}

// insecure trusts every server, for tests with two of them.
func insecure() http.RoundTripper {
	t := httptest.NewTLSServer(nil)
	defer t.Close()
	transport, _ := t.Client().Transport.(*http.Transport)
	transport = transport.Clone()
	transport.TLSClientConfig.InsecureSkipVerify = true
	return transport
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json":
			_, _ = w.Write([]byte("<html>"))
		case "/long":
			_, _ = w.Write(make([]byte, 100))
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/plain":
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}
	})
	c, _ := client(s, fetch.Options{Attempts: 1})
	var answer *fetch.AnswerError
	if _, err := c.GetJSON(t.Context(), s.URL+"/json?secret", nil); !errors.As(err, &answer) || strings.Contains(err.Error(), "secret") {
		t.Errorf("json: %v", err)
	}
	for path, want := range map[string]string{"/long": "more than 10 bytes", "/loop": "redirects", "/plain": "insecure"} {
		if _, _, err := c.Get(t.Context(), s.URL+path, 10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := c.Get(t.Context(), "::", 1); err == nil {
		t.Error("a malformed address was fetched")
	}
	if _, _, err := fetch.New(fetch.Options{Offline: true}).Get(t.Context(), s.URL, 1); !errors.Is(err, fetch.ErrOffline) || fetch.IsTransient(err) {
		t.Errorf("offline: %v", err)
	}
	if _, _, err := fetch.New(fetch.Options{}).Get(t.Context(), s.URL, 1); !fetch.Untrusted(err) || fetch.IsTransient(err) {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

// TestContinuedDownload has a server that cuts the first two connections.
func TestContinuedDownload(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789", 1000)
	cuts := 2
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		if cuts--; cuts >= 0 {
			w = &cutter{w, 3000}
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	})
	c, _ := client(s, fetch.Options{})
	d := fetch.Download{Client: c, URL: s.URL, Path: filepath.Join(t.TempDir(), "file"), Label: "it"}
	if err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(d.Path); err != nil || string(got) != content {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	var ranges []string
	for _, r := range s.requests {
		ranges = append(ranges, r.Header.Get("Range"))
	}
	if diff := cmp.Diff([]string{"", "bytes=3000-", "bytes=6000-"}, ranges); diff != "" {
		t.Errorf("ranges (-want +got):\n%s", diff)
	}
	d.Discard()
	if left, _ := filepath.Glob(d.Path + "*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// cutter aborts the connection after some bytes.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p[:min(c.left, len(p))])
	if c.left -= n; c.left == 0 {
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func TestResolve(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("https://one.example/a/b")
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{"c": "https://one.example/a/c", "https://two.example/": "https://two.example/", "": "", "file:///etc": "", ":": ""} {
		got := ""
		if u, err := fetch.Resolve(base, ref); err == nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
}
