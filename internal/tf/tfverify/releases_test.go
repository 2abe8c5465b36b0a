package tfverify

import "testing"

func TestKnownReleases(t *testing.T) {
	t.Parallel()
	of := func(constraint string) string {
		return "terraform {\n required_version = \"" + constraint + "\"\n}\n"
	}
	own := func(constraint string) string {
		return "language {\n compatible_with {\n opentofu = \"" + constraint + "\"\n}\n}\n"
	}
	call := "module \"m\" { source = \"./m\" }\n"
	testRefusals(t, map[string]refusal{
		"any":                  {of(">= 1.3.0, < 2.0.0"), nil, "proven"},
		"one patch":            {of("1.5.7"), nil, "proven"},
		"newest":               {of("~> 1.16"), nil, "proven"},
		"older than known":     {of("~> 0.13"), nil, "warning TV0125; proven"},
		"newer than known":     {of(">= 99"), nil, "warning TV0125; proven"},
		"no two together":      {of("< 1.5") + call + "-- m/main.tf --\n" + of(">= 1.6"), nil, "warning TV0125; proven"},
		"a state of OpenTofu":  {thingA + of("~> 0.13"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"several together":     {of(">= 1.5") + call + "-- m/main.tf --\n" + of("< 1.6"), nil, "proven"},
		"overridden":           {of("< 1.0") + "-- override.tf --\n" + of(">= 1.0"), nil, "proven"},
		"a file of OpenTofu's": {"-- x.tofu --\n" + of("~> 1.9"), nil, "warning TV0120; proven"},
		"one it cannot read":   {"-- x.tofu --\n" + of("~> 1.15"), nil, "warning TV0120; error TV0111"},
		"on its own":           {of(">= 1.13") + own("~> 1.12.0"), nil, "proven"},
		"not yet on its own":   {of(">= 1.13") + own("~> 1.11.0"), nil, "error TV0111"},
	})
}

// TestReleasesOfTerraform: where Terraform made the state, it is no proof that
// OpenTofu takes the module.
func TestReleasesOfTerraform(t *testing.T) {
	t.Parallel()
	for constraint, want := range map[string]string{
		"~> 0.13": "no-op mem_thing.a; error TV0111", "~> 1.16": "no-op mem_thing.a; proven",
	} {
		s := newSetting(t, header+"-- main.tf --\n"+thingA+"terraform {\n required_version = \""+constraint+"\"\n}\n").object(t, "mem_thing.a", "x")
		s.objects[0]["provider"] = `provider["registry.terraform.io/test/mem"]`
		if got := outcome(s.verify(t, nil)); got != want {
			t.Errorf("%s: got %s, want %s", constraint, got, want)
		}
	}
}
