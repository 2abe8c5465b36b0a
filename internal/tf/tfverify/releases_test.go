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
		"older than known":     {of("~> 0.13"), nil, "error TV0111"},
		"newer than known":     {of(">= 99"), nil, "error TV0111"},
		"no two together":      {of("< 1.5") + call + "-- m/main.tf --\n" + of(">= 1.6"), nil, "error TV0111"},
		"several together":     {of(">= 1.5") + call + "-- m/main.tf --\n" + of("< 1.6"), nil, "proven"},
		"overridden":           {of("< 1.0") + "-- override.tf --\n" + of(">= 1.0"), nil, "proven"},
		"a file of OpenTofu's": {"-- x.tofu --\n" + of("~> 1.9"), nil, "warning TV0120; proven"},
		"one it cannot read":   {"-- x.tofu --\n" + of("~> 1.15"), nil, "warning TV0120; error TV0111"},
		"on its own":           {of(">= 1.13") + own("~> 1.12.0"), nil, "proven"},
		"not yet on its own":   {of(">= 1.13") + own("~> 1.11.0"), nil, "error TV0111"},
	})
}
