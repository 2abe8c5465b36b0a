package golang

import (
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{pascal("instanceType"), "InstanceType"},
		{pascal("a.b-c"), "ABC"},
		{pascal("$ref"), "Ref"},
		{pascal("2fa"), "X2fa"},
		{pascal("_private"), "Private"},
		{pascal(""), "X"},
		{camel("Select"), "select_"},
		{camel("PetPtrType"), "petPtrType"},
		{fieldName("elementType"), "ElementType_"},
		{enumValueName("Color", "red"), "ColorRed"},
		{enumValueName("Color", "blue-green"), "Color_Blue_Green"},
		{goPackageName("Odd-Words_x"), "oddwordsx"},
		{goPackageName("type"), "type_"},
		{goPackageName("2"), "x2"},
		{fileName("PulumiTypes"), "pulumiTypes_.go"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// TestNaming tells apart what would have one name.
func TestNaming(t *testing.T) {
	t.Parallel()
	pkg, diags := schematest.Bind(t.Context(), []byte(`{
		"name": "p",
		"resources": {"p:index:A": {}, "p:index:AState": {}, "p:index:GetA": {}, "p:m:A": {}, "p:index:ProviderArgs": {}},
		"functions": {
			"p:index:getB": {"outputs": {"properties": {}}},
			"p:index:getC": {"outputs": {"$ref": "#/types/p:index:GetCResult"}},
			"p:index:getD": {"inputs": {"properties": {"x": {"type": "string"}}}}
		},
		"types": {
			"p:index:A": {"type": "object"}, "p:index:B": {"type": "object"}, "p:m:A": {"type": "string", "enum": [{"value": "x"}]},
			"p:index:GetBResult": {"type": "object"}, "p:index:GetCResult": {"type": "object"}, "p:index:GetCArgs": {"type": "object"}, "p:index:GetDArgs": {"type": "object"}
		}
	}`), pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	s := newSDK(pkg, info{})
	for token, want := range map[string]string{
		"p:index:A": "A AType", "p:index:AState": "AStateResource AState", "p:index:GetA": "GetAResource GetA", "p:m:A": "A AEnum",
		"p:index:ProviderArgs": "ProviderArgsResource ProviderArgs", "pulumi:providers:p": "Provider P",
		"p:index:B": "B B", "p:index:GetBResult": "GetBResult GetBResultType", "p:index:GetCResult": "GetCResult GetCResult",
		"p:index:GetCArgs": "GetCArgs GetCArgs", "p:index:GetDArgs": "GetDArgs GetDArgsType",
	} {
		if got := s.resourceName(token) + " " + s.typeName(token); got != want {
			t.Errorf("%s is called %s, want %s", token, got, want)
		}
	}
}
