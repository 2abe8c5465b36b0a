package tfverify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfverify"
)

const driftModule = `
-- main.tf --
terraform {
  required_providers {
    estate  = { source = "registry.opentofu.org/formation-iac/estate" }
    classic = { source = "registry.opentofu.org/formation-iac/classic" }
  }
}
resource "estate_network" "a" {
  name = "a"
  cidr = "10.0.0.0/16"
}
resource "classic_network" "b" {
  name        = "b"
  cidr        = "10.1.0.0/16"
  description = "hand-made"
}
`

// TestDriftAgreesWithClients changes the state, or the world behind the
// state, and compares what both make of it.
func TestDriftAgreesWithClients(t *testing.T) {
	t.Parallel()
	tfcli.Each(t, driftAgrees)
}

func driftAgrees(t *testing.T, path string) {
	programs := binaries(t)
	id := func(t *testing.T, client *tfcli.Client, address string) string {
		for _, r := range client.Show(t) {
			if r.Address == address {
				return r.Values["id"].(string)
			}
		}
		t.Fatalf("no %s", address)
		return ""
	}
	for name, change := range map[string]func(*testing.T, *tfcli.Client, *estate.Server){
		"tainted": func(t *testing.T, c *tfcli.Client, _ *estate.Server) { c.Must(t, "taint", "estate_network.a") },
		"deleted": func(t *testing.T, c *tfcli.Client, s *estate.Server) {
			if err := s.Store.Delete("networks", id(t, c, "classic_network.b")); err != nil {
				t.Fatal(err)
			}
		},
		"changed": func(t *testing.T, c *tfcli.Client, s *estate.Server) {
			if _, err := s.Store.Update("networks", id(t, c, "classic_network.b"), estate.Object{"name": "b", "cidr": "10.1.0.0/16", "description": "drift"}); err != nil {
				t.Fatal(err)
			}
		},
		"forgotten": func(t *testing.T, c *tfcli.Client, _ *estate.Server) { c.Must(t, "state", "rm", "classic_network.b") },
		"marked in the state": func(t *testing.T, c *tfcli.Client, _ *estate.Server) {
			editState(t, c.Dir, `"sensitive_attributes": []`, `"sensitive_attributes": [[{"type": "get_attr", "value": "cidr"}]]`)
		},
		"no marks in the state": func(t *testing.T, c *tfcli.Client, _ *estate.Server) {
			editState(t, c.Dir, `"sensitive_attributes": [],`, ``)
		},
		"nothing": func(*testing.T, *tfcli.Client, *estate.Server) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, dir := estate.Start(t, estate.Options{}), t.TempDir()
			unpack(t, dir, []byte(driftModule))
			client := tfcli.New(t, path, tfcli.Options{Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + server.URL}, Providers: programs})
			client.Apply(t)
			change(t, client, server)
			writeWant(t, dir, name)
			checkStep(t, client, server.URL, programs, dir)
		})
	}
}

func writeWant(t *testing.T, dir, name string) {
	want := map[string]string{
		"tainted":               "proven false\nreplace estate_network.a\n",
		"deleted":               "proven false\ncreate classic_network.b TV0028\n",
		"changed":               "proven false\nupdate classic_network.b description\n",
		"forgotten":             "proven false\ncreate classic_network.b\n",
		"marked in the state":   "proven false\nupdate classic_network.b cidr\nupdate estate_network.a cidr\n",
		"no marks in the state": "proven true\n",
		"nothing":               "proven true\n",
	}
	if err := os.WriteFile(filepath.Join(dir, "want"), []byte(want[name]), 0o600); err != nil {
		t.Fatal(err)
	}
}

func editState(t *testing.T, dir, before, after string) {
	path := filepath.Join(dir, "terraform.tfstate")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), before) {
		t.Fatalf("the state has no %s: %v", before, err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), before, after)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProvidersThatFail keeps what a provider does wrong to its own
// resources.
func TestProvidersThatFail(t *testing.T) {
	t.Parallel()
	programs := binaries(t)
	server, dir := estate.Start(t, estate.Options{}), t.TempDir()
	unpack(t, dir, []byte(driftModule))
	report, diags := tfverify.Verify(t.Context(), tfverify.Request{Dir: dir, Launch: func(ctx context.Context, p tfaddr.Provider) (tfprovider.Provider, diag.List) {
		if p.Type == "classic" {
			return tfprovider.Launch(tfprovider.Config{Name: p.String(), Path: "/bin/false"}), nil
		}
		return launcher(programs, server.URL)(ctx, p)
	}})
	if report.Counts[tfverify.Failed] != 1 || report.Counts[tfverify.Create] != 1 || report.Proven {
		t.Errorf("%v", summary(report, diags))
	}
	raw, err := json.Marshal(report)
	if err != nil || !bytes.Contains(raw, []byte(`"verdict":"failed"`)) {
		t.Errorf("%s %v", raw, err)
	}
}
