package tfverify

import (
	"testing"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

func TestTofuFiles(t *testing.T) {
	t.Parallel()
	const entry = "terraform {\n required_providers {\n mem = { source = "
	for name, c := range map[string]struct{ files, host, want string }{
		"none":                   {"-- a.tf --\n", terraformHost, ""},
		"alone":                  {"-- a.tofu --\n", "", ""},
		"beside others":          {"-- a.tofu --\n-- a.tf --\n-- b.tf --\n", "", "warning"},
		"state of OpenTofu":      {"-- a.tofu --\n-- b.tf --\n", tfaddr.DefaultHost, ""},
		"state of Terraform":     {"-- a.tofu --\n" + entry + "\"test/mem\" }\n}\n}\n", terraformHost, "error"},
		"state of a module":      {"-- a.tf --\nmodule \"m\" { source = \"./m\" }\n-- m/a.tofu --\n" + entry + "\"test/mem\" }\n}\n}\n", terraformHost, "error"},
		"registry that is named": {"-- a.tofu --\n" + entry + "\"registry.terraform.io/test/mem\" }\n}\n}\n-- b.tf --\n", tfaddr.DefaultHost, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, c.files)
			tree, diags := tfconfig.LoadTree(s.dir, tfconfig.Options{DefaultHost: c.host})
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			state := &stateIndex{state: &tfstate.State{Resources: []tfstate.Resource{{Provider: tfaddr.Provider{Host: c.host}}}}}
			got := ""
			for _, d := range checkTofuFiles(tree, state) {
				got += d.Severity.String()
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
