package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/fetch"
)

// web serves files, and counts how often it is asked.
func web(t *testing.T, files map[string][]byte) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// TestRemoteAssets takes assets and archives from a server, alone and as
// members of archives.
func TestRemoteAssets(t *testing.T) {
	t.Parallel()
	made, err := assetsIn(t.TempDir()).file(t.Context(), archiveOf(map[string]any{"main.js": &asset.Asset{Text: "run()"}}))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	server, asked := web(t, map[string][]byte{"/text": []byte("remote"), "/code.zip": code})
	dir := assetsIn(filepath.Join(t.TempDir(), "assets"))
	text, lambda := &asset.Asset{URI: server + "/text"}, &archive.Archive{URI: server + "/code.zip?signature=s"}

	path, err := dir.file(t.Context(), property.New(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "remote" || err != nil {
		t.Errorf("%s has %q, %v", path, got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if same, err := dir.file(t.Context(), textAsset("remote")); same != path || err != nil {
		t.Errorf("the same content is in %s and in %s, %v", path, same, err)
	}
	path, err = dir.file(t.Context(), property.New(lambda))
	if err != nil || !strings.HasSuffix(path, ".zip") {
		t.Fatalf("%q, %v", path, err)
	}
	if diff := cmp.Diff(map[string]string{"main.js": "run()"}, unzipped(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	path, err = dir.file(t.Context(), archiveOf(map[string]any{
		"a": text, "b": &asset.Asset{Text: "here"}, "c": lambda, "d": &archive.Archive{Assets: map[string]any{"e": text}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "remote", "b": "here", "c/main.js": "run()", "d/e": "remote"}
	if diff := cmp.Diff(want, unzipped(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	entries, err := os.ReadDir(dir.dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("left are %v, %v", entries, err)
	}

	before := asked.Load()
	sum := sha256.Sum256([]byte("remote"))
	known := &asset.Asset{URI: text.URI, Hash: hex.EncodeToString(sum[:])}
	if _, err := dir.file(t.Context(), property.New(known)); err != nil || asked.Load() != before {
		t.Errorf("what was there was downloaded: %v", err)
	}
}

// TestRemoteAssetsFail has URLs that lead nowhere. Nothing is left, and no
// password in the error.
func TestRemoteAssetsFail(t *testing.T) {
	t.Parallel()
	server, asked := web(t, nil)
	missing := strings.Replace(server, "://", "://user:hunter2@", 1) + "/x?token=hunter2"
	offline := fetch.New(fetch.Options{Offline: true, Attempts: 1})
	for name, test := range map[string]struct {
		uri   string
		web   *fetch.Client
		words string
	}{
		"missing":   {missing, nil, "404"},
		"offline":   {missing, offline, "not to be used"},
		"scheme":    {"ftp://user:hunter2@example.test/x", nil, "neither http, https nor file"},
		"malformed": {"http://user:hunter2@[/", nil, "malformed"},
	} {
		dir := assetsIn(t.TempDir())
		if test.web != nil {
			dir.web = test.web
		}
		for _, v := range []property.Value{
			property.New(&asset.Asset{URI: test.uri}), property.New(&archive.Archive{URI: test.uri}),
			archiveOf(map[string]any{"a": &archive.Archive{Assets: map[string]any{"b": &asset.Asset{URI: test.uri}}}}),
		} {
			path, err := dir.file(t.Context(), v)
			entries, _ := os.ReadDir(dir.dir)
			if err == nil || !strings.Contains(err.Error(), test.words) || strings.Contains(err.Error(), "hunter2") || path != "" || len(entries) > 0 {
				t.Errorf("%s: got %q, %v, %v", name, path, err, entries)
			}
		}
	}
	if asked.Load() != 3 {
		t.Errorf("asked %d times", asked.Load())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := assetsIn(t.TempDir()).file(ended, property.New(&asset.Asset{URI: server + "/x"})); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestFileURL takes the path out of a URL.
func TestFileURL(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a b")
	uri := "file://" + strings.ReplaceAll(filepath.ToSlash(file), " ", "%20")
	if path, err := assetsIn(t.TempDir()).file(t.Context(), property.New(&asset.Asset{URI: uri})); path != file || err != nil {
		t.Errorf("got %q, %v", path, err)
	}
}
