package tfregistry_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// TestRefused holds every way in which a package must not be installed.
func TestRefused(t *testing.T) {
	t.Parallel()
	base := func(change func(p *registrytest.Package)) registrytest.Package {
		p := registrytest.Binary("acme", "demo", "1.0.0", "x")
		change(&p)
		return p
	}
	cases := map[string]struct {
		p    registrytest.Package
		code string
		want string
	}{
		"wrong checksum":    {base(func(p *registrytest.Package) { p.WrongSum = true }), "TR0032", "SHA-256"},
		"sums disagree":     {base(func(p *registrytest.Package) { p.SumsDisagree = true }), "TR0033", "list of checksums"},
		"bad signature":     {base(func(p *registrytest.Package) { p.BadSignature = true }), "TR0034", "does not verify"},
		"foreign signature": {base(func(p *registrytest.Package) { p.ForeignSignature = true }), "TR0034", "none of the registry's keys"},
		"unsigned":          {base(func(p *registrytest.Package) { p.Unsigned = true }), "TR0035", "signing key"},
		"old protocol":      {base(func(p *registrytest.Package) { p.Protocols = []string{"4.0"} }), "TR0028", "4.0"},
		"other platform":    {base(func(p *registrytest.Package) { p.OS, p.Arch = "plan9", "mips" }), "TR0029", "platform"},
		"no archive":        {base(func(p *registrytest.Package) { p.Archive = []byte("MZ") }), "TR0038", "zip"},
		"hostile":           {base(func(p *registrytest.Package) { p.Files["../../evil"] = []byte("x") }), "TR0038", "leads outside"},
		"symbolic link":     {base(func(p *registrytest.Package) { p.Links = map[string]string{"README": "/etc/passwd"} }), "TR0038", "neither a file nor a directory"},
		"through a link": {base(func(p *registrytest.Package) {
			p.Links, p.Files["docs/evil"] = map[string]string{"docs": ".."}, []byte("x")
		}), "TR0038", "neither a file nor a directory"},
		"size bomb":     {base(func(p *registrytest.Package) { p.Files["zeros"] = make([]byte, 64<<20+1) }), "TR0038", "would unpack to"},
		"no executable": {base(func(p *registrytest.Package) { p.Files = map[string][]byte{"README": nil} }), "TR0038", "no executable"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, c.p)
			cache := t.TempDir()
			r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
			for range 2 {
				got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
				wantCodes(t, diags, c.code)
				if !strings.Contains(diags[0].Detail, c.want) || got.Path != "" {
					t.Errorf("%+v: %s", got, diags[0].Detail)
				}
			}
			if left := leftovers(t, cache); left != nil {
				t.Errorf("left behind: %q", left)
			}
			if found, _ := filepath.Glob(filepath.Join(cache, demo.String(), "*", platform.String())); found != nil {
				t.Errorf("installed: %q", found)
			}
		})
	}
}

func TestUnsignedInPublicRegistry(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	p := registrytest.Binary("hashicorp", "time", "1.0.0", "x")
	p.Unsigned = true
	s.Publish(t, p)
	r, _ := online(t, s, tfregistry.Options{Env: only("OPENTOFU_ENFORCE_GPG_VALIDATION", "true")})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider})
	wantCodes(t, diags, "TR0035")
	r, _ = online(t, s, tfregistry.Options{})
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: timeProvider})
	wantCodes(t, diags, "TR0036")
}

func TestExpiredKeyIsTolerated(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	if err := s.ExpireKey(); err != nil {
		t.Fatal(err)
	}
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	r, _ := online(t, s, tfregistry.Options{})
	got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0037")
	if got.Version != "1.0.0" {
		t.Errorf("got %+v", got)
	}
	r, _ = online(t, s, tfregistry.Options{Env: only("OPENTOFU_ENFORCE_GPG_EXPIRATION", "true")})
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0034")
}

func TestServerFaults(t *testing.T) {
	t.Parallel()
	after := func(v string) http.Header { return http.Header{"Retry-After": {v}} }
	cases := map[string]struct {
		fault registrytest.Fault
		code  string
		want  string
		waits []time.Duration
	}{
		"503 twice":                 {fault: registrytest.Fault{Path: "versions", Status: 503, Times: 2}, waits: []time.Duration{time.Second, 2 * time.Second}},
		"discovery 502 once":        {fault: registrytest.Fault{Path: ".well-known", Status: 502, Times: 1}, waits: []time.Duration{time.Second}},
		"429 on versions":           {fault: registrytest.Fault{Path: "versions", Status: 429, Times: 1, Header: after("7")}, waits: []time.Duration{7 * time.Second}},
		"429 on download":           {fault: registrytest.Fault{Path: ".zip", Status: 429, Times: 1, Header: after("9")}, waits: []time.Duration{9 * time.Second}},
		"429 for an hour":           {fault: registrytest.Fault{Path: ".zip", Status: 429, Header: after("3600")}, code: "TR0030", want: "1h0m0s"},
		"503 for ever":              {fault: registrytest.Fault{Path: "SHA256SUMS", Status: 503}, code: "TR0030", want: "503", waits: []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		"404 on archive":            {fault: registrytest.Fault{Path: ".zip", Status: 404}, code: "TR0031", want: "404"},
		"401 on versions":           {fault: registrytest.Fault{Path: "versions", Status: 401}, code: "TR0025", want: "TF_TOKEN_registry_example"},
		"403 on package":            {fault: registrytest.Fault{Path: "/download/", Status: 403}, code: "TR0025", want: "403"},
		"404 on discovery":          {fault: registrytest.Fault{Path: ".well-known", Status: 404}, code: "TR0024", want: "Check the host"},
		"discovery is not JSON":     {fault: registrytest.Fault{Path: ".well-known", Body: []byte("<html>")}, code: "TR0024", want: "JSON"},
		"versions is not JSON":      {fault: registrytest.Fault{Path: "versions", Body: []byte("<html>")}, code: "TR0026", want: "invalid character"},
		"package for another":       {fault: registrytest.Fault{Path: "/download/", Body: []byte(`{"os":"plan9","arch":"mips"}`)}, code: "TR0026", want: "plan9_mips"},
		"package without addresses": {fault: registrytest.Fault{Path: "/download/", Body: fmt.Appendf(nil, `{"os":%q,"arch":%q}`, platform.OS, platform.Arch)}, code: "TR0026", want: "URL"},
		"garbled sums":              {fault: registrytest.Fault{Path: "SHA256SUMS", Body: []byte("hello")}, code: "TR0026", want: "malformed"},
		"body too short":            {fault: registrytest.Fault{Path: ".zip", Body: []byte("PK")}, code: "TR0032", want: "SHA-256"},
		"body cut for ever":         {fault: registrytest.Fault{Path: ".zip", Cut: 1, NoValidator: true}, code: "TR0030", want: "broke", waits: nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
			s.Fail(c.fault)
			r, w := online(t, s, tfregistry.Options{})
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "~> 1.0"})
			if c.code == "" {
				wantCodes(t, diags)
				if got.Version != "1.0.0" {
					t.Errorf("got %+v", got)
				}
			} else {
				wantCodes(t, diags, c.code)
				if !strings.Contains(diags[0].Detail, c.want) {
					t.Errorf("detail lacks %q:\n%s", c.want, diags[0].Detail)
				}
			}
			if c.waits != nil {
				if d := cmp.Diff(c.waits, w.list); d != "" {
					t.Errorf("waits (-want +got):\n%s", d)
				}
			}
			for _, d := range diags {
				if strings.Contains(d.Error(), "very-secret") {
					t.Errorf("a signed URL is shown: %s", d)
				}
			}
		})
	}
}

func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	stranger := s.Transport()
	stranger.TLSClientConfig.RootCAs = nil
	w := &waits{}
	r := newRegistry(t, tfregistry.Options{Transport: stranger, Clock: w.clock()})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0048")
	if len(w.list) > 0 || !strings.Contains(diags[0].Detail, "certificate") {
		t.Errorf("%v after %v", diags, w.list)
	}
}
