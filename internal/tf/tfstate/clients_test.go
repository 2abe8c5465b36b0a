package tfstate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// builtin is a configuration that needs no provider but the client's own.
const builtin = `
variable "secret" {
  default   = "hush <&>"
  sensitive = true
}
resource "terraform_data" "one" {
  input = { a = [1, "x", true, null], b = var.secret }
}
resource "terraform_data" "each" {
  for_each = toset(["a b", "c\"q", "10"])
  input    = each.key
}
resource "terraform_data" "count" {
  count            = 11
  input            = count.index
  triggers_replace = [terraform_data.one.id]
}
output "all" {
  value     = terraform_data.one
  sensitive = true
}
`

func client(t *testing.T, name string) *tfcli.Client {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(builtin), 0o600); err != nil {
		t.Fatal(err)
	}
	return tfcli.New(t, tfcli.Find(t, name), tfcli.Options{Dir: dir})
}

// A real client's own file comes back from reading and writing: from
// Terraform byte for byte, from OpenTofu, which does not indent, in content.
func TestRealClientRoundTrip(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"terraform", "tofu"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := client(t, name)
			c.Apply(t)
			src, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate"))
			if err != nil {
				t.Fatal(err)
			}
			out, warnings := normalForm(t, src, "terraform.tfstate")
			if warnings != "" {
				t.Error(warnings)
			}
			if diff := cmp.Diff(string(src), string(out)); name == "terraform" && diff != "" {
				t.Errorf("bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(leaves(t, src), leaves(t, out)); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

// A state made here is one that a real client has nothing to change about.
func TestRealClientAcceptsState(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"terraform", "tofu"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := client(t, name)
			path := filepath.Join(c.Dir, "terraform.tfstate")
			s := builtinState(t)
			if err := os.WriteFile(path, []byte(encoded(t, s)), 0o600); err != nil {
				t.Fatal(err)
			}
			c.EmptyPlan(t)
			if err := os.Remove(filepath.Join(c.Dir, "main.tf")); err != nil {
				t.Fatal(err)
			}
			c.Destroy(t)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			after, diags := Decode(src, path)
			if diags.HasErrors() || after.Lineage != s.Lineage || after.Serial <= s.Serial || len(after.Resources) != 0 {
				t.Errorf("after destroy: %+v %v", after, diags.Err())
			}
		})
	}
}

func builtinState(t *testing.T) *State {
	t.Helper()
	s, err := New(strings.NewReader("sixteen bytes ok"))
	if err != nil {
		t.Fatal(err)
	}
	secret := cty.StringVal("hush <&>").Mark("sensitive")
	one := data(t, "id-1", cty.ObjectVal(map[string]cty.Value{
		"a": cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal("x"), cty.True, cty.NullVal(cty.DynamicPseudoType)}), "b": secret,
	}), cty.NullVal(cty.DynamicPseudoType))
	var each, count []Instance
	for _, key := range []string{"c\"q", "a b", "10"} {
		i := data(t, "each-"+key, cty.StringVal(key), cty.NullVal(cty.DynamicPseudoType))
		i.Key = cty.StringVal(key)
		each = append(each, i)
	}
	for n := range int64(11) {
		i := data(t, "count", cty.NumberIntVal(10-n), cty.TupleVal([]cty.Value{cty.StringVal("id-1")}))
		i.Key, i.Dependencies = cty.NumberIntVal(10-n), []string{"terraform_data.one"}
		count = append(count, i)
	}
	for name, instances := range map[string][]Instance{"one": {one}, "each": each, "count": count} {
		s.Resources = append(s.Resources, Resource{
			Addr:      tfaddr.Resource{Mode: tfaddr.Managed, Type: "terraform_data", Name: name},
			Provider:  tfaddr.Provider{Host: "terraform.io", Namespace: "builtin", Type: "terraform"},
			Instances: instances,
		})
	}
	value, diags := InstanceValue(one, dataSchema())
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	out, err := NewOutput(value, true)
	if err != nil {
		t.Fatal(err)
	}
	s.Outputs = map[string]Output{"all": out}
	return s
}

func dataSchema() *tfschema.Schema {
	var attrs []*tfschema.Attribute
	for _, name := range []string{"id", "input", "output", "triggers_replace"} {
		attrs = append(attrs, &tfschema.Attribute{Name: name, Type: cty.DynamicPseudoType})
	}
	attrs[0].Type = cty.String
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: attrs}}
}

// data is an object of terraform_data, whose output is its input. Only what
// configuration marks as sensitive has a mark in the state: with one too many
// or too few, the clients plan an update.
func data(t *testing.T, id string, input, triggers cty.Value) Instance {
	t.Helper()
	output, _ := input.UnmarkDeep()
	i, err := NewInstance(cty.ObjectVal(map[string]cty.Value{
		"id": cty.StringVal(id), "input": input, "output": output, "triggers_replace": triggers,
	}), dataSchema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return i
}
