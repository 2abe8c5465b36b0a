package tfhost_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestBrief asks a provider twice whether the same configuration is valid. Its
// own log says how often it heard of that.
func TestBrief(t *testing.T) {
	t.Parallel()
	for brief, want := range map[bool]int{true: 1, false: 2} {
		log, err := os.Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		host, diags := tfhost.New(tfhost.Environment{
			Vars:        append(os.Environ(), "TF_CLI_CONFIG_FILE=", "TOFU_CLI_CONFIG_FILE=", "WIDE_TYPES=1", "TF_LOG=trace"),
			CacheDir:    t.TempDir(),
			ProviderLog: log,
			Brief:       brief,
		})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		opened, diags := host.Open(t.Context(), tfregistry.Request{LocalPath: build.Binary(t, "terraform-provider-wide")})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for range 2 {
			ask(t, opened)
		}
		host.Close()
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		if got := len(received.FindAll(text, -1)); got != want {
			t.Errorf("brief %v: asked %d times, not %d", brief, got, want)
		}
	}
}

// received is what a provider logs of a request.
var received = regexp.MustCompile(`Received request.*ValidateResourceConfig|ValidateResourceConfig.*Received request`)

func ask(t *testing.T, p tfhost.Opened) {
	t.Helper()
	catalog, diags := p.Schema(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	name := catalog.Names(tfschema.KindResource)[0]
	schema, err := catalog.Schema(tfschema.KindResource, name)
	if err != nil {
		t.Fatal(err)
	}
	config := schema.Block.EmptyValue().AsValueMap()
	config["name"] = cty.StringVal("a")
	if diags := p.ValidateResourceConfig(t.Context(), name, cty.ObjectVal(config)); len(diags) > 0 {
		t.Fatal(diags)
	}
}
