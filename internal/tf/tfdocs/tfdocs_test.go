package tfdocs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfdocs"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// hosts are registries of both forms.
var hosts = map[string]string{"OpenTofu": "registry.opentofu.org", "Terraform": "registry.example"}

// served is a registry with one provider, sea 1.2.3, that has some pages.
func served(t *testing.T) *registrytest.Server {
	t.Helper()
	s := registrytest.Start(t)
	for _, d := range []registrytest.Document{
		{Kind: "overview", Name: "index", Text: "Sails."},
		{Kind: "resources", Name: "boat", Text: "A boat."},
		{Kind: "resources", Name: "Sea_Whole", Text: "A whole."},
		{Kind: "data-sources", Name: "boat", Text: "Finds a boat."},
		{Kind: "ephemeral-resources", Name: "wave", Text: "A wave."},
		{Kind: "functions", Name: "knots_per_hour", Text: "Counts."},
		{Kind: "guides", Name: "boat", Text: "How to swim."},
		{Kind: "resources", Name: "boat", Text: "Un bateau.", Language: "python"},
		{Kind: "resources", Name: "../../etc/passwd", Text: "No."},
		{Kind: "resources", Name: "large", Text: strings.Repeat("x", docpage.MaxSize+1)},
	} {
		d.Namespace, d.Type, d.Version = "acme", "sea", "1.2.3"
		s.Document(d)
	}
	return s
}

// source asks for the pages of sea 1.2.3 on a host.
func source(t *testing.T, s *registrytest.Server, host string, opts tfregistry.Options) tfdocs.Source {
	t.Helper()
	opts.Transport, opts.CacheDir, opts.WorkDir = s.Transport(), t.TempDir(), t.TempDir()
	if opts.Env == nil {
		opts.Env = func(string) string { return "" }
	}
	opts.Clock.Sleep = func(context.Context, time.Duration) error { return nil }
	registry, diags := tfregistry.New(opts)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return tfdocs.Published(registry, tfaddr.Provider{Host: host, Namespace: "acme", Type: "sea"}, "1.2.3")
}

func subjects() []docpage.Subject {
	return []docpage.Subject{
		{Kind: docpage.Overview}, {Kind: docpage.Resource, Terraform: "sea_boat"}, {Kind: docpage.Resource, Terraform: "sea_whole"},
		{Kind: docpage.Resource, Terraform: "sea_large"}, {Kind: docpage.Resource, Terraform: "sea_undocumented"},
		{Kind: docpage.DataSource, Terraform: "sea_boat"}, {Kind: docpage.Ephemeral, Terraform: "sea_wave"},
		{Kind: docpage.Function, Terraform: "knots_per_hour"}, {Kind: docpage.Resource, Terraform: "sea_boat"},
	}
}

// fetch makes a library, and says what its pages say.
func fetch(t *testing.T, from tfdocs.Source, dir string) (map[docpage.Subject]string, diag.List) {
	t.Helper()
	library, diags, err := tfdocs.Fetch(t.Context(), from, dir, "acme/sea 1.2.3", subjects())
	if err != nil {
		t.Fatal(err)
	}
	return said(library), diags
}

func said(library *tfdocs.Library) map[docpage.Subject]string {
	out := map[docpage.Subject]string{}
	for _, s := range subjects() {
		if page := library.Page(s); page != nil {
			out[s] = page.Intro
		}
	}
	return out
}

// all is what the pages of sea say.
func all() map[docpage.Subject]string {
	texts := []string{"Sails.", "A boat.", "A whole.", "", "", "Finds a boat.", "A wave.", "Counts."}
	out := map[docpage.Subject]string{}
	for i, text := range texts {
		if text != "" {
			out[subjects()[i]] = text
		}
	}
	return out
}

func wantCodes(t *testing.T, diags diag.List, want ...string) {
	t.Helper()
	var got []string
	for _, d := range diags {
		got = append(got, d.Code)
		if d.Severity != diag.Warning {
			t.Errorf("%s is no warning", d.Code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v:\n%s", diags, diff)
	}
}

// TestFetch has the pages of either registry, and asks for none of them twice.
func TestFetch(t *testing.T) {
	t.Parallel()
	for name, host := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := served(t), t.TempDir()
			got, diags := fetch(t, source(t, s, host, tfregistry.Options{}), dir)
			wantCodes(t, diags)
			if diff := cmp.Diff(all(), got); diff != "" {
				t.Error(diff)
			}
			if n := s.Count("passwd") + s.Count("guides"); n > 0 {
				t.Errorf("%d requests for pages that nobody wants", n)
			}
			asked := len(s.Requests())
			got, diags = fetch(t, source(t, s, host, tfregistry.Options{Offline: true}), dir)
			wantCodes(t, diags)
			if diff := cmp.Diff(all(), got); diff != "" {
				t.Error(diff)
			}
			if again := len(s.Requests()) - asked; again > 0 {
				t.Errorf("%d requests for pages that are there", again)
			}
		})
	}
}

// TestFaults has a network that fails at each step, and a later run that makes
// up for it.
func TestFaults(t *testing.T) {
	t.Parallel()
	index := map[string]string{"OpenTofu": "/index.json", "Terraform": "/1.2.3"}
	boat := map[string]string{"OpenTofu": "/resources/boat.md", "Terraform": "/v2/provider-docs/1"}
	for name, host := range hosts {
		for fault, tt := range map[string]struct {
			fault registrytest.Fault
			want  []string
		}{
			"the list fails":          {registrytest.Fault{Path: index[name], Status: 503}, []string{"TD0003"}},
			"the list is cut":         {registrytest.Fault{Path: index[name], Cut: 10}, []string{"TD0003"}},
			"the list is none":        {registrytest.Fault{Path: index[name], Body: []byte("<html>")}, []string{"TD0003"}},
			"the list is not there":   {registrytest.Fault{Path: index[name], Status: 404}, []string{"TD0002"}},
			"the list is empty":       {registrytest.Fault{Path: index[name], Body: []byte("{}")}, []string{"TD0002"}},
			"a page fails":            {registrytest.Fault{Path: boat[name], Status: 500}, []string{"TD0004"}},
			"a page is cut":           {registrytest.Fault{Path: boat[name], Cut: 3}, []string{"TD0004"}},
			"a page is forbidden":     {registrytest.Fault{Path: boat[name], Status: 403}, []string{"TD0004"}},
			"a page is gone":          {registrytest.Fault{Path: boat[name], Status: 404, Times: 1}, nil},
			"a page comes at last":    {registrytest.Fault{Path: boat[name], Status: 503, Times: 2}, nil},
			"a page comes from there": {registrytest.Fault{Path: boat[name], Redirect: "elsewhere.example", Times: 1}, nil},
		} {
			t.Run(name+": "+fault, func(t *testing.T) {
				t.Parallel()
				s, dir := served(t), t.TempDir()
				s.Fail(tt.fault)
				got, diags := fetch(t, source(t, s, host, tfregistry.Options{}), dir)
				wantCodes(t, diags, tt.want...)
				for subject, text := range got {
					if all()[subject] != text {
						t.Errorf("%v says %q", subject, text)
					}
				}
				if tt.want == nil {
					return
				}
				s.Heal()
				got, diags = fetch(t, source(t, s, host, tfregistry.Options{}), dir)
				wantCodes(t, diags)
				if diff := cmp.Diff(all(), got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestNotAsked has configurations under which no registry is asked.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	mirror := tfregistry.CLIConfig{Installation: &tfregistry.Installation{
		Methods: []tfregistry.Method{{Kind: tfregistry.FilesystemMirror, Location: t.TempDir()}},
	}}
	for name, tt := range map[string]struct {
		opts tfregistry.Options
		want string
	}{
		"offline":      {tfregistry.Options{Offline: true}, "TD0001"},
		"mirrors only": {tfregistry.Options{CLIConfig: mirror}, "TD0002"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := served(t)
			got, diags := fetch(t, source(t, s, "registry.example", tt.opts), t.TempDir())
			wantCodes(t, diags, tt.want)
			if len(got) > 0 || len(s.Requests()) > 0 {
				t.Errorf("%d requests, %v", len(s.Requests()), got)
			}
		})
	}
}

// TestWithheld has a license that keeps OpenTofu's registry from showing pages.
func TestWithheld(t *testing.T) {
	t.Parallel()
	s := served(t)
	s.WithholdDocuments()
	got, diags := fetch(t, source(t, s, "registry.opentofu.org", tfregistry.Options{}), t.TempDir())
	wantCodes(t, diags, "TD0002")
	if len(got) > 0 || !strings.Contains(diags[0].Detail, "license") || !strings.Contains(diags[0].Detail, "--upstreamRepoPath") {
		t.Errorf("%v, %v", got, diags)
	}
}

// TestToken has a token go to the registry that it is for, and nowhere else.
func TestToken(t *testing.T) {
	t.Parallel()
	s := served(t)
	s.Fail(registrytest.Fault{Path: "/v2/provider-docs/1", Redirect: "elsewhere.example", Times: 1})
	env := func(name string) string {
		if name == "TF_TOKEN_registry_example" {
			return "secret"
		}
		return ""
	}
	_, diags := fetch(t, source(t, s, "registry.example", tfregistry.Options{Env: env}), t.TempDir())
	wantCodes(t, diags)
	for _, r := range s.Requests() {
		want := ""
		if r.Host == "registry.example" {
			want = "Bearer secret"
		}
		if r.Authorization != want {
			t.Errorf("%s%s was sent %q", r.Host, r.Path, r.Authorization)
		}
	}
}

// TestStopped ends while pages come.
func TestStopped(t *testing.T) {
	t.Parallel()
	s, dir := served(t), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	from := stopping{source(t, s, "registry.example", tfregistry.Options{}), cancel}
	if _, _, err := tfdocs.Fetch(ctx, from, dir, "sea", subjects()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	got, diags := fetch(t, source(t, s, "registry.example", tfregistry.Options{}), dir)
	wantCodes(t, diags)
	if diff := cmp.Diff(all(), got); diff != "" {
		t.Error(diff)
	}
}

// stopping ends everything at the first page.
type stopping struct {
	tfdocs.Source
	stop context.CancelFunc
}

func (s stopping) Page(ctx context.Context, e tfdocs.Entry) (string, error) {
	s.stop()
	return s.Source.Page(ctx, e)
}

// TestGivesUp holds that a network that is gone is not asked for every page.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	var many []docpage.Subject
	for _, letter := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		s.Document(registrytest.Document{Namespace: "acme", Type: "sea", Version: "1.2.3", Kind: "resources", Name: letter, Text: letter})
		many = append(many, docpage.Subject{Kind: docpage.Resource, Terraform: "sea_" + letter})
	}
	s.Fail(registrytest.Fault{Path: "provider-docs", Status: 503})
	_, diags, err := tfdocs.Fetch(t.Context(), source(t, s, "registry.example", tfregistry.Options{}), t.TempDir(), "sea", many)
	if err != nil {
		t.Fatal(err)
	}
	wantCodes(t, diags, "TD0004")
	if want := "26 of 26 pages"; !strings.Contains(diags[0].Summary, want) || !strings.Contains(diags[0].Detail, "503") {
		t.Errorf("got %v", diags)
	}
	const attempts, atOnce = 4, 8
	if n := s.Count("provider-docs"); n > 2*attempts*atOnce {
		t.Errorf("%d requests", n)
	}
}

// TestNoRoom has no disk to keep pages on.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, diags := fetch(t, source(t, served(t), "registry.example", tfregistry.Options{}), file)
	wantCodes(t, diags)
	if diff := cmp.Diff(all(), got); diff != "" {
		t.Error(diff)
	}
}

// TestDamagedIndex has a list on disk that is none, or leads astray.
func TestDamagedIndex(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "{", `[{"kind":"resources","name":"../boat","at":"1"}]`, `[{"kind":"..","name":"boat","at":"1"}]`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "index.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, diags := fetch(t, source(t, served(t), "registry.example", tfregistry.Options{}), dir)
		wantCodes(t, diags)
		if diff := cmp.Diff(all(), got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
