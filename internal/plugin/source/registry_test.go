package source_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

const service = "api.pulumi.example"

// packageJSON is a package as the service tells it.
func packageJSON(id, version, more string) string {
	parts := strings.Split(id, "/")
	return `{"source": "` + parts[0] + `", "publisher": "` + parts[1] + `", "name": "` + parts[2] + `", "version": "` + version + `"` + more + `}`
}

func packagePath(id, version string) string {
	return service + "/api/registry/packages/" + id + "/versions/" + version
}

func registry(t *testing.T, n *internet, token string) source.Registry {
	t.Helper()
	r, err := source.NewHTTPRegistry(sources(t, n, source.Options{}).Client(), "https://"+service+"/", token)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLookup(t *testing.T) {
	t.Parallel()
	n := newInternet(t)
	list := service + "/api/registry/packages"
	n.sites = map[string]http.HandlerFunc{
		packagePath("pulumi/acme/tools", "latest"):    text(packageJSON("pulumi/acme/tools", "2.0.0", `, "pluginDownloadURL": "https://acme.example/"`)),
		packagePath("private/us/tools", "latest"):     text(packageJSON("private/us/tools", "1.0.0", "")),
		packagePath("pulumi/pulumi/thing", "1.0.0"):   text(packageJSON("pulumi/pulumi/thing", "1.0.0", "")),
		packagePath("private/locked/tools", "latest"): answer(401),
		packagePath("pulumi/locked/tools", "latest"):  text(packageJSON("pulumi/locked/tools", "3.0.0", "")),
		packagePath("pulumi/odd/tools", "latest"):     text(packageJSON("pulumi/odd/../x", "3.0.0", "")),
		list: func(w http.ResponseWriter, r *http.Request) {
			pages := map[string]string{
				"thing":  `{"packages": [` + packageJSON("opentofu/x/thing", "9.0.0", "") + `, ` + packageJSON("pulumi/pulumi/thing", "2.0.0", "") + `]}`,
				"ours":   `{"packages": [` + packageJSON("pulumi/pulumi/ours", "2.0.0", "") + `], "continuationToken": "next page"}`,
				"both":   `{"packages": [` + packageJSON("private/a/both", "1.0.0", "") + `, ` + packageJSON("private/b/both", "1.0.0", "") + `]}`,
				"theirs": `{"packages": [` + packageJSON("opentofu/x/theirs", "1.0.0", "") + `]}`,
				"like":   `{"packages": [` + packageJSON("pulumi/pulumi/likewise", "1.0.0", "") + `]}`,
			}
			page := pages[r.FormValue("name")]
			if r.FormValue("continuationToken") == "next page" {
				page = `{"packages": [` + packageJSON("private/us/ours", "1.0.0", "") + `]}`
			}
			if page == "" {
				page = `{"packages": []}`
			}
			_, _ = io.WriteString(w, page)
		},
	}
	r := registry(t, n, "")
	one := semver.MustParse("1.0.0")
	for _, c := range []struct {
		name    string
		version *semver.Version
		want    string
	}{
		{"pulumi/acme/tools", nil, "pulumi/acme/tools 2.0.0 https://acme.example/"},
		{"acme/tools", nil, "pulumi/acme/tools 2.0.0 https://acme.example/"},
		{"us/tools", nil, "private/us/tools 1.0.0 "},
		{"locked/tools", nil, "pulumi/locked/tools 3.0.0 "},
		{"thing", nil, "pulumi/pulumi/thing 2.0.0 "},
		{"thing", &one, "pulumi/pulumi/thing 1.0.0 "},
		{"ours", nil, "private/us/ours 1.0.0 "},
	} {
		got, err := source.Lookup(t.Context(), r, c.name, c.version)
		if text := got.PackageID.String() + " " + got.Version.String() + " " + got.Server; err != nil || text != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, text, err, c.want)
		}
	}
	for _, name := range []string{"nothing", "no/body", "a/b/c", "theirs", "like"} {
		if _, err := source.Lookup(t.Context(), r, name, nil); !errors.Is(err, source.ErrNotRegistered) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := source.Lookup(t.Context(), r, "ours", &one); err != nil {
		t.Errorf("the version that search gave: %v", err)
	}
	two := semver.MustParse("5.0.0")
	if _, err := source.Lookup(t.Context(), r, "thing", &two); !errors.Is(err, source.ErrNotRegistered) || !strings.Contains(err.Error(), "2.0.0") {
		t.Errorf("another version: %v", err)
	}
	for name, words := range map[string]string{"both": "private/a/both, private/b/both", "odd/tools": "plugin name"} {
		if _, err := source.Lookup(t.Context(), r, name, nil); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPublish(t *testing.T) {
	t.Parallel()
	n := newInternet(t)
	got := map[string]string{}
	keep := func(name, answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			got[name] = r.Method + " " + string(body) + " " + r.Header.Get("X-Needed") + r.Header.Get("Authorization")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, answer)
		}
	}
	n.sites = map[string]http.HandlerFunc{
		service + "/api/registry/packages/private/us/tools/versions": keep("begin",
			`{"operationID": "op", "uploadURLs": {"schema": "https://store.example/s", "index": "https://store.example/i"}, "requiredHeaders": {"X-Needed": "yes"}}`),
		"store.example/s": keep("schema", ""),
		"store.example/i": keep("readme", ""),
		packagePath("private/us/tools", "1.0.0") + "/complete": keep("complete", ""),
	}
	p := source.Publication{PackageID: source.PackageID{Source: "private", Publisher: "us", Name: "tools"}, Version: semver.MustParse("1.0.0"), Schema: []byte("{}"), Readme: []byte("# x")}
	if err := registry(t, n, "tea").Publish(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"begin": `POST {"version":"1.0.0"} token tea`, "schema": "PUT {} yes", "readme": "PUT # x yes", "complete": `POST {"operationID":"op"} token tea`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, broken := range []string{"store.example/i", service + "/api/registry/packages/private/us/tools/versions"} {
		n.mu.Lock()
		n.sites[broken] = answer(http.StatusForbidden)
		n.mu.Unlock()
		clear(got)
		err := registry(t, n, "tea").Publish(t.Context(), p)
		if err == nil || got["complete"] != "" {
			t.Errorf("%s: %v, %v", broken, err, got)
		}
	}
}

func TestUserRegistry(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	login := `{"current": "https://pulumi.corp.example", "accessTokens": {"https://pulumi.corp.example": "tea", "https://api.pulumi.example": "coffee"}}`
	if err := os.WriteFile(filepath.Join(home, "credentials.json"), []byte(login), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env   []string
		asked string // the first host asked, with its token
	}{
		"never logged in": {[]string{"PULUMI_HOME=" + t.TempDir()}, "api.pulumi.com"},
		"logged in":       {[]string{"PULUMI_HOME=" + home}, "pulumi.corp.example [token tea]"},
		"by variable":     {[]string{"PULUMI_HOME=" + home, "PULUMI_ACCESS_TOKEN=milk"}, "pulumi.corp.example [token milk]"},
		"elsewhere":       {[]string{"PULUMI_HOME=" + home, "PULUMI_API=https://api.pulumi.example"}, "api.pulumi.example [token coffee]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t)
			r, err := source.UserRegistry(sources(t, n, source.Options{}).Client(), environment(c.env...))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = source.Lookup(t.Context(), r, "a/b/c", nil)
			host, token, _ := strings.Cut(c.asked, " ")
			n.wantAsked(t, strings.TrimSpace(host+"/api/registry/packages/a/b/c/versions/latest "+token))
		})
	}
	if r, err := source.UserRegistry(nil, environment("PULUMI_DISABLE_REGISTRY_RESOLVE=true")); r != nil || err != nil {
		t.Errorf("switched off: %v, %v", r, err)
	}
	if _, err := source.UserRegistry(nil, environment("PULUMI_API=http://")); err == nil {
		t.Error("a service without a host was taken")
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	n := newInternet(t)
	n.sites = map[string]http.HandlerFunc{
		packagePath("private/us/tools", "latest"): text(packageJSON("private/us/tools", "1.0.0", `, "pluginDownloadURL": "https://us.example/"`)),
		packagePath("pulumi/us/made", "latest"): text(packageJSON("pulumi/us/made", "3.6.0",
			`, "parameterization": {"baseProvider": {"name": "terraform-provider", "version": "1.1.0"}, "parameter": "eyJ9"}`)),
		packagePath("private/us/down", "latest"): answer(503),
		packagePath("private/us/odd", "latest"):  text("<html>"),
		service + "/api/registry/packages":       text(`{"packages": []}`),
	}
	version := func(v string) semver.Version { return semver.MustParse(v) }
	for _, c := range []struct {
		source, server string
		args           []string
		want           source.Identity
		code           string
	}{
		{source: "./dir", want: source.Identity{Path: "./dir"}},
		{source: "random", want: source.Identity{Plugin: plugin.Concrete{Name: "random"}}},
		{source: "time", want: source.Identity{Plugin: plugin.Concrete{Name: "time", Server: "github://api.github.com/pulumiverse"}}},
		{source: "mine", server: "https://m.example/", want: source.Identity{Plugin: plugin.Concrete{Name: "mine", Server: "https://m.example/"}}},
		{source: "github.com/org/repo/sub", want: source.Identity{Plugin: plugin.Concrete{Name: "github.com_org_repo.git_sub", Server: "git://github.com/org/repo.git/sub"}}},
		{source: "us/tools", want: source.Identity{Plugin: plugin.Concrete{Name: "tools", Server: "https://us.example/", Version: version("1.0.0")}, Versioned: true}},
		{source: "us/made", want: source.Identity{
			Plugin: plugin.Concrete{Name: "terraform-provider", Version: version("1.1.0")}, Versioned: true,
			Parameterization: plugin.Parameterization{Value: &plugin.Parameter{Name: "made", Version: version("3.6.0"), Value: []byte("{\"}")}},
		}},
		{source: "us/made", args: []string{"x"}, code: "PS0028"},
		{source: "us/down", code: "PS0030"},
		{source: "us/odd", code: "PS0029"},
		{source: "us/nothing", code: "PS0026"},
		{source: "nothing", code: "PS0026"},
		{source: "a b", code: "PS0007"},
		{source: "random@1.0.0", code: "PS0009"},
		{source: "github.com/org/re~po", code: "PS0007"},
	} {
		d := plugin.Descriptor{Kind: plugin.Resource, Source: c.source, Server: c.server, Parameterization: plugin.Parameterization{Args: c.args}}
		got, diags := sources(t, n, source.Options{}).Ask(t.Context(), registry(t, n, ""), d)
		if c.code != "" {
			wantCodes(t, diags, c.code)
			if source.Unreachable(diags) != (c.source == "us/down") {
				t.Errorf("%s: unreachable is %t", c.source, source.Unreachable(diags))
			}
			continue
		}
		wantCodes(t, diags)
		if c.want.Path == "" {
			c.want.Plugin.Kind = plugin.Resource
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.source, diff)
		}
	}
	s := sources(t, n, source.Options{})
	if id, diags := s.Ask(t.Context(), nil, plugin.Descriptor{Kind: plugin.Resource, Source: "anything"}); len(diags) > 0 || id.Plugin.Name != "anything" {
		t.Errorf("%+v, %v", id, diags)
	}
	_, diags := s.Ask(t.Context(), nil, plugin.Descriptor{Kind: plugin.Resource, Source: "us/tools"})
	wantCodes(t, diags, "PS0025")
	_, diags = s.Ask(t.Context(), nil, plugin.Descriptor{Kind: plugin.Tool, Source: "us/tools"})
	wantCodes(t, diags, "PS0007")
}

// FuzzRegistryJSON holds that no answer of a registry gives a plugin a name
// that leads elsewhere.
func FuzzRegistryJSON(f *testing.F) {
	f.Add([]byte(packageJSON("pulumi/us/tools", "1.0.0", "")))
	f.Add([]byte(packageJSON("pulumi/us/made", "3.6.0", `, "parameterization": {"baseProvider": {"name": "x/../y", "version": "1.1.0"}, "parameter": "eyJ9"}`)))
	f.Add([]byte(`{"packages": [` + packageJSON("pulumi/us/tools", "1.0.0", "") + `], "continuationToken": "x"}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		n := &sameAnswer{src}
		s, _ := source.New(source.Options{Transport: n, Env: environment()})
		r, err := source.NewHTTPRegistry(s.Client(), "https://"+service, "")
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Package(t.Context(), source.PackageID{Source: "a", Publisher: "b", Name: "c"}, nil)
		found := []source.Package{p}
		if err != nil {
			found = nil
		}
		if more, err := r.Search(t.Context(), "tools"); err == nil {
			found = append(found, more...)
		}
		for _, p := range found {
			name := p.Name
			if p.Base != nil {
				name = p.Base.Name
			}
			if plugin.CheckName(name) != nil {
				t.Errorf("the plugin is called %q", name)
			}
		}
	})
}

// sameAnswer answers every request with the same bytes.
type sameAnswer struct{ body []byte }

func (s *sameAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Request: req, Body: io.NopCloser(strings.NewReader(string(s.body))), Header: http.Header{}}, nil
}
