package secret_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestGuard holds that what opens the provider is moved out of attributes that
// nobody calls sensitive, and that words are not.
func TestGuard(t *testing.T) {
	t.Parallel()
	const token = "11111111-2222-3333-4444-555555555555"
	block := &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "header", Type: cty.Map(cty.String), Optional: true},
		{Name: "owner", Type: cty.String, Optional: true},
		{Name: "port", Type: cty.Number, Optional: true},
		{Name: "token", Type: cty.String, Optional: true},
	}}
	body := &tfconfig.Body{Attributes: []tfconfig.Attribute{
		{Name: "header", Expr: tfconfig.Object{Items: []tfconfig.ObjectItem{{Key: "Authorization", Value: tfconfig.Text("Bearer " + token)}}}},
		{Name: "owner", Expr: tfconfig.Text("postgres")},
		{Name: "port", Expr: tfconfig.Number(80)},
		{Name: "token", Expr: tfconfig.Text(token)},
	}}
	e := secret.NewExtractor()
	e.Guard([]secret.Variable{
		{Value: cty.StringVal(token), Sensitive: true},
		{Value: cty.StringVal("postgres"), Sensitive: true},
		{Value: cty.StringVal("a value of no secrecy"), Sensitive: false},
	})
	_, variables, diags := e.Extract(secret.Owner{Address: "x_query.a", Prefix: "query_a"}, block, body, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var moved []string
	for _, v := range variables {
		moved = append(moved, v.Path)
		if v.Sensitive || v.StandIn || !v.Guarded {
			t.Errorf("%s: %+v, but the state has no mark and the value is no stand-in", v.Path, v)
		}
	}
	if diff := cmp.Diff([]string{"header", "token"}, moved); diff != "" {
		t.Error(diff)
	}
}
