package importer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// passwordSchema knows one type, whose objects are imported by their secret.
type passwordSchema struct{ tfschema.Decoder }

func (passwordSchema) Names(kind tfschema.Kind) []string {
	if kind != tfschema.KindResource {
		return nil
	}
	return []string{"x_password"}
}

func (passwordSchema) IdentityNames() []string { return nil }

func (passwordSchema) Identity(string) (*tfschema.Identity, error) { return nil, nil }

func (passwordSchema) Capabilities() tfschema.Capabilities { return tfschema.Capabilities{} }

func (passwordSchema) Schema(_ tfschema.Kind, name string) (*tfschema.Schema, error) {
	if name != "x_password" {
		return nil, errors.New("no such type")
	}
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "pepper", Type: cty.String, Optional: true, Sensitive: true},
		{Name: "result", Type: cty.String, Computed: true, Sensitive: true},
	}}}, nil
}

// passwords imports whatever it is asked for, but for what begins with "no-".
type passwords struct{ tfprovider.Provider }

func (passwords) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(passwordSchema{}), nil
}

func (passwords) ValidateResourceConfig(context.Context, string, cty.Value) diag.List { return nil }

func (passwords) ImportResourceState(_ context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	if strings.HasPrefix(req.ID, "no-") {
		return nil, diag.List{diag.Errorf("X1", "Refused", "%q is none.", req.ID)}
	}
	return []tfprovider.Imported{{TypeName: req.TypeName, State: cty.ObjectVal(map[string]cty.Value{
		"id": cty.StringVal("none"), "pepper": cty.StringVal("p"), "result": cty.StringVal(req.ID),
	})}}, nil
}

func (passwords) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	return tfprovider.ReadResponse{State: req.State}, nil
}

func (passwords) PlanResourceChange(_ context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	return tfprovider.PlanResponse{Planned: req.ProposedNew}, nil
}

// given is a source of ids.
type given []string

func (given) Name() string { return "ids" }

func (g given) Discover(_ context.Context, _ discover.Scope, yield func(discover.Found) error) (discover.Outcome, diag.List) {
	for _, id := range g {
		if err := yield(discover.Found{Type: "x_password", ID: id, DisplayName: "the " + id, Source: "ids"}); err != nil {
			return discover.Outcome{}, nil
		}
	}
	return discover.Outcome{}, nil
}

// TestSecretIDs holds that an object that is imported by a secret is named,
// reported and handed over without telling it, the same way on every run.
func TestSecretIDs(t *testing.T) {
	t.Parallel()
	var known []Known
	run := func() write.Module {
		selection, _ := discover.Select(tfschema.NewCatalog(passwordSchema{}), nil, nil)
		module, diags := Run(t.Context(), Request{
			Provider: passwords{}, Address: tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "a", Type: "x"},
			Sources: []discover.Source{given{"HunterTwo22", "no-HunterThree33"}}, Selection: selection,
			Concurrency: 1, MostConcurrency: 1, ImportBlocks: true, Rand: strings.NewReader(strings.Repeat("r", 64)),
			EarlierNames: func(objects []Known) []string { known = objects; return make([]string, len(objects)) },
		})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		return module
	}
	module := run()
	if name := module.Resources[0].Addr.Name; name != "password_e8f0c4" || run().Resources[0].Addr.Name != name {
		t.Errorf("it is called %s", name)
	}
	module.State = nil
	tree, diags := write.Files(module)
	if len(diags) != 1 || diags[0].Code != "WR0003" {
		t.Errorf("said: %v", diags)
	}
	for _, f := range tree.Files() {
		text := string(f.Data)
		if tells := strings.Contains(strings.ToLower(text), "hunter"); tells != (f.Path == write.SecretsFile) {
			t.Errorf("%s:\n%s", f.Path, text)
		}
		if f.Path == write.IgnoreFile && strings.Contains(text, write.ImportsFile) {
			t.Errorf("%s is ignored:\n%s", write.ImportsFile, text)
		}
	}
	for name, want := range map[string]string{
		write.ImportsFile:   "id = var.password_e8f0c4_import_id\n",
		write.SecretsFile:   "password_e8f0c4_import_id = \"HunterTwo22\"\n",
		write.VariablesFile: "import blocks refuse variables that are declared so.\"\n  type        = string\n}\n",
	} {
		if f, _ := tree.File(name); !strings.Contains(string(f.Data), want) {
			t.Errorf("%s has no %q:\n%s", name, want, f.Data)
		}
	}
	if text := module.FinalReport().Text(write.TextOptions{}); strings.Contains(text, "Hunter") {
		t.Errorf("the summary tells it:\n%s", text)
	}
	ids := map[string]bool{}
	for _, trace := range known[0].Traces {
		ids[trace.ID] = true
	}
	if reported := module.Report.Resources[0].ID; !ids["HunterTwo22"] || !ids[reported] || reported != "sha256:14e8f0c4" {
		t.Errorf("it is known by %v, and reported as %q", ids, reported)
	}
}

// TestHide holds that of an identity nothing but what tells a secret becomes a
// variable, each of its own name and type.
func TestHide(t *testing.T) {
	t.Parallel()
	found := discover.Found{Type: "x_password", ID: "1"}
	addr := tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_password", Name: "a"}
	identity := cty.ObjectVal(map[string]cty.Value{
		"keys": cty.ListVal([]cty.Value{cty.StringVal("open"), cty.StringVal("HunterTwo22")}), "none": cty.NullVal(cty.String),
		"pin": cty.NumberIntVal(1234), "region": cty.StringVal("eu"),
	})
	for name, test := range map[string]struct {
		block write.Import
		want  map[string]string
	}{
		"an id":              {write.Import{ID: "eu/HunterTwo22", Identity: identity}, map[string]string{write.ImportID: "password_a_import_id"}},
		"an id that is open": {write.Import{ID: "eu", Identity: identity}, map[string]string{}},
		"an identity":        {write.Import{Identity: identity}, map[string]string{"keys": "password_a_import_keys", "pin": "password_a_import_pin"}},
		"nothing":            {write.Import{}, map[string]string{}},
	} {
		a := &assembly{extractor: secret.NewExtractor(), secrets: secrets{byFound: map[string]map[string]bool{}}}
		a.secrets.addTexts(found, []string{"HunterTwo22", "1234"})
		got := a.hide(&resource{Minimal: minimise.Minimal{Object: read.Object{Found: found}}, addr: addr}, test.block)
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for _, v := range a.variables {
			if !v.Import || !v.Sensitive || test.block.ID == "" && !v.Type.Equals(identity.Type().AttributeType(strings.TrimPrefix(v.Path, "identity."))) {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
	a := &assembly{extractor: secret.NewExtractor()}
	if got := a.hide(&resource{addr: addr}, write.Import{ID: "1"}); got != nil || len(a.variables) > 0 {
		t.Errorf("without secrets: %v", got)
	}
}
