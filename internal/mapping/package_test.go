package mapping_test

import (
	"errors"
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/testkit/golden"
	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

var update = flag.Bool("update", false, "rewrite golden files")

func newPackage(t testing.TB, s *memschema.Schemas, opts mapping.Options) *mapping.Package {
	t.Helper()
	pkg, diags := mapping.New(s.Catalog(), opts)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return pkg
}

func shapes(t testing.TB) *mapping.Package {
	t.Helper()
	return newPackage(t, memschema.Shapes(), mapping.Options{Name: "shape", Version: "1.2.3", ProviderName: "shape"})
}

func TestShapes(t *testing.T) {
	t.Parallel()
	got, err := dump(shapes(t))
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/shapes.txt", []byte(got), *update)
}

func TestSelection(t *testing.T) {
	t.Parallel()
	schemas := &memschema.Schemas{
		Resources: map[string]*tfschema.Block{"a_foo_bar": empty(), "a_foobar": empty(), "b_other": empty()},
		Data:      map[string]*tfschema.Block{"a_foo_bar": empty()},
		Ephemeral: map[string]*tfschema.Block{"a_token": empty()},
		Functions: map[string]*tfschema.Function{"parse": {Return: cty.String}},
	}
	tests := map[string]struct {
		opts      mapping.Options
		resources []string
		functions []string
		problems  []string
	}{
		"all": {
			resources: []string{"a:index/fooBar:FooBar", "a:index/foobarV2:FoobarV2", "a:index/bOther:BOther"},
			functions: []string{"a:index/getEphemeralToken:getEphemeralToken", "a:index/getFooBar:getFooBar", "a:index/parse:parse"},
		},
		"what is left out takes no name": {
			opts:      mapping.Options{Excludes: []string{"a_foo_bar", "parse", "b_other"}},
			resources: []string{"a:index/foobar:Foobar"},
			functions: []string{"a:index/getEphemeralToken:getEphemeralToken"},
		},
		"included": {
			opts:      mapping.Options{Includes: []string{"a_foo_bar"}},
			resources: []string{"a:index/fooBar:FooBar"},
			functions: []string{"a:index/getFooBar:getFooBar"},
		},
		"unknown and both": {
			opts: mapping.Options{Includes: []string{"a_fooobar", "a_token"}, Excludes: []string{"a_token", "c"}},
			problems: []string{
				`The provider has nothing called "a_fooobar": What is included or excluded is a resource type, data source, function or ephemeral resource type of the provider, by its name in Terraform. Did you mean "a_foo_bar" or "a_foobar"? Correct the name or remove it.`,
				`The provider has nothing called "c": What is included or excluded is a resource type, data source, function or ephemeral resource type of the provider, by its name in Terraform. Correct the name or remove it.`,
				`"a_token" is both included and excluded: Remove it from one of the two lists.`,
			},
		},
		"package name": {
			opts:     mapping.Options{Name: "a:b"},
			problems: []string{`"a:b" is no name for a package: A package's name is a part of every token: letters, digits, dashes and underscores. Choose another one with --provider-name.`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := test.opts
			opts.ProviderName = "a"
			if opts.Name == "" {
				opts.Name = "a"
			}
			pkg, diags := mapping.New(schemas.Catalog(), opts)
			var problems []string
			for _, d := range diags {
				problems = append(problems, d.Error())
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Fatalf("problems (-want +got):\n%s", diff)
			}
			if pkg == nil {
				return
			}
			slices.Sort(test.resources)
			if diff := cmp.Diff(test.resources, tokens(pkg.Resources())); diff != "" {
				t.Errorf("resources (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.functions, tokens(pkg.Functions())); diff != "" {
				t.Errorf("functions (-want +got):\n%s", diff)
			}
		})
	}
}

func empty() *tfschema.Block { return &tfschema.Block{} }

func tokens(members []mapping.Member) []string {
	var out []string
	for _, m := range members {
		out = append(out, m.Token)
	}
	return out
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	pkg := shapes(t)
	tests := map[string]func() error{
		`package "shape" has no resource "shape:index/bar:Bar". Did you mean "shape:index/bare:Bare"?`: func() error {
			_, err := pkg.Resource("shape:index/bar:Bar")
			return err
		},
		`package "shape" has no resource "shape_key". Did you mean "shape_keyed"?`: func() error {
			_, err := pkg.ResourceByTerraform("shape_key")
			return err
		},
		`package "shape" has no function "x".`: func() error {
			_, err := pkg.Function("x")
			return err
		},
		`package "shape" has no function "shape_token". Did you mean "shape_token"?`: func() error {
			_, err := pkg.FunctionByTerraform(mapping.FunctionDataSource, "shape_token")
			return err
		},
	}
	for want, get := range tests {
		err := get()
		var unknown *mapping.UnknownTokenError
		if !errors.As(err, &unknown) || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// TestKept asks for everything from several sides at once.
func TestKept(t *testing.T) {
	t.Parallel()
	pkg := shapes(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, m := range pkg.Resources() {
				byToken, err := pkg.Resource(m.Token)
				byName, err2 := pkg.ResourceByTerraform(m.Terraform)
				if err != nil || err2 != nil || byToken != byName {
					t.Errorf("%s: built twice, or %v, %v", m.Token, err, err2)
				}
				if fresh, err := pkg.BuildResource(m); err != nil || fresh == byToken {
					t.Errorf("%s: BuildResource keeps, or %v", m.Token, err)
				}
			}
			for _, m := range pkg.Functions() {
				byToken, err := pkg.Function(m.Token)
				byName, err2 := pkg.FunctionByTerraform(m.Kind, m.Terraform)
				if err != nil || err2 != nil || byToken != byName {
					t.Errorf("%s: built twice, or %v, %v", m.Token, err, err2)
				}
			}
		})
	}
	all.Wait()
}

// broken has a schema that cannot be decoded.
type broken struct{ *memschema.Schemas }

func (b broken) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	if name == "shape_foo" || kind == tfschema.KindProvider || name == "shape_thing" {
		return nil, errors.New("it is torn")
	}
	return b.Schemas.Schema(kind, name)
}

func TestBrokenSchema(t *testing.T) {
	t.Parallel()
	pkg, diags := mapping.New(tfschema.NewCatalog(broken{memschema.Shapes()}), mapping.Options{Name: "shape", ProviderName: "shape"})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	_, resource := pkg.ResourceByTerraform("shape_foo")
	_, function := pkg.FunctionByTerraform(mapping.FunctionDataSource, "shape_thing")
	_, provider := pkg.Provider()
	_, config := pkg.BuildConfig()
	for _, err := range []error{resource, function, provider, config} {
		if err == nil || !strings.Contains(err.Error(), "it is torn") {
			t.Errorf("got %v", err)
		}
	}
	if _, err := pkg.ResourceByTerraform("shape_bare"); err != nil {
		t.Errorf("another type: %v", err)
	}
}

// TestRandom holds, for providers drawn at random, what every package must:
// names are unique and found again, nothing of the schema is missing, and the
// same provider gives the same package.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		draw := func() *mapping.Package {
			return newPackage(t, memschema.Random(seed), mapping.Options{Name: "thing", ProviderName: "thing"})
		}
		pkg := draw()
		once, err := dump(pkg)
		if err != nil {
			t.Fatal(seed, err)
		}
		again, err := dump(draw())
		if err != nil {
			t.Fatal(seed, err)
		}
		if diff := cmp.Diff(once, again); diff != "" {
			t.Fatalf("seed %d: not the same twice:\n%s", seed, diff)
		}
		checkTokens(t, pkg)
		checkObjects(t, pkg)
	}
}

// checkTokens holds that programs can tell all members apart.
func checkTokens(t *testing.T, pkg *mapping.Package) {
	t.Helper()
	seen := map[string]bool{"thing:index/provider:provider": true}
	for _, m := range append(slices.Clone(pkg.Resources()), pkg.Functions()...) {
		if folded := strings.ToLower(m.Token); seen[folded] {
			t.Errorf("two members are called %s", m.Token)
		} else {
			seen[folded] = true
		}
		if name := mapping.TokenName(m.Token); name == "pulumi" || name == "" || strings.ContainsAny(name[:1], "0123456789") {
			t.Errorf("%s is no token", m.Token)
		}
	}
}

func checkObjects(t *testing.T, pkg *mapping.Package) {
	t.Helper()
	for _, m := range pkg.Resources() {
		r, err := pkg.Resource(m.Token)
		if err != nil {
			t.Fatal(err)
		}
		checkObject(t, r.Object)
		for _, reserved := range []string{"urn", "pulumi"} {
			if r.Object.Property(reserved) != nil {
				t.Errorf("%s has a property %q", m.Token, reserved)
			}
		}
		if id := r.Object.Property("id"); id != nil && (id.Input() || id.Type.Kind != mapping.KindString || r.ID.Property != "id") {
			t.Errorf("%s has a property id that is not its ID", m.Token)
		}
	}
	for _, m := range pkg.Functions() {
		f, err := pkg.Function(m.Token)
		if err != nil {
			t.Fatal(err)
		}
		checkObject(t, f.Inputs)
		checkObject(t, f.Outputs)
	}
}

// checkObject holds that o and its type in Terraform say the same, and that
// both names of every property find it.
func checkObject(t *testing.T, o *mapping.Object) {
	t.Helper()
	if len(o.Properties) != len(o.Terraform.AttributeTypes()) || len(o.ByName()) != len(o.Properties) {
		t.Errorf("%d properties for %#v", len(o.Properties), o.Terraform)
	}
	if !slices.IsSortedFunc(o.ByName(), func(a, b *mapping.Property) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("ByName is not sorted")
	}
	for _, p := range o.Properties {
		if o.Property(p.Name) != p || o.FromTerraform(p.Terraform) != p {
			t.Errorf("%s, which is %s, is not found", p.Name, p.Terraform)
		}
		if !o.Terraform.HasAttribute(p.Terraform) || !p.Type.Terraform.Equals(o.Terraform.AttributeType(p.Terraform)) {
			t.Errorf("%s has type %#v in %#v", p.Terraform, p.Type.Terraform, o.Terraform)
		}
		checkType(t, p.Type)
	}
}

func checkType(t *testing.T, ty *mapping.Type) {
	t.Helper()
	switch ty.Kind {
	case mapping.KindObject:
		if ty.Object.TypeName == "" || !ty.Flat && !ty.Terraform.Equals(ty.Object.Terraform) {
			t.Errorf("an object %q of type %#v", ty.Object.TypeName, ty.Terraform)
		}
		checkObject(t, ty.Object)
	case mapping.KindArray, mapping.KindMap:
		if (ty.Elem == nil) != ty.Terraform.IsTupleType() {
			t.Errorf("elements of %#v", ty.Terraform)
		}
		for _, e := range append(slices.Clone(ty.Elems), ty.Elem) {
			if e != nil {
				checkType(t, e)
			}
		}
	}
}
