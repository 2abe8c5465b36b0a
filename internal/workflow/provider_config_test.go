package workflow

import (
	"os"
	"path/filepath"
	"strconv"
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
		"a variable":         {"a.hcl", "provider \"cloud\" {\n  region = \"eu-${var.region}\"\n}\n", "", "a.hcl:2,18-28: A reference"},
		"text unquoted":      {"a.hcl", "region = eu\n", "", "a.hcl:1,10-12: A reference"},
		"dynamic blocks":     {"a.hcl", "region = \"eu\"\ndynamic \"retry\" {\n  for_each = [1]\n  content {\n    max = retry.value\n  }\n}\n", "eu", ""},
		"no HCL":             {"a.hcl", "region = = 1", "", "a.hcl:1"},
		"no JSON":            {"a.json", `{"region": }`, "", "a.json:1"},
		"nothing at all":     {"a.hcl", "", "", "region"},
		"nested too deep":    {"a.hcl", "region = " + strings.Repeat("(", 1<<20), "", "Nested too deep"},
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

// FuzzProviderConfig holds that whatever a file says, it gives a value of the
// provider's type or errors that have a code, and that what stands in quotes,
// which may be secret, is never told.
func FuzzProviderConfig(f *testing.F) {
	f.Add("provider \"cloud\" {\n  alias  = \"x\"\n  region = upper(\"eu\")\n  retry { max = 3 }\n}\n", "hunter2-hunter2", false)
	f.Add("region = \"eu\"\ndynamic \"retry\" {\n  for_each = [1]\n  content {\n    max = retry.value\n  }\n}", "a-long-secret", false)
	f.Add(`"provider": {"cloud": {"region": "${lower("EU")}", "retry": [{"max": "x"}]}}`, "a-long-secret", true)
	f.Add(`"region": ["eu"]`, "a-long-secret", true)
	f.Add("region = \"${nope}\"\ntoken = 1 +", "a-long-secret", false)
	f.Fuzz(func(t *testing.T, text, secret string, isJSON bool) {
		name, src := "fuzz.hcl", "token = "+strconv.Quote(secret)+"\n"+text
		if isJSON {
			name, src = "fuzz.json", `{"token": `+strconv.Quote(secret)+", "+text+"}"
		}
		config, diags := parseProviderConfig(name, []byte(src), "cloud", cloud())
		if !diags.HasErrors() && (!config.written || config.value.Type().TestConformance(cloud().ImpliedType()) != nil || config.value.ContainsMarked()) {
			t.Errorf("%q gives %#v", src, config.value)
		}
		for _, d := range diags {
			if d.Code == "" || d.Summary == "" {
				t.Errorf("without a code or a summary: %+v", d)
			}
			if told := d.Summary + d.Detail; len(secret) > 8 && !strings.Contains(text, secret) && strings.Contains(told, secret) {
				t.Errorf("%q: the diagnostic tells the secret: %s", src, told)
			}
		}
	})
}
