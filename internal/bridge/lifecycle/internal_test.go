package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// FuzzPage checks that a token that can be read is one that we write.
func FuzzPage(f *testing.F) {
	f.Add(page{Listing: "x", Offset: 3}.token())
	f.Add("e30")
	f.Add("eyJvZmZzZXQiOi0xfQ")
	f.Fuzz(func(t *testing.T, token string) {
		p, ok := parsePage(token)
		if !ok {
			return
		}
		if again, ok := parsePage(p.token()); !ok || again != p {
			t.Errorf("%+v became %+v", p, again)
		}
	})
}

// FuzzImportID checks that an ID is taken for an identity of the right type
// or for an ID, and never both.
func FuzzImportID(f *testing.F) {
	f.Add("vpc-1")
	f.Add(`{"id": "x", "region": "y"}`)
	f.Add(`{"id": 1, "x": [{}]}`)
	identity := &tfschema.Identity{Attributes: []*tfschema.IdentityAttribute{
		{Name: "id", Type: cty.String, RequiredForImport: true}, {Name: "region", Type: cty.String},
		{Name: "zones", Type: cty.List(cty.Number)},
	}}
	s := subject{Resource: &mapping.Resource{Terraform: "t", Identity: identity}}
	f.Fuzz(func(t *testing.T, id string) {
		req, err := s.importRequest(id)
		if err != nil {
			return
		}
		named := req.Identity != cty.NilVal
		if named == (req.ID != "") && id != "" || named && !req.Identity.Type().Equals(identity.Type()) {
			t.Errorf("%q became %#v", id, req)
		}
	})
}

// FuzzConfig checks that configuration that is unfolded folds to what
// unfolds to the same.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"", `""`, "true", "[1,2]", `{"a":"b"}`, `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":[1]}`, `"04da6b54-80e4-46f7-96ec-b56ff0331ba9"`, "{"} {
		f.Add(text)
	}
	o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "any", Type: cty.DynamicPseudoType, Optional: true}, {Name: "map", Type: cty.Map(cty.String), Optional: true},
		{Name: "number", Type: cty.Number, Optional: true}, {Name: "text", Type: cty.String, Optional: true},
	}}, "")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range o.Properties {
			config := property.NewMap(map[string]property.Value{p.Name: property.New(text)})
			once, failures := unfold(o, config)
			if len(failures) > 0 {
				continue
			}
			folded, err := fold(o, once)
			if err != nil {
				continue // a string that is no UTF-8 has no form
			}
			twice, failures := unfold(o, folded)
			if len(failures) > 0 || !once.HasComputed() && !plainMap(once).Equals(plainMap(twice)) {
				t.Errorf("%s of %q: %#v became %#v (%v)", p.Name, text, once, twice, failures)
			}
		}
	})
}

func TestRefreshInputs(t *testing.T) {
	t.Parallel()
	type object = map[string]property.Value
	str := func(s string) property.Value { return property.New(s) }
	list := func(v ...property.Value) property.Value { return property.New(property.NewArray(v)) }
	rule := cty.Object(map[string]cty.Type{"port": cty.String})
	o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "arn", Type: cty.String, Computed: true},
		{Name: "items", Type: cty.List(cty.String), Optional: true},
		{Name: "name", Type: cty.String, Optional: true},
		{Name: "net", Type: cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String}), Optional: true, Nested: &tfschema.Object{
			Nesting:    tfschema.NestingSingle,
			Attributes: []*tfschema.Attribute{{Name: "a", Type: cty.String, Optional: true}, {Name: "b", Type: cty.String, Computed: true}},
		}},
		{Name: "rules", Type: cty.Set(rule), Optional: true},
		{Name: "tags", Type: cty.Map(cty.String), Optional: true},
	}}, "")
	for label, test := range map[string]struct{ inputs, before, now, want object }{
		"unchanged, written otherwise": {object{"name": str("A")}, object{"name": str("a")}, object{"name": str("a")}, object{"name": str("A")}},
		"changed":                      {object{"name": str("A")}, object{"name": str("a")}, object{"name": str("b")}, object{"name": str("b")}},
		"changed secret":               {object{"name": str("A").WithSecret(true)}, object{"name": str("a")}, object{"name": str("b")}, object{"name": str("b").WithSecret(true)}},
		"secret alone":                 {object{"name": str("a")}, object{"name": str("a").WithSecret(true)}, object{"name": str("a")}, object{"name": str("a")}},
		"gone":                         {object{"name": str("A")}, object{"name": str("a")}, object{}, object{}},
		"never there":                  {object{"name": str("A")}, object{}, object{}, object{"name": str("A")}},
		"not the program's":            {object{}, object{}, object{"name": str("x"), "arn": str("y")}, object{}},
		"notes":                        {object{"__defaults": list(), "odd": str("x")}, object{}, object{}, object{"odd": str("x")}},
		"list":                         {object{"items": list(str("A"), str("B"))}, object{"items": list(str("a"), str("b"))}, object{"items": list(str("a"), str("c"))}, object{"items": list(str("A"), str("c"))}},
		"longer list":                  {object{"items": list(str("A"))}, object{"items": list(str("a"))}, object{"items": list(str("a"), str("c"))}, object{"items": list(str("a"), str("c"))}},
		"map": {
			object{"tags": property.New(object{"k": str("A"), "l": str("B")})}, object{"tags": property.New(object{"k": str("a"), "l": str("b")})},
			object{"tags": property.New(object{"k": str("a"), "m": str("c")})}, object{"tags": property.New(object{"k": str("A"), "m": str("c")})},
		},
		"nested": {
			object{"net": property.New(object{"a": str("A")})}, object{"net": property.New(object{"a": str("a"), "b": str("1")})},
			object{"net": property.New(object{"a": str("x"), "b": str("2")})}, object{"net": property.New(object{"a": str("x")})},
		},
		"nested anew": {
			object{"net": property.New(property.Computed)}, object{}, object{"net": property.New(object{"a": str("x"), "b": str("2")})},
			object{"net": property.New(object{"a": str("x")})},
		},
	} {
		got := refreshInputs(o, property.NewMap(test.inputs), property.NewMap(test.before), property.NewMap(test.now))
		if want := property.NewMap(test.want); !got.Equals(want) {
			t.Errorf("%s (-want +got):\n%s", label, cmp.Diff(fmtMap(want), fmtMap(got)))
		}
	}
}

func fmtMap(m property.Map) string { return property.New(m).GoString() }

// TestArgumentPath leads from an argument's position to the property that it
// comes from.
func TestArgumentPath(t *testing.T) {
	t.Parallel()
	inputs := &mapping.Object{Properties: []*mapping.Property{{Terraform: "first"}, {Terraform: "rest"}}}
	signature := &tfschema.Function{Parameters: []*tfschema.Parameter{{}}}
	variadic := &tfschema.Function{Parameters: signature.Parameters, Variadic: &tfschema.Parameter{}}
	for name, test := range map[string]struct {
		signature *tfschema.Function
		path      cty.Path
		want      string
	}{
		"of the call":     {variadic, nil, ""},
		"one":             {variadic, cty.IndexIntPath(0), "first"},
		"inside of one":   {variadic, cty.IndexIntPath(0).GetAttr("a"), "first.a"},
		"variadic":        {variadic, cty.IndexIntPath(3), "rest[2]"},
		"beyond the last": {signature, cty.IndexIntPath(1), ""},
		"no position":     {variadic, cty.GetAttrPath("a"), ""},
	} {
		c := call{Function: &mapping.Function{Inputs: inputs, Signature: test.signature}}
		if got := ctyx.PathString(c.argumentPath(test.path)); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
