package discover

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// launchEstate runs the estate's provider over an estate of its own.
func launchEstate(t *testing.T, seed estate.SeedOptions) (tfprovider.Provider, Scope) {
	t.Helper()
	server := estate.Start(t, estate.Options{Seed: seed})
	provider := tfprovider.Launch(tfprovider.Config{
		Name: "estate", Path: build.Binary(t, "terraform-provider-estate"), Env: append(os.Environ(), "ESTATE_ENDPOINT="+server.URL),
	})
	t.Cleanup(func() { _ = provider.Close() })
	catalog, diags := provider.Schema(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	schema, err := catalog.Schema(tfschema.KindProvider, "")
	if err != nil {
		t.Fatal(err)
	}
	if diags := provider.Configure(t.Context(), schema.Block.EmptyValue()); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return provider, Scope{Catalog: catalog}
}

func TestRealProvider(t *testing.T) {
	t.Parallel()
	provider, scope := launchEstate(t, estate.SeedOptions{Objects: 60, BucketObjects: 130})
	list := List{Provider: provider, Parallel: 4, IncludeObjects: true}
	alone, diags := Run(t.Context(), scope, []Source{list})
	if len(diags) > 0 || len(alone.Coverage.Failed) > 0 {
		t.Fatal(diags.Err(), alone.Coverage.Failed)
	}
	if d := cmp.Diff([]string{"estate_bucket_object"}, alone.Coverage.NeedConfig); d != "" {
		t.Error(d)
	}
	count := map[string]int{}
	var buckets []string
	for _, f := range alone.Found {
		count[f.Type]++
		if f.Type == "estate_bucket" {
			buckets = append(buckets, f.Identity.GetAttr("name").AsString())
		}
		if f.Object == cty.NilVal || f.DisplayName == "" {
			t.Errorf("%s was listed without object or name", f.Key())
		}
	}
	if d := cmp.Diff(map[string]int{"estate_network": 3, "estate_subnet": 9, "estate_role": 7, "estate_bucket": 8}, only4(count)); d != "" {
		t.Error(d)
	}
	withMore(t, provider, scope, list, alone, buckets)
}

func only4(count map[string]int) map[string]int {
	out := map[string]int{}
	for _, typeName := range []string{"estate_network", "estate_subnet", "estate_role", "estate_bucket"} {
		out[typeName] = count[typeName]
	}
	return out
}

func texts(list []string) cty.Value {
	var out []cty.Value
	for _, s := range list {
		out = append(out, cty.StringVal(s))
	}
	return cty.TupleVal(out)
}

// withMore adds a query, whose limits hold, and an inventory that knows
// nothing new.
func withMore(t *testing.T, provider tfprovider.Provider, scope Scope, list List, alone Result, buckets []string) {
	t.Helper()
	query, diags := ParseQuery("q.tfquery.hcl", []byte(`
variable "buckets" { type = set(string) }
list "estate_bucket_object" "some" {
  for_each = var.buckets
  provider = estate
  config { bucket = each.value }
}`), map[string]cty.Value{"buckets": texts(buckets)})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	bucket := buckets[0]
	inventory := writeFile(t, "ids.jsonl", `{"type":"estate_bucket","id":"`+bucket+`","name":"wanted"}`+"\n")
	all, diags := Run(t.Context(), scope, []Source{list, QuerySource{Query: query, Provider: provider, LocalName: "estate"}, Inventory{Path: inventory}})
	if len(diags) != 1 || diags[0].Code != "DI0046" || diags[0].Subject.Start.Line != 3 {
		t.Error("one of the buckets has more than its limit", diags)
	}
	if got, want := len(all.Found), len(alone.Found)+100; got != want {
		t.Errorf("%d objects, want %d: the inventory's bucket is one of those listed", got, want)
	}
	if d := cmp.Diff([]string{"estate_bucket_object"}, all.Coverage.Truncated); d != "" || len(all.Coverage.NeedConfig) > 0 {
		t.Error(d, all.Coverage.NeedConfig)
	}
	for _, f := range all.Found {
		if f.Type == "estate_bucket" && f.Identity.GetAttr("name").AsString() == bucket && f.Name != "wanted" {
			t.Errorf("the wanted name was lost: %v", f)
		}
	}
}
