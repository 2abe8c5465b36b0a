package project_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

// stack wraps resources as `pulumi stack export` does.
func stack(resources string) string {
	return `{"version": 3, "deployment": {"manifest": {}, "resources": [` + resources + `]}}`
}

func TestReadDeployment(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		src  string
		want []project.ProviderState
	}{
		"empty":       {`{"version": 3, "deployment": {}}`, nil},
		"no provider": {stack(`{"urn": "u", "type": "random:index:Pet", "inputs": {"a": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}}}`), nil},
		"old form": {
			stack(`{"urn": "u", "type": "pulumi:providers:random", "inputs": {"version": "4.16.0", "pluginDownloadURL": "https://x", "a": 1}}`),
			[]project.ProviderState{{URN: "u", Package: "random", Plugin: "random", Version: "4.16.0", DownloadURL: "https://x"}},
		},
		"new form": {
			stack(`{"urn": "u", "type": "pulumi:providers:random", "inputs": {"version": "4.16.0", "name": "not the plugin's", "__internal": {"pluginDownloadURL": "https://x", "pluginChecksums": {"linux-amd64": "` + sum + `"}}}}`),
			[]project.ProviderState{{
				URN: "u", Package: "random", Plugin: "random", Version: "4.16.0", DownloadURL: "https://x",
				Checksums: map[string][]byte{"linux-amd64": digest()},
			}},
		},
		"parameterized": {
			stack(`{"urn": "u", "type": "pulumi:providers:tls", "inputs": {"version": "4.0.0", "__internal": {"name": "terraform-provider", "version": "0.8.1", "parameterization": "eA=="}}}`),
			[]project.ProviderState{{
				URN: "u", Package: "tls", Plugin: "terraform-provider", Version: "0.8.1",
				Parameterization: &project.Parameter{Name: "tls", Version: "4.0.0", Value: []byte("x")},
			}},
		},
		"no inputs":  {stack(`{"urn": "u", "type": "pulumi:providers:random"}`), []project.ProviderState{{URN: "u", Package: "random", Plugin: "random"}}},
		"checkpoint": {`{"version": 3, "checkpoint": {"stack": "s", "latest": {"resources": [{"urn": "u", "type": "pulumi:providers:a", "inputs": null}]}}}`, []project.ProviderState{{URN: "u", Package: "a", Plugin: "a"}}},
		"no update":  {`{"version": 3, "checkpoint": {"stack": "s"}}`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := project.ReadDeployment("stack.json", []byte(test.src))
			if len(diags) > 0 {
				t.Error(diags)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadDeploymentReports(t *testing.T) {
	t.Parallel()
	provider := func(inputs string) string {
		return stack(`{"urn": "u", "type": "pulumi:providers:a", "inputs": ` + inputs + `}`)
	}
	const head = "u: Cannot tell which plugin a provider needs: "
	for src, want := range map[string]string{
		`[]`:                              "stack.json is not an exported stack: ",
		`{}`:                              `stack.json is not an exported stack: it has no "deployment".`,
		provider(`1`):                     head + "its inputs are not an object.",
		provider(`{"__internal": "x"}`):   head + `its "__internal" is not an object.`,
		provider(`{"version": {}}`):       head + `its "version" is not text.`,
		provider(`{"name": ""}`):          head + `its "name" is not text.`,
		provider(`{"pluginChecksums":1}`): head + `its "pluginChecksums" are not an object of texts.`,
		provider(`{"__internal": {"pluginChecksums": {"x": "00"}}}`):   head + "its checksum for x is not a SHA-256 in hexadecimal.",
		provider(`{"__internal": {"parameterization": "?"}}`):          head + `its "parameterization" is not base64.`,
		provider(`{"__internal": {"parameterization": "eA=="}}`):       head + `it is parameterized and has no "version".`,
		provider(`{"__internal": {"parameterization": ["secretly"]}}`): head + `its "parameterization" is not text.`,
	} {
		got, diags := project.ReadDeployment("stack.json", []byte(src))
		if len(got) > 0 {
			t.Errorf("providers %v", got)
		}
		wantDiags(t, diags, []string{want})
	}
	_, diags := project.LoadDeployment(filepath.Join(t.TempDir(), "gone.json"))
	if len(diags) != 1 || diags[0].Code != "PJ0001" {
		t.Error(diags)
	}
}

// FuzzReadDeployment reports every provider or warns of it.
func FuzzReadDeployment(f *testing.F) {
	f.Add([]byte(stack(`{"urn": "u", "type": "pulumi:providers:a", "inputs": {"version": "4.16.0", "__internal": {"parameterization": "eA==", "version": "1.0.0"}}}`)))
	f.Add([]byte(`{"checkpoint": {"latest": {"resources": [{"type": "pulumi:providers:"}]}}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		providers, diags := project.ReadDeployment("stack.json", src)
		if diags.HasErrors() && len(providers) > 0 {
			t.Fatalf("providers beside errors: %v", providers)
		}
		for _, p := range providers {
			if p.Parameterization != nil && (p.Parameterization.Name != p.Package || p.Parameterization.Version == "") {
				t.Fatalf("half a parameterization: %+v", p)
			}
		}
	})
}
