package tfverify_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/tfstate"
	"github.com/formation-iac/formation/internal/tf/tfverify"
)

// TestFlatmapStates has the states of the written estates as Terraform before
// 0.12 wrote them. SDKv2 reads such a state, and a client that is told which
// provider the state means plans nothing for it either. A provider on the
// framework does not read it, and what it refuses is named.
func TestFlatmapStates(t *testing.T) {
	t.Parallel()
	tofu, programs := tfcli.Find(t, "tofu"), binaries(t)
	for _, module := range truth.Modules(t) {
		t.Run(module.Name, func(t *testing.T) {
			t.Parallel()
			server, dir := estate.Start(t, estate.Options{}), t.TempDir()
			module.Write(t, dir)
			client := tfcli.New(t, tofu, tfcli.Options{Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + server.URL}, Providers: programs})
			client.Apply(t)
			state := flattened(t, dir, catalogOf(t, module.Provider, programs[module.Provider]))
			putState(t, dir, version3(t, state))
			checkFlat(t, dir, module, launcher(programs, server.URL))
			if module.Provider == classicAddr {
				client.Must(t, "state", "replace-provider", "-auto-approve", "registry.opentofu.org/-/classic", classicAddr)
				client.EmptyPlan(t)
			}
			putState(t, dir, version4(t, state))
			checkFlat(t, dir, module, launcher(programs, server.URL))
			if module.Provider == classicAddr {
				client.EmptyPlan(t)
			}
		})
	}
}

// checkFlat wants all objects of the classic provider proven, and each of
// another named.
func checkFlat(t *testing.T, dir string, module truth.Module, launch func(context.Context, tfaddr.Provider) (tfprovider.Provider, diag.List)) {
	t.Helper()
	report, diags := tfverify.Verify(t.Context(), tfverify.Request{Dir: dir, Launch: launch})
	if module.Provider == classicAddr {
		if !report.Proven || report.Counts[tfverify.NoOp] != len(module.Resources) {
			t.Errorf("%v\n%s", summary(report, diags), reasons(report, diags))
		}
		return
	}
	if report.Proven || report.Counts[tfverify.NoOp] > 0 {
		t.Errorf("proven without being read: %v", summary(report, diags))
	}
	refused := map[string]bool{}
	for _, r := range report.Resources {
		refused[r.Address] = (r.Verdict == tfverify.Failed || r.Verdict == tfverify.Unevaluated) && len(r.Reasons) > 0
	}
	for _, r := range module.Resources {
		if !refused[r.Address] {
			t.Errorf("%s is not named with a reason: %v", r.Address, summary(report, diags))
		}
	}
}

func putState(t *testing.T, dir string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "terraform.tfstate"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func catalogOf(t *testing.T, name, path string) *tfschema.Catalog {
	t.Helper()
	p := tfprovider.Launch(tfprovider.Config{Name: name, Path: path, Env: os.Environ()})
	t.Cleanup(func() { _ = p.Close() })
	catalog, diags := p.Schema(t.Context())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return catalog
}

// flattened reads a state, and gives all its objects flat attributes.
func flattened(t *testing.T, dir string, catalog *tfschema.Catalog) *tfstate.State {
	t.Helper()
	path := filepath.Join(dir, "terraform.tfstate")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	state, diags := tfstate.Decode(src, path)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	for _, r := range state.Resources {
		schema, err := catalog.Resource(r.Addr.Type)
		if err != nil {
			t.Fatal(err)
		}
		for n := range r.Instances {
			i := &r.Instances[n]
			value, diags := tfstate.InstanceValue(*i, schema)
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			i.Attributes, i.Identity, i.Flatmap = nil, nil, flat(t, value)
		}
	}
	return state
}

// flat leaves out what is null, which a flatmap does as well. Of what no
// flatmap can hold it is the id.
func flat(t *testing.T, value cty.Value) map[string]string {
	t.Helper()
	there := value.AsValueMap()
	maps.DeleteFunc(there, func(_ string, v cty.Value) bool { return v.IsNull() })
	out, err := tfstate.EncodeFlatmap(cty.ObjectVal(there))
	if err != nil {
		return map[string]string{"id": value.GetAttr("id").AsString()}
	}
	return out
}

func version4(t *testing.T, state *tfstate.State) []byte {
	t.Helper()
	text, err := tfstate.Encode(state)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// version3 is a state in the format of Terraform 0.11, which knows providers
// by their types.
func version3(t *testing.T, state *tfstate.State) []byte {
	t.Helper()
	resources := map[string]any{}
	for _, r := range state.Resources {
		for _, i := range r.Instances {
			key := r.Addr.Type + "." + r.Addr.Name
			if i.Key != cty.NilVal && i.Key.Type() == cty.Number {
				key += "." + i.Key.AsBigFloat().String()
			}
			resources[key] = map[string]any{
				"type": r.Addr.Type, "provider": "provider." + r.Provider.Type,
				"primary": map[string]any{
					"id": i.Flatmap["id"], "attributes": i.Flatmap,
					"meta": map[string]any{"schema_version": fmt.Sprint(i.SchemaVersion)},
				},
			}
		}
	}
	text, err := json.Marshal(map[string]any{
		"version": 3, "terraform_version": "0.11.14", "serial": 1, "lineage": state.Lineage,
		"modules": []any{map[string]any{"path": []string{"root"}, "outputs": map[string]any{}, "resources": resources}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
