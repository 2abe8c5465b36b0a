package write

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// TestImportsByVariables writes what tells secrets through variables, and asks
// for a release that knows them.
func TestImportsByVariables(t *testing.T) {
	t.Parallel()
	to := func(name string) tfaddr.Resource {
		return tfaddr.Resource{Mode: tfaddr.Managed, Type: "x_key", Name: name}
	}
	byID := Import{To: to("a"), ID: "hush", Variables: map[string]string{ImportID: "key_a_import_id"}}
	byIdentity := Import{
		To: to("b"), Variables: map[string]string{"token": "key_b_import_token"},
		Identity: cty.ObjectVal(map[string]cty.Value{"none": cty.NullVal(cty.String), "region": cty.StringVal("eu"), "token": cty.StringVal("hush")}),
	}
	open := Import{To: to("c"), ID: "open", Variables: map[string]string{}}
	want := `import {
  to = x_key.a
  id = var.key_a_import_id
}

import {
  to = x_key.b
  identity = {
    region = "eu"
    token  = var.key_b_import_token
  }
}

import {
  to = x_key.c
  id = "open"
}
`
	if d := cmp.Diff(want, string(tfconfig.Print(imports([]Import{open, byIdentity, byID})))); d != "" {
		t.Error(d)
	}
	for release, list := range map[string][]Import{
		"": nil, ">= 1.5.0": {open}, ">= 1.6.0": {open, byID, open}, ">= 1.12.0": {byID, byIdentity},
	} {
		if got := toolVersion(list); got != release {
			t.Errorf("%v needs %q, want %q", list, got, release)
		}
	}
}
