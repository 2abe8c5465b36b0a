package source_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

const (
	directURL = "github.com/pulumi/pulumi-random/releases/download/v1.0.0/pulumi-resource-random-v1.0.0-linux-amd64.tar.gz"
	tagURL    = "api.github.com/repos/pulumi/pulumi-random/releases/tags/v1.0.0"
	assetURL  = "api.github.com/repos/pulumi/pulumi-random/releases/assets/7"
	olderURL  = "get.pulumi.com/releases/plugins/pulumi-resource-random-v1.0.0-linux-amd64.tar.gz"
)

// githubRelease is a release with one asset at assetURL.
func githubRelease(asset string) http.HandlerFunc {
	return text(`{"assets": [{"name": "SHA256SUMS", "url": "https://x.example/"}, {"name": "` + asset + `", "url": "https://` + assetURL + `"}]}`)
}

// TestPlaces has, for each form of server, what the world holds and which
// requests lead to the plugin.
func TestPlaces(t *testing.T) {
	t.Parallel()
	archive := tarball(t, map[string]string{"pulumi-resource-random": "program"})
	for name, c := range map[string]struct {
		server string
		env    []string
		sites  map[string]http.HandlerFunc
		asked  []string
	}{
		"released by Pulumi": {
			sites: map[string]http.HandlerFunc{directURL: file(archive)},
			asked: []string{directURL},
		},
		"released by Pulumi, by the API": {
			env:   []string{"GITHUB_TOKEN=t"},
			sites: map[string]http.HandlerFunc{tagURL: githubRelease(asset("1.0.0")), assetURL: file(archive)},
			asked: []string{directURL, tagURL + " [token t]", assetURL + " [token t]"},
		},
		"published before releases": {
			sites: map[string]http.HandlerFunc{olderURL: file(archive)},
			asked: []string{directURL, tagURL, olderURL},
		},
		"published before releases, elsewhere": {
			env:   []string{"PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES=^https://get.pulumi.com/=https://mirror.example/old"},
			sites: map[string]http.HandlerFunc{"mirror.example/old/" + asset("1.0.0"): file(archive)},
			asked: []string{directURL, tagURL, "mirror.example/old/" + asset("1.0.0")},
		},
		"github": {
			server: "github://api.git.example/org",
			sites: map[string]http.HandlerFunc{
				"api.git.example/repos/org/pulumi-random/releases/tags/v1.0.0": githubRelease(asset("1.0.0")), assetURL: file(archive),
			},
			asked: []string{"api.git.example/repos/org/pulumi-random/releases/tags/v1.0.0", assetURL},
		},
		"github, a token that may not": {
			server: "github://api.github.com/org/repo",
			env:    []string{"GITHUB_TOKEN=t"},
			sites: map[string]http.HandlerFunc{
				"api.github.com/repos/org/repo/releases/tags/v1.0.0": func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Authorization") != "" {
						w.WriteHeader(http.StatusForbidden)
						return
					}
					githubRelease(asset("1.0.0"))(w, r)
				},
				assetURL: file(archive),
			},
			asked: []string{"api.github.com/repos/org/repo/releases/tags/v1.0.0 [token t]", "api.github.com/repos/org/repo/releases/tags/v1.0.0", assetURL},
		},
		"gitlab": {
			server: "gitlab://git.example/123",
			env:    []string{"GITLAB_TOKEN=t"},
			sites:  map[string]http.HandlerFunc{"git.example/api/v4/projects/123/releases/v1.0.0/downloads/" + asset("1.0.0"): file(archive)},
			asked:  []string{"git.example/api/v4/projects/123/releases/v1.0.0/downloads/" + asset("1.0.0") + " [Bearer t]"},
		},
		"web": {
			server: "https://files.example/plugins/",
			sites:  map[string]http.HandlerFunc{"files.example/plugins/" + asset("1.0.0"): file(archive)},
			asked:  []string{"files.example/plugins/" + asset("1.0.0")},
		},
		"web with placeholders and a query": {
			server: "https://files.example/${NAME}/v${VERSION}/${OS}/${ARCH}?key=secret",
			sites: map[string]http.HandlerFunc{"files.example/random/v1.0.0/linux/amd64/" + asset("1.0.0"): func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RawQuery != "key=secret" {
					w.WriteHeader(http.StatusForbidden)
				}
				file(archive)(w, r)
			}},
			asked: []string{"files.example/random/v1.0.0/linux/amd64/" + asset("1.0.0")},
		},
		"overridden": {
			server: "github://api.github.com/acme/tools",
			env:    []string{"PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES=^nothing=x,^github://api.github.com/(?P<org>[^/]+)/([^/]+)=https://mirror.example/${org}/$2"},
			sites:  map[string]http.HandlerFunc{"mirror.example/acme/tools/" + asset("1.0.0"): file(archive)},
			asked:  []string{"mirror.example/acme/tools/" + asset("1.0.0")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t)
			n.sites = c.sites
			p := random()
			p.Server, p.Checksums = c.server, sums(archive)
			room := newRoom(t)
			wantCodes(t, sources(t, n, source.Options{Env: environment(c.env...)}).Fetch(t.Context(), p, room))
			wantFile(t, room, "pulumi-resource-random", "program")
			n.wantAsked(t, c.asked...)
		})
	}
}

// TestUsualRepositories has the repository of each kind of plugin.
func TestUsualRepositories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind       plugin.Kind
		name, want string
	}{
		{plugin.Resource, "aws", "pulumi-aws"}, {plugin.Language, "hcl", "pulumi-hcl"}, {plugin.Analyzer, "policy", "pulumi-policy"},
		{plugin.Converter, "terraform", "pulumi-converter-terraform"}, {plugin.Converter, "yaml", "pulumi-yaml"}, {plugin.Converter, "hcl", "pulumi-hcl"},
		{plugin.Tool, "scan", "pulumi-tool-scan"}, {plugin.Tool, "pulumi-tool-scan", "pulumi-pulumi-tool-scan"},
	} {
		n := newInternet(t)
		latest := "api.github.com/repos/pulumi/" + c.want + "/releases/latest"
		n.sites[latest] = text(`{"tag_name": "v1.2.3"}`)
		v, diags := sources(t, n, source.Options{}).Latest(t.Context(), plugin.Concrete{Kind: c.kind, Name: c.name})
		wantCodes(t, diags)
		if v.String() != "1.2.3" {
			t.Errorf("%s %s: %s", c.kind, c.name, v)
		}
		n.wantAsked(t, latest)
	}
}

func TestLatest(t *testing.T) {
	t.Parallel()
	mirror := t.TempDir()
	for _, name := range []string{asset("1.0.0"), asset("1.10.0"), asset("2.0.0-rc.1"), "pulumi-resource-random-v9.0.0-darwin-arm64.tar.gz", "pulumi-resource-random-vx-linux-amd64.tar.gz", "README"} {
		if err := os.WriteFile(filepath.Join(mirror, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		server string
		sites  map[string]http.HandlerFunc
		want   string
		codes  []string
	}{
		"gitlab":            {"gitlab://git.example/1", map[string]http.HandlerFunc{"git.example/api/v4/projects/1/releases/permalink/latest": text(`{"tag_name": "v3.0.0"}`)}, "3.0.0", nil},
		"mirror":            {"file://" + mirror, nil, "1.10.0", nil},
		"empty mirror":      {"file://" + t.TempDir(), nil, "", []string{"PS0016"}},
		"no mirror":         {"file:///nowhere/at/all", nil, "", []string{"PS0016"}},
		"web":               {"https://files.example/", nil, "", []string{"PS0013"}},
		"unknown":           {"github://api.github.com/org/repo", nil, "", []string{"PS0015"}},
		"tag is no version": {"github://api.github.com/org/repo", map[string]http.HandlerFunc{"api.github.com/repos/org/repo/releases/latest": text(`{"tag_name": "nightly"}`)}, "", []string{"PS0016"}},
		"no JSON":           {"github://api.github.com/org/repo", map[string]http.HandlerFunc{"api.github.com/repos/org/repo/releases/latest": text(`<html>`)}, "", []string{"PS0016"}},
		"out of order":      {"github://api.github.com/org/repo", map[string]http.HandlerFunc{"api.github.com/repos/org/repo/releases/latest": answer(502)}, "", []string{"PS0016"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t)
			n.sites = c.sites
			v, diags := sources(t, n, source.Options{}).Latest(t.Context(), plugin.Concrete{Kind: plugin.Resource, Name: "random", Server: c.server})
			wantCodes(t, diags, c.codes...)
			if len(c.codes) == 0 && v.String() != c.want {
				t.Errorf("got %s", v)
			}
		})
	}
}

// TestWhatIsSaid has a fault for each message, and words that it must hold.
func TestWhatIsSaid(t *testing.T) {
	t.Parallel()
	archive := tarball(t, map[string]string{"pulumi-resource-random": "program"})
	limited := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.WriteHeader(http.StatusForbidden)
	}
	for name, c := range map[string]struct {
		server string
		sites  map[string]http.HandlerFunc
		opts   source.Options
		code   string
		words  []string
	}{
		"nowhere":         {code: "PS0010", words: []string{"resource plugin random 1.0.0", "linux-amd64", "pulumi/pulumi-random", "get.pulumi.com", "404", "GITHUB_TOKEN"}},
		"other platforms": {server: "github://api.github.com/pulumi", sites: map[string]http.HandlerFunc{tagURL: githubRelease("pulumi-resource-random-v1.0.0-darwin-arm64.tar.gz")}, code: "PS0010", words: []string{"darwin-arm64"}},
		"refused":         {server: "https://files.example/", sites: map[string]http.HandlerFunc{"files.example/" + asset("1.0.0"): answer(403)}, code: "PS0011", words: []string{"403", "Access was refused"}},
		"rate limit":      {server: "github://api.github.com/pulumi", sites: map[string]http.HandlerFunc{tagURL: limited}, code: "PS0011", words: []string{"limits how often", "GITHUB_TOKEN"}},
		"down":            {server: "https://files.example/", sites: map[string]http.HandlerFunc{"files.example/" + asset("1.0.0"): answer(503)}, code: "PS0011", words: []string{"503", "kept"}},
		"offline":         {opts: source.Options{Offline: true}, code: "PS0012", words: []string{"pulumi/pulumi-random", asset("1.0.0"), "file:///"}},
		"mirror without":  {server: "file:///nowhere", code: "PS0010", words: []string{"/nowhere"}},
		"not an archive":  {server: "https://files.example/", sites: map[string]http.HandlerFunc{"files.example/" + asset("1.0.0"): text("<html>")}, code: "PS0022", words: []string{"files.example", "tar.gz"}},
		"hostile":         {server: "https://files.example/", sites: map[string]http.HandlerFunc{"files.example/" + asset("1.0.0"): file(tarball(t, map[string]string{"../evil": "x"}))}, code: "PS0022", words: []string{"../evil", "publisher"}},
		"checksum":        {server: "https://files.example/?key=secret", sites: map[string]http.HandlerFunc{"files.example/" + asset("1.0.0"): file(tarball(t, map[string]string{"x": "y"}))}, code: "PS0021", words: []string{"files.example", "SHA-256"}},
		"bad server":      {server: "ftp://me:secret@x/?key=secret", code: "PS0005", words: []string{"ftp"}},
		"bad github":      {server: "github://api.github.com/a/b/c", code: "PS0005", words: []string{"github://api.github.com/org"}},
		"bad gitlab":      {server: "gitlab://host/a/b", code: "PS0005", words: []string{"gitlab://host/project"}},
		"bad web":         {server: "https://", code: "PS0005", words: []string{"valid URL"}},
		"bad directory":   {server: "file://host/dir", code: "PS0005", words: []string{"file:///directory"}},
		"bad repository":  {server: "git://host", code: "PS0005", words: []string{"host/org/repository"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t)
			n.sites = c.sites
			p := random()
			p.Server = c.server
			if name == "checksum" {
				p.Checksums = sums(archive)
			}
			diags := sources(t, n, c.opts).Fetch(t.Context(), p, newRoom(t))
			wantCodes(t, diags, c.code)
			for _, word := range c.words {
				if !strings.Contains(diags[0].Error(), word) {
					t.Errorf("%q is not in: %s", word, diags[0].Error())
				}
			}
			if strings.Contains(diags[0].Error(), "secret") {
				t.Errorf("a secret is told: %s", diags[0].Error())
			}
		})
	}
}

func TestMirrorDirectoryNeedsNoNetwork(t *testing.T) {
	t.Parallel()
	archive := tarball(t, map[string]string{"pulumi-resource-random": "program"})
	mirror := t.TempDir()
	if err := os.WriteFile(filepath.Join(mirror, asset("1.0.0")), archive, 0o600); err != nil {
		t.Fatal(err)
	}
	room := newRoom(t)
	s := sources(t, nil, source.Options{Offline: true, Env: environment("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES=.*=file://" + mirror)})
	wantCodes(t, s.Fetch(t.Context(), random(), room))
	wantFile(t, room, "pulumi-resource-random", "program")
	if _, err := os.Stat(filepath.Join(mirror, asset("1.0.0"))); err != nil {
		t.Error("the mirror's archive is gone")
	}
}

// TestCutDownloadGoesOn ends a first run in the middle, and has the second
// ask for the rest alone.
func TestCutDownloadGoesOn(t *testing.T) {
	t.Parallel()
	archive := tarball(t, map[string]string{"pulumi-resource-random": strings.Repeat("program", 1000)})
	n := newInternet(t)
	at := "files.example/" + asset("1.0.0")
	n.sites[at] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(archive[:50])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	p := random()
	p.Server = "https://files.example/"
	room := newRoom(t)
	s := sources(t, n, source.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ctx = progress.WithListener(ctx, func(e progress.Event) {
		if e.Task == "wait" {
			cancel()
		}
	})
	wantCodes(t, s.Fetch(ctx, p, room), "PS0002")
	n.mu.Lock()
	n.sites[at] = file(archive)
	n.mu.Unlock()
	wantCodes(t, s.Fetch(t.Context(), p, room))
	wantFile(t, room, "pulumi-resource-random", strings.Repeat("program", 1000))
	n.wantAsked(t, at, at+" bytes=50-")
}

func TestIdentityIsChecked(t *testing.T) {
	t.Parallel()
	s := sources(t, newInternet(t), source.Options{})
	for _, p := range []plugin.Concrete{
		{Kind: plugin.Resource, Name: "../evil", Version: semver.MustParse("1.0.0")}, {Kind: "thing", Name: "random"}, {Kind: plugin.Resource},
	} {
		wantCodes(t, s.Fetch(t.Context(), p, newRoom(t)), "PS0006")
		_, diags := s.Latest(t.Context(), p)
		wantCodes(t, diags, "PS0006")
	}
}

func TestOverrides(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{"": true, "a=b": true, "a=b,c=https://x/?y=z": true, "a": false, "=b": false, "a=": false, "(=b": false, "a=b,": false} {
		_, diags := source.New(source.Options{Env: environment("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES=" + text)})
		if good {
			wantCodes(t, diags)
		} else {
			wantCodes(t, diags, "PS0004")
		}
	}
}
