package pkgschema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/testkit/golden"
	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// pages is documentation.
type pages map[docpage.Subject]string

func (p pages) Page(s docpage.Subject) *docpage.Page {
	text, ok := p[s]
	if !ok {
		return nil
	}
	return docpage.Parse(text)
}

// described is an optional attribute that has a text of the provider's.
func described(name, text string) *tfschema.Attribute {
	a := memschema.Optional(name, cty.String)
	a.Description = text
	return a
}

// boats is a provider with some texts of its own.
func boats() *memschema.Schemas {
	crew := memschema.Block([]*tfschema.Attribute{described("home_port", ""), described("rank", "A rank.")})
	boat := memschema.Block([]*tfschema.Attribute{
		described("name", "The name."), described("hull_colour", ""), described("mast", "Carries `hull_colour` sails."), described("other", ""),
	}, memschema.Nested("crew", tfschema.NestingList, crew))
	boat.Description = "Is a boat."
	pier := memschema.Block([]*tfschema.Attribute{described("name", "")})
	pier.Description = "Is a pier, to which boats are tied whose crews are ashore."
	return &memschema.Schemas{
		Provider:  memschema.Block([]*tfschema.Attribute{described("sea_level", "")}),
		Resources: map[string]*tfschema.Block{"sea_boat": boat, "sea_pier": pier, "sea_rock": memschema.Block(nil)},
		Data:      map[string]*tfschema.Block{"sea_boat": memschema.Block([]*tfschema.Attribute{described("name", "")})},
		Ephemeral: map[string]*tfschema.Block{"sea_wave": memschema.Block([]*tfschema.Attribute{described("height", "")})},
		Functions: map[string]*tfschema.Function{"knots": {Name: "knots", Summary: "Counts knots", Return: cty.Number}},
	}
}

// chart is what is published about [boats].
func chart(t testing.TB) pages {
	t.Helper()
	out := pages{}
	for subject, file := range map[docpage.Subject]string{
		{Kind: docpage.Overview}:                                  "index.md",
		{Kind: docpage.Resource, Terraform: "sea_boat"}:           "boat.md",
		{Kind: docpage.Resource, Terraform: "sea_pier"}:           "pier.md",
		{Kind: docpage.DataSource, Terraform: "sea_boat"}:         "find_boat.md",
		{Kind: docpage.Ephemeral, Terraform: "sea_wave"}:          "wave.md",
		{Kind: docpage.Function, Terraform: "knots"}:              "knots.md",
		{Kind: docpage.Resource, Terraform: "sea_of_no_provider"}: "boat.md",
	} {
		src, err := os.ReadFile("testdata/docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		out[subject] = string(src)
	}
	return out
}

// TestDocs has a page of each kind.
func TestDocs(t *testing.T) {
	t.Parallel()
	opts := options()
	opts.Docs = chart(t)
	schema := generate(t, newPackage(t, boats(), "sea"), opts)
	golden.Compare(t, "testdata/docs.json", indented(t, schema), *update)
	bound(t, schema)
}

// everywhere is a page about everything that says the same, or each time
// something else.
type everywhere struct{ varied bool }

func (e everywhere) Page(s docpage.Subject) *docpage.Page {
	text := "## Arguments\n\n* `name` - Says something.\n"
	for _, block := range []string{"b_c", "bc", "c", "r_s", "s"} {
		text += "\nThe `" + block + "` block supports:\n\n* `same` - Says something"
		if e.varied {
			text += " of " + s.Terraform
		}
		text += ".\n"
	}
	return docpage.Parse(text)
}

// TestDocsAndNames holds that no type has another name because of a page, also
// where types of one name are described differently.
func TestDocsAndNames(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		names := func(docs pkgschema.Docs) any {
			t.Helper()
			opts := options()
			opts.Docs = docs
			schemas := memschema.Random(seed)
			schemas.Resources["x_q"] = shared("r_s")
			schemas.Resources["x_q_r"] = shared("s")
			schema := generate(t, newPackage(t, schemas, "thing"), opts)
			if docs != nil && !strings.Contains(string(schema), "Says something") {
				t.Fatal("the pages are not used")
			}
			return undescribed(t, schema)
		}
		want := names(nil)
		for _, docs := range []pkgschema.Docs{everywhere{}, everywhere{varied: true}} {
			if diff := cmp.Diff(want, names(docs)); diff != "" {
				t.Fatalf("seed %d (-without +with pages):\n%s", seed, diff)
			}
		}
	}
}

// shared has a nested type that comes out as QRS.
func shared(block string) *tfschema.Block {
	return memschema.Block(nil, memschema.Nested(block, tfschema.NestingSingle, memschema.Block([]*tfschema.Attribute{memschema.Optional("same", cty.String)})))
}

// undescribed is a schema without its texts.
func undescribed(t *testing.T, schema []byte) pschema.PackageSpec {
	t.Helper()
	spec, diags := pschema.Decode("schema.json", schema)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	strip := func(properties map[string]pschema.PropertySpec) {
		for name, p := range properties {
			p.Description = ""
			properties[name] = p
		}
	}
	for token, r := range spec.Resources {
		r.Description = ""
		strip(r.Properties)
		strip(r.InputProperties)
		if r.StateInputs != nil {
			strip(r.StateInputs.Properties)
		}
		spec.Resources[token] = r
	}
	for token, f := range spec.Functions {
		f.Description = ""
		spec.Functions[token] = f
	}
	for _, typ := range spec.Types {
		strip(typ.Properties)
	}
	return spec
}

// TestDocsOfNothing has documentation without pages.
func TestDocsOfNothing(t *testing.T) {
	t.Parallel()
	pkg := func() *mapping.Package { return newPackage(t, memschema.Shapes(), "shape") }
	opts := options()
	want := string(generate(t, pkg(), opts))
	opts.Docs = pages{}
	if got := string(generate(t, pkg(), opts)); got != want {
		t.Error("the schema is another one")
	}
	if strings.Contains(want, "Terraform's documentation") {
		t.Error("it speaks of documentation")
	}
}
