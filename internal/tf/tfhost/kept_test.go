package tfhost_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestKept runs one binary in two environments, in which it has two schemas,
// there and back again.
func TestKept(t *testing.T) {
	t.Parallel()
	cache, path := t.TempDir(), build.Binary(t, "terraform-provider-broken")
	hash, err := wholefile.SHA256(path)
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(cache, "schemas", hash)
	// sensitive says what a schema has of names, and confirmed whether it is the
	// process's own.
	run := func(how tfprovider.KeptSchema, schema string) (sensitive, confirmed bool) {
		t.Helper()
		host, diags := tfhost.New(tfhost.Environment{
			Vars:     append(os.Environ(), "TF_CLI_CONFIG_FILE=", "TOFU_CLI_CONFIG_FILE=", "BROKEN_SCHEMA="+schema),
			CacheDir: cache, Kept: how,
		})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		defer host.Close()
		opened, diags := host.Open(t.Context(), tfregistry.Request{LocalPath: path})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		catalog, diags := opened.Schema(t.Context())
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		thing, err := catalog.Schema(tfschema.KindResource, "broken_thing")
		if err != nil {
			t.Fatal(err)
		}
		doubts := host.Confirm(t.Context())
		if doubts.HasErrors() && doubts[0].Code != tfprovider.CodeSchemaChanged {
			t.Error(doubts)
		}
		return thing.Block.Attribute("name").Sensitive, !doubts.HasErrors()
	}
	modified := func() os.FileInfo {
		t.Helper()
		info, err := os.Stat(kept)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for n, step := range []struct {
		how                  tfprovider.KeptSchema
		schema               string
		sensitive, confirmed bool
		replaced             bool
	}{
		{how: tfprovider.KeptConfirmed, confirmed: true, replaced: true},
		{how: tfprovider.KeptConfirmed, confirmed: true},
		{how: tfprovider.KeptIgnored, confirmed: true},
		{how: tfprovider.KeptConfirmed, schema: "sensitive"},
		{how: tfprovider.KeptTrusted, schema: "sensitive", confirmed: true},
		{how: tfprovider.KeptIgnored, schema: "sensitive", sensitive: true, confirmed: true, replaced: true},
		{how: tfprovider.KeptConfirmed, schema: "sensitive", sensitive: true, confirmed: true},
		{how: tfprovider.KeptConfirmed, sensitive: true},
		{how: tfprovider.KeptIgnored, confirmed: true, replaced: true},
		{how: tfprovider.KeptHere, confirmed: true},
		{how: tfprovider.KeptHere, schema: "sensitive", sensitive: true, confirmed: true, replaced: true},
		{how: tfprovider.KeptHere, schema: "sensitive", sensitive: true, confirmed: true},
		{how: tfprovider.KeptHere, confirmed: true, replaced: true},
		{how: tfprovider.KeptHere, schema: "unheard of", confirmed: true, replaced: true},
	} {
		var before os.FileInfo
		if n > 0 {
			before = modified()
		}
		sensitive, confirmed := run(step.how, step.schema)
		if sensitive != step.sensitive || confirmed != step.confirmed {
			t.Errorf("step %d: sensitive %v, confirmed %v", n, sensitive, confirmed)
		}
		if replaced := !os.SameFile(before, modified()); replaced != step.replaced {
			t.Errorf("step %d: replaced %v", n, replaced)
		}
	}
}
