package mapjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/mapjson"
	"github.com/formation-iac/formation/internal/testkit/golden"
	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

var update = flag.Bool("update", false, "rewrite golden files")

func newPackage(t testing.TB, decoder tfschema.Decoder, name string) *mapping.Package {
	t.Helper()
	pkg, diags := mapping.New(tfschema.NewCatalog(decoder), mapping.Options{Name: name, Version: "1.2.3", ProviderName: name})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return pkg
}

func generate(t testing.TB, pkg *mapping.Package) []byte {
	t.Helper()
	out, err := mapjson.Generate(pkg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestShapes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := json.Indent(&out, generate(t, newPackage(t, memschema.Shapes(), "shape")), "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	golden.Compare(t, "testdata/shapes.json", out.Bytes(), *update)
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	got := string(generate(t, newPackage(t, &memschema.Schemas{}, "void")))
	if want := `{"provider":{},"name":"void","version":"1.2.3"}`; got != want {
		t.Errorf("got %s", got)
	}
}

// The parts of a mapping that say what Pulumi calls things, as a reader has
// them.
type (
	document struct {
		Provider struct {
			Schema      map[string]attribute
			Resources   map[string]map[string]attribute
			DataSources map[string]map[string]attribute
		}
		Config    map[string]field
		Resources map[string]struct {
			Tok    string
			Fields map[string]field
		}
		DataSources map[string]struct {
			Tok    string
			Fields map[string]field
		}
	}
	attribute struct {
		Type     int
		MaxItems int
		Element  *struct {
			Schema   *attribute
			Resource map[string]attribute
		}
	}
	field struct {
		Name    string
		Element *field
		Fields  map[string]field
	}
)

// TestRandom reads mappings of random providers as a converter does, and
// finds the names and flat blocks that the package has.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		pkg := newPackage(t, memschema.Random(seed), "thing")
		mapped := generate(t, pkg)
		if !bytes.Equal(mapped, generate(t, newPackage(t, memschema.Random(seed), "thing"))) {
			t.Fatalf("seed %d: not the same twice", seed)
		}
		var d document
		if err := json.Unmarshal(mapped, &d); err != nil {
			t.Fatal(err)
		}
		compareAll(t, pkg, d)
	}
}

func compareAll(t *testing.T, pkg *mapping.Package, d document) {
	t.Helper()
	provider, err := pkg.Provider()
	if err != nil {
		t.Fatal(err)
	}
	compare(t, provider.Object, d.Provider.Schema, d.Config)
	for _, m := range pkg.Resources() {
		r, err := pkg.Resource(m.Token)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, r.Object, d.Provider.Resources[m.Terraform], d.Resources[m.Terraform].Fields)
		if got := d.Resources[m.Terraform].Tok; got != m.Token {
			t.Errorf("%s is %q", m.Token, got)
		}
	}
	for _, m := range pkg.Functions() {
		if m.Kind != mapping.FunctionDataSource {
			continue
		}
		f, err := pkg.Function(m.Token)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, f.Inputs, d.Provider.DataSources[m.Terraform], d.DataSources[m.Terraform].Fields)
		if got := d.DataSources[m.Terraform].Tok; got != m.Token {
			t.Errorf("%s is %q", m.Token, got)
		}
	}
}

// compare reads what Terraform has, and what Pulumi makes of it, beside o.
func compare(t *testing.T, o *mapping.Object, attributes map[string]attribute, fields map[string]field) {
	t.Helper()
	if len(attributes) != len(o.Properties) {
		t.Errorf("%d attributes for %d properties", len(attributes), len(o.Properties))
	}
	for _, p := range o.Properties {
		name := o.RuleName(p)
		if f := fields[p.Terraform]; f.Name != "" {
			name = f.Name
		}
		if name != p.Name {
			t.Errorf("%s is read as %s and not %s", p.Terraform, name, p.Name)
		}
		a := attributes[p.Terraform]
		if flat := a.Type == 5 && a.MaxItems == 1; flat != p.Type.Flat {
			t.Errorf("%s is read as flat: %t", p.Name, flat)
		}
		compareElement(t, p.Type, a, fields[p.Terraform])
	}
}

func compareElement(t *testing.T, ty *mapping.Type, a attribute, f field) {
	t.Helper()
	if a.Element == nil || ty.Elems != nil {
		return
	}
	var inner field
	if f.Element != nil {
		inner = *f.Element
	}
	elem := ty.Elem
	if elem == nil {
		elem = ty
	}
	if a.Element.Schema != nil {
		compareElement(t, elem, *a.Element.Schema, inner)
		return
	}
	compare(t, elem.Object, a.Element.Resource, inner.Fields)
}

// torn has one schema that cannot be decoded.
type torn struct {
	*memschema.Schemas
	name string
}

func (b torn) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	if name == b.name {
		return nil, errors.New("it is torn")
	}
	return b.Schemas.Schema(kind, name)
}

func TestTornSchema(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "shape_foo", "shape_thing"} {
		_, err := mapjson.Generate(newPackage(t, torn{memschema.Shapes(), name}, "shape"))
		if err == nil || !strings.Contains(err.Error(), "it is torn") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := mapjson.Generate(newPackage(t, torn{memschema.Shapes(), "shape_token"}, "shape")); err != nil {
		t.Errorf("an ephemeral resource, which the mapping has not: %v", err)
	}
}
