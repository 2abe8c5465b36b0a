package workflow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func cloud() *tfschema.Block {
	return &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "region", Type: cty.String, Required: true},
			{Name: "token", Type: cty.String, Optional: true, Sensitive: true},
		},
		Blocks: []*tfschema.NestedBlock{{Name: "retry", Nesting: tfschema.NestingList, Block: &tfschema.Block{
			Attributes: []*tfschema.Attribute{{Name: "max", Type: cty.Number, Optional: true}},
		}}},
	}
}

func TestLoadProviderConfig(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		name, text string
		region     string
		wrong      string // in the diagnostics
	}{
		"a block":            {"a.hcl", "provider \"cloud\" {\n  alias  = \"x\"\n  region = upper(\"eu\")\n  retry { max = 3 }\n}\n", "EU", ""},
		"what stands inside": {"a.hcl", "region = \"eu\"\n", "eu", ""},
		"json":               {"a.json", `{"provider": {"cloud": {"region": "eu"}}}`, "eu", ""},
		"another provider's": {"a.hcl", "provider \"other\" {\n  region = \"eu\"\n}\n", "", `has 0 blocks`},
		"two":                {"a.hcl", "provider \"cloud\" {}\nprovider \"cloud\" {}\n", "", `has 2 blocks`},
		"a missing argument": {"a.hcl", "token = \"t\"\n", "", "region"},
		"an unknown one":     {"a.hcl", "region = \"eu\"\nregoin = 1\n", "", "regoin"},
		"a variable":         {"a.hcl", "region = var.region\n", "", "a.hcl:1"},
		"no HCL":             {"a.hcl", "region = = 1", "", "a.hcl:1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), tt.name)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			config, diags := loadProviderConfig(path, "cloud", cloud())
			if tt.wrong != "" {
				if err := diags.Err(); err == nil || !strings.Contains(err.Error(), tt.wrong) {
					t.Errorf("got %v, want it to say %q", err, tt.wrong)
				}
				return
			}
			if diags.HasErrors() || !config.written || config.value.GetAttr("region").AsString() != tt.region {
				t.Errorf("got %#v, %v", config.value, diags.Err())
			}
		})
	}
}

func TestMissingProviderConfig(t *testing.T) {
	t.Parallel()
	_, diags := loadProviderConfig(filepath.Join(t.TempDir(), "none.hcl"), "cloud", cloud())
	if err := diags.Err(); err == nil || !strings.Contains(err.Error(), "none.hcl") {
		t.Errorf("got %v", err)
	}
}

func TestQueryProviderConfig(t *testing.T) {
	t.Parallel()
	query, diags := discover.ParseQuery("q.tfquery.hcl", []byte(`
variable "r" { default = "eu" }
provider "other" {}
provider "cloud" { region = var.r }
`), nil)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	config, diags := queryProviderConfig(query, "cloud", cloud())
	if diags.HasErrors() || config.value.GetAttr("region").AsString() != "eu" {
		t.Errorf("got %#v, %v", config.value, diags.Err())
	}
	if config, _ := queryProviderConfig(query, "third", cloud()); config.written {
		t.Error("another provider's configuration is taken")
	}
}
