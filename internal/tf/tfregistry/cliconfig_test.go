package tfregistry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opentofu/svchost"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func noEnv(string) string { return "" }

const nativeCLI = `
plugin_cache_dir = "$HOME/cache"
disable_checkpoint = true
credentials "app.example.com" {
  token = "one"
}
credentials "café.example" { token = "two" }
credentials_helper "vault" {
  args = ["--quiet", "x"]
}
host "modules.example" {
  services = {
    "providers.v1" = "https://other.example/p/"
    "modules.v1" = ["ignored"]
  }
}
provider_installation {
  dev_overrides {
    "acme/demo" = "/dev/demo"
  }
  filesystem_mirror {
    path    = "/mirror"
    include = ["registry.example/*/*"]
  }
  network_mirror {
    url              = "https://mirror.example/p/"
    trust_all_hashes = true
    exclude          = ["hashicorp/*"]
  }
  direct {}
}
`

const jsonCLI = `{
  "plugin_cache_dir": "$HOME/cache",
  "credentials": {"app.example.com": {"token": "one"}, "café.example": {"token": "two"}},
  "credentials_helper": {"vault": {"args": ["--quiet", "x"]}},
  "host": {"modules.example": {"services": {"providers.v1": "https://other.example/p/"}}},
  "provider_installation": [
    {"dev_overrides": {"acme/demo": "/dev/demo"}},
    {"filesystem_mirror": {"path": "/mirror", "include": ["registry.example/*/*"]}},
    {"network_mirror": {"url": "https://mirror.example/p/", "trust_all_hashes": true, "exclude": ["hashicorp/*"]}},
    {"direct": {}}
  ]
}`

func TestDecodeCLIConfig(t *testing.T) {
	t.Parallel()
	want := CLIConfig{
		PluginCacheDir: "/home/someone/cache",
		HelperName:     "vault", HelperArgs: []string{"--quiet", "x"},
		Services: map[svchost.Hostname]map[string]any{"modules.example": {"providers.v1": "https://other.example/p/"}},
		Installation: &Installation{
			DevOverrides: map[tfaddr.Provider]string{{Host: tfaddr.DefaultHost, Namespace: "acme", Type: "demo"}: "/dev/demo"},
			Methods: []Method{
				{Kind: FilesystemMirror, Location: "/mirror", Include: []string{"registry.example/*/*"}},
				{Kind: NetworkMirror, Location: "https://mirror.example/p/", Exclude: []string{"hashicorp/*"}, TrustAllHashes: true},
				{Kind: Direct},
			},
		},
		tokens: map[svchost.Hostname]string{"app.example.com": "one", "xn--caf-dma.example": "two"},
	}
	env := func(name string) string { return map[string]string{"HOME": "/home/someone"}[name] }
	for name, src := range map[string]string{"native": nativeCLI, "json": jsonCLI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got CLIConfig
			if diags := got.decode([]byte(src), "test.tfrc", env); len(diags) > 0 {
				t.Fatal(diags)
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(CLIConfig{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCLIConfigErrors(t *testing.T) {
	t.Parallel()
	install := func(body string) string { return "provider_installation {\n" + body + "\n}\n" }
	cases := map[string]struct {
		src  string
		line int
		code string
		want string
	}{
		"syntax":               {"a = {", 1, "TR0013", ""},
		"cache not a string":   {"plugin_cache_dir = 3\n", 1, "TR0013", "must be a string"},
		"bad host":             {"credentials \"a b\" {}\n", 1, "TR0013", "invalid host"},
		"token not a string":   {"credentials \"a.example\" {\n token = [\"s3cr3t\"]\n}\n", 2, "TR0013", "must be a string"},
		"token without =":      {"credentials \"a.example\" {\n token \"s3cr3t\"\n}\n", 3, "TR0013", "…"},
		"two helpers":          {"credentials_helper \"a\" {}\ncredentials_helper \"b\" {}\n", 2, "TR0013", "one block"},
		"helper with a path":   {"credentials_helper \"../a\" {}\n", 1, "TR0013", "plain name"},
		"unknown method":       {install("carrier_pigeon {}"), 2, "TR0013", "carrier_pigeon"},
		"oci":                  {install("oci_mirror {}"), 2, "TR0014", "filesystem_mirror"},
		"overrides not first":  {install("direct {}\ndev_overrides {}"), 3, "TR0013", "before every other"},
		"bad override":         {install("dev_overrides {\n \"a/b/c/d\" = \"/x\"\n}"), 3, "TR0013", "a/b/c/d"},
		"mirror without path":  {install("filesystem_mirror {}"), 2, "TR0013", "needs a path"},
		"mirror without https": {install("network_mirror {\n url = \"http://x/\"\n}"), 2, "TR0013", "https"},
		"bad pattern":          {install("direct {\n include = [\"*/demo\"]\n}"), 2, "TR0013", "follows"},
		"pattern of one part":  {install("direct {\n include = [\"demo\"]\n}"), 2, "TR0013", "form"},
		"include not a list":   {install("direct {\n include = \"a/b\"\n}"), 3, "TR0013", "list of strings"},
		"method as argument":   {install("direct = 1"), 2, "TR0013", "must be a block"},
		"JSON cut":             {"{\n \"credentials\": {\"a.example\": {\"token\": \"s3cr3t\"", 2, "TR0013", "JSON"},
		"JSON and more":        {"{}\n{}", 2, "TR0013", "follows"},
		"JSON token":           {"{\"credentials\":\n{\"a.example\":{\"token\":[1]}}}", 2, "TR0013", "must be a string"},
		"JSON bad escape":      {`{"":"\6`, 1, "TR0013", "JSON"},
		"too large":            {strings.Repeat("#\n", maxCLIFile), 0, "TR0013", "bytes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var config CLIConfig
			diags := config.decode([]byte(c.src), "test.tfrc", noEnv)
			if len(diags) == 0 || diags[0].Code != c.code || diags[0].Subject == nil || diags[0].Subject.Start.Line != c.line || !strings.Contains(diags[0].Detail, c.want) {
				t.Errorf("got %v", diags)
			}
			if c.code == "TR0013" && !strings.Contains(diags[0].Detail, "Correct the file") {
				t.Errorf("what to do is not said: %v", diags)
			}
			if strings.Contains(diags.Err().Error(), "s3cr3t") {
				t.Error("a secret is shown")
			}
		})
	}
}

func TestLoadCLIConfig(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	put := func(name, content string) string {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	terraformrc := put(".terraformrc", "credentials \"a.example\" { token = \"main\" }\n")
	credentialsFile := put(".terraform.d/credentials.tfrc.json", `{"credentials":{"b.example":{"token":"file"}}}`)
	named := put("named.tfrc", "credentials \"c.example\" { token = \"named\" }\n")
	cases := map[string]struct {
		env    map[string]string
		files  []string
		tokens map[svchost.Hostname]string
		code   string
	}{
		"home":       {env: map[string]string{"HOME": home}, files: []string{terraformrc, credentialsFile}, tokens: map[svchost.Hostname]string{"a.example": "main", "b.example": "file"}},
		"named":      {env: map[string]string{"HOME": home, "TF_CLI_CONFIG_FILE": named}, files: []string{named}, tokens: map[svchost.Hostname]string{"c.example": "named"}},
		"named gone": {env: map[string]string{"HOME": home, "TF_CLI_CONFIG_FILE": named + "x"}, code: "TR0012"},
		"none":       {env: nil},
		"no cache":   {env: map[string]string{"TF_PLUGIN_CACHE_DIR": filepath.Join(home, "none")}, code: "TR0015"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config, diags := LoadCLIConfig(func(name string) string { return c.env[name] })
			if c.code != "" {
				if len(diags) != 1 || diags[0].Code != c.code {
					t.Errorf("got %v", diags)
				}
				return
			}
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			if d := cmp.Diff(c.files, config.Files); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.tokens, config.tokens); d != "" {
				t.Error(d)
			}
		})
	}
}

// FuzzDecodeCLIConfig holds that whatever a file says, decoding ends with a
// configuration or an error that has a place.
func FuzzDecodeCLIConfig(f *testing.F) {
	f.Add([]byte(nativeCLI))
	f.Add([]byte(jsonCLI))
	f.Add([]byte(`{"provider_installation":[[{"a":1}]],"credentials":[[]]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var config CLIConfig
		for _, d := range config.decode(src, "fuzz.tfrc", noEnv) {
			if d.Code == "" || d.Summary == "" || d.Subject == nil || d.Subject.Filename != "fuzz.tfrc" {
				t.Errorf("without a place: %+v", d)
			}
		}
		if config.Installation == nil {
			return
		}
		for _, method := range config.Installation.Methods {
			if err := method.check(); err != nil {
				t.Errorf("%+v: %v", method, err)
			}
		}
	})
}
