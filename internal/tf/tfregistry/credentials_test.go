package tfregistry_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

const secret = "s3cr3t-t0ken"

// tokensSeen maps "host path-word" to what authorization came with it.
func tokensSeen(s *registrytest.Server) map[string]bool {
	seen := map[string]bool{}
	for _, r := range s.Requests() {
		if r.Authorization != "" {
			seen[r.Host+" "+r.Path] = true
		}
	}
	return seen
}

func TestTokensGoToTheirHostOnly(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	s.DownloadFrom("files.example")
	s.Fail(registrytest.Fault{Path: "SHA256SUMS", Redirect: "sums.example", Times: 1})
	s.Fail(registrytest.Fault{Path: "/versions", Redirect: "stranger.example", Times: 1})
	config := configFrom(t, `credentials "registry.example" {
  token = "`+secret+`"
}`)
	r, _ := online(t, s, tfregistry.Options{CLIConfig: config})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	hosts := map[string]bool{}
	for _, req := range s.Requests() {
		hosts[req.Host] = true
		authorized := req.Authorization == "Bearer "+secret
		public := strings.HasPrefix(req.Path, "/files/")
		if want := req.Host == "registry.example" && !public; authorized != want {
			t.Errorf("%s%s: authorization %q", req.Host, req.Path, req.Authorization)
		}
	}
	for _, host := range []string{"registry.example", "files.example", "sums.example", "stranger.example"} {
		if !hosts[host] {
			t.Errorf("%s was not asked", host)
		}
	}
}

func TestTokenVariables(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ host, variable string }{
		"plain":             {"registry.example", "TF_TOKEN_registry_example"},
		"upper case":        {"registry.example", "TF_TOKEN_REGISTRY_EXAMPLE"},
		"dots":              {"registry.example", "TF_TOKEN_registry.example"},
		"hyphen doubled":    {"my-registry.example", "TF_TOKEN_my__registry_example"},
		"hyphen kept":       {"my-registry.example", "TF_TOKEN_my-registry_example"},
		"punycode":          {"café.example", "TF_TOKEN_xn--caf-dma_example"},
		"punycode, doubled": {"café.example", "TF_TOKEN_xn____caf__dma_example"},
		"unicode":           {"café.example", "TF_TOKEN_café_example"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
			r, _ := online(t, s, tfregistry.Options{Env: func(name string) string {
				if name == c.variable {
					return secret
				}
				return ""
			}})
			p, err := tfaddr.ParseProvider(c.host + "/acme/demo")
			if err != nil {
				t.Fatal(err)
			}
			_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: p})
			wantCodes(t, diags)
			if len(tokensSeen(s)) == 0 {
				t.Errorf("no token was sent: %v", s.Requests())
			}
		})
	}
}

func TestMirrorToken(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	config := configFrom(t, `credentials "mirror.example" {
  token = "`+secret+`"
}
provider_installation {
  network_mirror {
    url = "`+s.MirrorURL("mirror.example")+`"
  }
}`)
	r, _ := online(t, s, tfregistry.Options{CLIConfig: config})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	for _, req := range s.Requests() {
		if (req.Authorization != "") != strings.HasPrefix(req.Path, "/mirror/") {
			t.Errorf("%s: %q", req.Path, req.Authorization)
		}
	}
}

func TestCredentialsHelper(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("the helper of this test is a shell script; the lookup itself has no system of its own")
		return
	}
	cases := map[string]struct {
		script string
		code   []string
		token  bool
	}{
		"answers":  {script: "[ \"$*\" = '--flag get registry.example' ] && echo '{\"token\":\"" + secret + "\"}'", token: true},
		"has none": {script: "echo '{}'"},
		"fails":    {script: "echo " + secret + " >&2; exit 3", code: []string{"TR0018"}},
		"garbles":  {script: "echo " + secret, code: []string{"TR0019"}},
		"missing":  {code: []string{"TR0017"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
			home := t.TempDir()
			write(t, filepath.Join(home, ".terraformrc"), "credentials_helper \"test\" {\n args = [\"--flag\"]\n}\n", 0o600)
			if c.script != "" {
				write(t, filepath.Join(home, ".terraform.d", "plugins", "terraform-credentials-test"), "#!/bin/sh\n"+c.script+"\n", 0o755)
			}
			env := func(name string) string {
				if name == "HOME" {
					return home
				}
				return ""
			}
			config, diags := tfregistry.LoadCLIConfig(env)
			wantCodes(t, diags)
			r, _ := online(t, s, tfregistry.Options{CLIConfig: config, Env: env})
			_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
			wantCodes(t, diags, c.code...)
			if got := len(tokensSeen(s)) > 0; got != c.token {
				t.Errorf("token sent: %v", got)
			}
			if strings.Contains(fmt.Sprint(diags), secret) {
				t.Error("a secret is shown")
			}
		})
	}
}

func TestHostBlockReplacesDiscovery(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	r, _ := online(t, s, tfregistry.Options{CLIConfig: configFrom(t, `host "registry.example" {
  services = {
    "providers.v1" = "https://api.example/v1/providers"
  }
}
credentials "registry.example" {
  token = "`+secret+`"
}`)})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	for _, req := range s.Requests() {
		if req.Host != "api.example" || (req.Authorization != "") != strings.HasPrefix(req.Path, "/v1/providers/") {
			t.Errorf("%+v", req)
		}
	}
}

func TestConfigurationHidesTokens(t *testing.T) {
	t.Parallel()
	config := configFrom(t, `credentials "a.example" { token = "`+secret+`" }`)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if strings.Contains(fmt.Sprintf(format, config), secret) {
			t.Errorf("%s shows a token", format)
		}
	}
}
