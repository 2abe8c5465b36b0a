package tfschema_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestJSON compares the JSON form of every schema of the test providers with
// what real clients print.
func TestJSON(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"tofu", "terraform"} {
		for _, name := range []string{"estate", "classic"} {
			t.Run(client+" "+name, func(t *testing.T) {
				t.Parallel()
				path := tfcli.Find(t, client)
				binary := build.Binary(t, "terraform-provider-"+name)
				want := printed(t, path, name, binary)
				p := tfprovider.Launch(tfprovider.Config{Name: name, Path: binary, Env: os.Environ()})
				t.Cleanup(func() { _ = p.Close() })
				catalog, diags := p.Schema(t.Context())
				if err := diags.Err(); err != nil {
					t.Fatal(err)
				}
				compare(t, want.Provider, catalog, tfschema.KindProvider, "")
				compareAll(t, want.Resources, catalog, tfschema.KindResource)
				compareAll(t, want.DataSources, catalog, tfschema.KindDataSource)
				compareAll(t, want.Ephemeral, catalog, tfschema.KindEphemeral)
			})
		}
	}
}

// schemas are those of one provider in a client's output.
type schemas struct {
	Provider    json.RawMessage            `json:"provider"`
	Resources   map[string]json.RawMessage `json:"resource_schemas"`
	DataSources map[string]json.RawMessage `json:"data_source_schemas"`
	Ephemeral   map[string]json.RawMessage `json:"ephemeral_resource_schemas"`
}

func printed(t *testing.T, client, name, binary string) schemas {
	t.Helper()
	dir := t.TempDir()
	address := "registry.opentofu.org/formation-iac/" + name
	module := "terraform {\n  required_providers {\n    " + name + " = {\n      source = \"" + address + "\"\n    }\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	c := tfcli.New(t, client, tfcli.Options{Dir: dir, Providers: map[string]string{address: binary}})
	var out struct {
		Providers map[string]schemas `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(c.Must(t, "providers", "schema", "-json").Stdout), &out); err != nil {
		t.Fatal(err)
	}
	if _, ok := out.Providers[address]; !ok {
		t.Fatalf("the client prints nothing of %s", address)
	}
	return out.Providers[address]
}

func compareAll(t *testing.T, want map[string]json.RawMessage, catalog *tfschema.Catalog, kind tfschema.Kind) {
	t.Helper()
	var names []string
	for name, schema := range want {
		names = append(names, name)
		compare(t, schema, catalog, kind, name)
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, catalog.Names(kind)); diff != "" && len(names) > 0 {
		t.Errorf("names of %s (-want +got):\n%s", kind, diff)
	}
}

func compare(t *testing.T, want json.RawMessage, catalog *tfschema.Catalog, kind tfschema.Kind, name string) {
	t.Helper()
	schema, err := catalog.Schema(kind, name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
		t.Errorf("%s %s (-want +got):\n%s", kind, name, diff)
	}
}

func decoded(t *testing.T, data []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
