package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// account is a type with secrets in every kind of place.
func account() *tfschema.Block {
	key := func(nesting tfschema.Nesting) *tfschema.Object {
		return &tfschema.Object{Nesting: nesting, Attributes: []*tfschema.Attribute{
			{Name: "id", Type: cty.String, Optional: true},
			{Name: "value", Type: cty.String, Optional: true, Sensitive: true},
		}}
	}
	nested := func(name string, nesting tfschema.Nesting) *tfschema.Attribute {
		return &tfschema.Attribute{Name: name, Type: key(nesting).ImpliedType(), Nested: key(nesting), Optional: true}
	}
	return &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "document", Type: cty.String, Optional: true, Sensitive: true},
			nested("keys", tfschema.NestingList),
			nested("main", tfschema.NestingSingle),
			nested("named", tfschema.NestingMap),
			{Name: "pin", Type: cty.String, Required: true},
			nested("set", tfschema.NestingSet),
			{Name: "tokens", Type: cty.List(cty.String), Optional: true, Sensitive: true},
		},
		Blocks: []*tfschema.NestedBlock{{Name: "login", Nesting: tfschema.NestingList, Block: &tfschema.Block{
			Attributes: []*tfschema.Attribute{{Name: "password", Type: cty.String, Optional: true, Sensitive: true}},
		}}},
	}
}

func accountConfig() cty.Value {
	key := func(id, value string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id), "value": cty.StringVal(value)})
	}
	login := func(p string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"password": cty.StringVal(p)})
	}
	return cty.ObjectVal(map[string]cty.Value{
		"document": cty.StringVal(`{"k":"s3cret-document"}`),
		"keys":     cty.ListVal([]cty.Value{key("a", "s3cret-1"), key("b", "s3cret-2")}),
		"main":     key("m", "s3cret-main"),
		"named":    cty.MapVal(map[string]cty.Value{"x": key("n", "s3cret-named")}),
		"pin":      cty.StringVal("REPLACE_ME"),
		"set":      cty.SetVal([]cty.Value{key("s", "s3cret-set")}),
		"tokens":   cty.ListVal([]cty.Value{cty.StringVal("s3cret-t1"), cty.StringVal("s3cret-t2")}),
		"login":    cty.ListVal([]cty.Value{login("s3cret-l1"), login("s3cret-l2")}),
	})
}

func TestExtract(t *testing.T) {
	t.Parallel()
	body, diags := tfconfig.Lower(account(), accountConfig())
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	before := string(tfconfig.PrintBody(body))
	e := secret.NewExtractor()
	owner := secret.Owner{Address: "x_account.a", Prefix: "account_a"}
	out, variables, diags := e.Extract(owner, account(), body, map[string]bool{"pin": true})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	text := string(tfconfig.PrintBody(out))
	if strings.Contains(text, "s3cret") {
		t.Errorf("a secret stands in the source:\n%s", text)
	}
	if string(tfconfig.PrintBody(body)) != before {
		t.Error("the body given was changed")
	}
	var got []string
	for _, v := range variables {
		if v.StandIn != (v.Path == "pin") || v.Sensitive == (v.Path == "pin") {
			t.Errorf("%s: stand-in %t, sensitive %t", v.Path, v.StandIn, v.Sensitive)
		}
		if !strings.Contains(text, "var."+v.Name) {
			t.Errorf("var.%s is not referred to", v.Name)
		}
		got = append(got, v.Name+" = "+v.Path)
	}
	want := []string{
		"account_a_pin = pin", "account_a_document = document",
		"account_a_keys_1_value = keys[0].value", "account_a_keys_2_value = keys[1].value",
		"account_a_main_value = main.value", `account_a_named_x_value = named["x"].value`,
		"account_a_set_1_value = set[0].value", "account_a_tokens = tokens",
		"account_a_login_1_password = login[0].password", "account_a_login_2_password = login[1].password",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v := variables[1].Value; v.AsString() != `{"k":"s3cret-document"}` {
		t.Errorf("the document became %#v", v)
	}
}

// TestNamesAreUnique: two owners may want one name.
func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	e := secret.NewExtractor()
	seen := map[string]bool{}
	for range 3 {
		body, _ := tfconfig.Lower(account(), accountConfig())
		_, variables, _ := e.Extract(secret.Owner{Address: "x", Prefix: "same"}, account(), body, nil)
		for _, v := range variables {
			if seen[v.Name] {
				t.Errorf("%s comes twice", v.Name)
			}
			seen[v.Name] = true
		}
	}
}
