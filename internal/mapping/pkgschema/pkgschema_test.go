package pkgschema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/pkgschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/testkit/golden"
	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

var update = flag.Bool("update", false, "rewrite golden files")

func newPackage(t testing.TB, s *memschema.Schemas, name string) *mapping.Package {
	t.Helper()
	pkg, diags := mapping.New(s.Catalog(), mapping.Options{Name: name, Version: "1.2.3", ProviderName: name})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return pkg
}

func options() pkgschema.Options {
	return pkgschema.Options{BasePlugin: "terraform-bridge", BaseVersion: "4.5.6", Parameter: []byte(`{"remote":{}}`), Namespace: "acme"}
}

func generate(t testing.TB, pkg *mapping.Package, opts pkgschema.Options) []byte {
	t.Helper()
	out, err := pkgschema.Generate(t.Context(), pkg, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bound reads a schema as the readers of packages do, who report whatever is
// wrong with it.
func bound(t testing.TB, schema []byte) *pschema.Package {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), schema, pschema.Options{Filename: "schema.json"})
	for _, d := range diags.Errors() {
		t.Error(d)
	}
	if t.Failed() {
		t.FailNow()
	}
	return pkg
}

func indented(t testing.TB, schema []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, schema, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), '\n')
}

func TestShapes(t *testing.T) {
	t.Parallel()
	schema := generate(t, newPackage(t, memschema.Shapes(), "shape"), options())
	golden.Compare(t, "testdata/shapes.json", indented(t, schema), *update)
	bound(t, schema)
}

// TestEmpty has a provider with nothing in it, from a local path.
func TestEmpty(t *testing.T) {
	t.Parallel()
	opts := options()
	opts.Namespace = ""
	schema := generate(t, newPackage(t, &memschema.Schemas{}, "void"), opts)
	golden.Compare(t, "testdata/empty.json", indented(t, schema), *update)
	bound(t, schema)
}

// TestRandom binds the schemas of providers drawn at random, and makes each
// twice.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		draw := func() []byte {
			return generate(t, newPackage(t, memschema.Random(seed), "thing"), options())
		}
		schema := draw()
		if !bytes.Equal(schema, draw()) {
			t.Fatalf("seed %d: not the same twice", seed)
		}
		bound(t, schema)
	}
}

// TestTypesOfOneName has resources whose nested types want one name: the same
// type is shared, and another one is numbered.
func TestTypesOfOneName(t *testing.T) {
	t.Parallel()
	nested := func(name, field string) *tfschema.NestedBlock {
		return memschema.Nested(name, tfschema.NestingSingle, memschema.Block([]*tfschema.Attribute{memschema.Optional(field, cty.String)}))
	}
	schemas := &memschema.Schemas{Resources: map[string]*tfschema.Block{
		"x_a":   memschema.Block(nil, nested("b_c", "first"), nested("bc", "alone")),
		"x_a_b": memschema.Block(nil, nested("c", "second")),
		"x_q":   memschema.Block(nil, nested("r_s", "same")),
		"x_q_r": memschema.Block(nil, nested("s", "same")),
	}}
	spec, diags := pschema.Decode("schema.json", generate(t, newPackage(t, schemas, "x"), options()))
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for token, r := range spec.Resources {
		for name, p := range r.Properties {
			for field := range spec.Types[strings.TrimPrefix(p.Ref, "#/types/")].Properties {
				got[mapping.TokenName(token)+"."+name] = mapping.TokenName(p.Ref) + " with " + field
			}
		}
	}
	want := map[string]string{
		"A.bC": "ABC with first", "A.bc": "ABc with alone", "AB.c": "ABCV2 with second", "Q.rS": "QRS with same", "QR.s": "QRS with same",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(spec.Types) != 4 {
		t.Errorf("there are %d types", len(spec.Types))
	}
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
	for name, want := range map[string]string{
		"shape_foo":   `schema of resource type "shape_foo": it is torn; --exclude shape_foo leaves it out`,
		"shape_token": `schema of ephemeral resource type "shape_token": it is torn; --exclude shape_token leaves it out`,
		"":            `schema of provider configuration "": it is torn`,
	} {
		pkg, diags := mapping.New(tfschema.NewCatalog(torn{memschema.Shapes(), name}), mapping.Options{Name: "shape", ProviderName: "shape"})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		if _, err := pkgschema.Generate(t.Context(), pkg, options()); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// full takes some bytes and fails then.
type full struct{ room int }

var errFull = errors.New("the disk is full")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestInterrupted writes to a disk that fills up early, late and at the very
// end, and for a caller that has gone.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	pkg := newPackage(t, memschema.Wide(100), "wide")
	whole := len(generate(t, pkg, options()))
	for _, room := range []int{0, whole / 2, whole - 1} {
		if err := pkgschema.Write(t.Context(), &full{room}, pkg, options()); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d: %v", room, whole, err)
		}
	}
	if err := pkgschema.Write(t.Context(), &full{whole}, pkg, options()); err != nil {
		t.Errorf("with room for all: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pkgschema.Write(ctx, &full{whole}, pkg, options()); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller that has gone: %v", err)
	}
}

// TestStreams holds that a schema is handed on while it is made.
func TestStreams(t *testing.T) {
	t.Parallel()
	pieces := &pieces{}
	pkg := newPackage(t, memschema.Wide(300), "wide")
	if err := pkgschema.Write(t.Context(), pieces, pkg, options()); err != nil {
		t.Fatal(err)
	}
	if pieces.largest > pieces.all/2 {
		t.Errorf("of %d bytes %d came at once", pieces.all, pieces.largest)
	}
}

type pieces struct{ all, largest int }

func (p *pieces) Write(b []byte) (int, error) {
	p.all, p.largest = p.all+len(b), max(p.largest, len(b))
	return len(b), nil
}

// room is a buffer that notes what it was told to make room for.
type room struct {
	bytes.Buffer
	told []int
}

func (r *room) Grow(n int) { r.told = append(r.told, n) }

// TestAnnounced tells a buffer once how much is to come, and about right where
// types are alike.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	var r room
	if err := pkgschema.Write(t.Context(), &r, newPackage(t, memschema.Wide(300), "wide"), pkgschema.Options{}); err != nil {
		t.Fatal(err)
	}
	if len(r.told) != 1 || r.told[0] < r.Len() || r.told[0] > r.Len()*5/4 {
		t.Errorf("told %d of %d", r.told, r.Len())
	}
}

func TestGoImportPath(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"0.0.0": "sdks/go/x/x", "1.9.0": "sdks/go/x/x", "2.0.0": "sdks/go/x/v2/x", "10.1.0-beta.1": "sdks/go/x/v10/x",
	} {
		pkg, diags := mapping.New((&memschema.Schemas{}).Catalog(), mapping.Options{Name: "x", ProviderName: "x", Version: version})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		if schema := generate(t, pkg, options()); !bytes.Contains(schema, []byte(want+`"`)) {
			t.Errorf("%s: no %s in %s", version, want, schema)
		}
	}
}
