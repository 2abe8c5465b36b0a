package write_test

import (
	"bytes"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/write"
)

// TestGuarded holds that a value which only another's secret makes private
// stands in the file of secrets alone.
func TestGuarded(t *testing.T) {
	t.Parallel()
	tree, diags := write.Files(write.Module{Variables: []write.Variable{
		{Name: "query_token", Type: cty.String, Value: cty.StringVal("0123456789abcdef"), Guarded: true},
	}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	in := map[string]bool{}
	for _, f := range tree.Files() {
		if bytes.Contains(f.Data, []byte("0123456789abcdef")) {
			in[f.Path] = true
		}
	}
	if len(in) != 1 || !in[write.SecretsFile] {
		t.Errorf("the value is in %v", in)
	}
}
