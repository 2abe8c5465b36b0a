package discover

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// fakeSchema is a provider's schema in memory.
type fakeSchema struct {
	resources  map[string]*tfschema.Schema
	lists      map[string]*tfschema.Schema
	identities map[string]*tfschema.Identity
}

func (f *fakeSchema) of(kind tfschema.Kind) map[string]*tfschema.Schema {
	switch kind {
	case tfschema.KindResource:
		return f.resources
	case tfschema.KindList:
		return f.lists
	}
	return nil
}

func (f *fakeSchema) Names(kind tfschema.Kind) []string { return keysOf(f.of(kind)) }

func (f *fakeSchema) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	return f.of(kind)[name], nil
}

func (f *fakeSchema) IdentityNames() []string { return keysOf(f.identities) }

func (f *fakeSchema) Identity(typeName string) (*tfschema.Identity, error) {
	return f.identities[typeName], nil
}

func (f *fakeSchema) FunctionNames() []string                     { return nil }
func (f *fakeSchema) Function(string) (*tfschema.Function, error) { return nil, nil }
func (f *fakeSchema) Capabilities() tfschema.Capabilities         { return tfschema.Capabilities{} }

func keysOf[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// smallSchema is a schema of a few types: networks have an identity of one part,
// buckets one of three, roles none; keys cannot be listed without a region.
func smallSchema() *fakeSchema {
	object := &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "id", Type: cty.String, Computed: true}}}}
	return &fakeSchema{
		resources: map[string]*tfschema.Schema{
			"x_network": object, "x_bucket": object, "x_bucket_policy": object, "x_role": object, "x_key": object,
		},
		lists: map[string]*tfschema.Schema{
			"x_network": {Block: &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "zone", Type: cty.String, Optional: true}}}},
			"x_bucket":  {Block: &tfschema.Block{}},
			"x_key":     {Block: &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "region", Type: cty.String, Required: true}}}},
		},
		identities: map[string]*tfschema.Identity{
			"x_network": {Attributes: []*tfschema.IdentityAttribute{{Name: "id", Type: cty.String, RequiredForImport: true}}},
			"x_bucket": {Attributes: []*tfschema.IdentityAttribute{
				{Name: "account", Type: cty.Number, OptionalForImport: true},
				{Name: "name", Type: cty.String, RequiredForImport: true},
				{Name: "region", Type: cty.String, OptionalForImport: true},
			}},
			"x_key": {Attributes: []*tfschema.IdentityAttribute{{Name: "id", Type: cty.String, RequiredForImport: true}}},
		},
	}
}

func estateScope() Scope { return Scope{Catalog: tfschema.NewCatalog(smallSchema())} }

func bucketIdentity(account any, name, region string) cty.Value {
	number, text := cty.NullVal(cty.Number), cty.NullVal(cty.String)
	if n, ok := account.(int); ok {
		number = cty.NumberIntVal(int64(n))
	}
	if region != "" {
		text = cty.StringVal(region)
	}
	return cty.ObjectVal(map[string]cty.Value{"account": number, "name": cty.StringVal(name), "region": text})
}

// discoverAll runs one source alone and sorts nothing.
func discoverAll(t *testing.T, source Source, scope Scope) ([]Found, Outcome, diag.List) {
	t.Helper()
	var found []Found
	outcome, diags := source.Discover(t.Context(), scope, func(f Found) error {
		found = append(found, f)
		return nil
	})
	return found, outcome, diags
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// describe renders what was found for comparison: one line each.
func describe(found []Found) []string {
	var out []string
	for _, f := range found {
		line := f.Type
		if f.ID != "" {
			line += " id=" + f.ID
		}
		if f.Identity != cty.NilVal {
			for _, name := range keysOf(f.Identity.AsValueMap()) {
				if v := f.Identity.GetAttr(name); !v.IsNull() {
					line += " " + name + "=" + valueText(v)
				}
			}
		}
		if f.Name != "" {
			line += " as " + f.Name
		}
		out = append(out, line)
	}
	return out
}
