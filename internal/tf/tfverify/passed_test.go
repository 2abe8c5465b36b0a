package tfverify

import "testing"

func TestPassedProviders(t *testing.T) {
	t.Parallel()
	const configured = "provider \"mem\" {\n alias = \"west\"\n token = \"t\"\n}\n"
	called := func(call, child, want string) refusal {
		return refusal{configured + "module \"m\" {\n source = \"./m\"\n" + call + "\n}\n-- m/main.tf --\n" + child, nil, want}
	}
	requires := func(entry string) string { return "terraform {\n required_providers {\n" + entry + "\n}\n}\n" }
	aliased := requires("mem = {\n source = \"test/mem\"\n configuration_aliases = [mem.inner]\n}")
	own := requires("mem = { source = \"test/mem\" }") + "provider \"mem\" { token = \"x\" }\n"
	testRefusals(t, map[string]refusal{
		"alias":                       called("providers = { mem.inner = mem.west }", aliased, "proven"),
		"alias as text":               called("providers = { \"mem.inner\" = \"mem.west\" }", aliased, "proven"),
		"alias that is not there":     called("", aliased, "error TV0112"),
		"alias that is announced":     called("", aliased+"provider \"mem\" { alias = \"inner\" }\n", "error TV0112"),
		"alias of its own":            called("", aliased+"provider \"mem\" {\n alias = \"inner\"\n token = \"x\"\n}\n", "proven"),
		"one of its own":              called("", own, "proven"),
		"one of its own, and ours":    called("providers = { mem = mem.west }", own, "error TV0113"),
		"one of its own, twice":       called("count = 2", own, "error TV0114"),
		"one of its own, later":       called("depends_on = [mem_thing.a]", own, "error TV0114; error TV0012"),
		"one below, twice":            called("for_each = {}", "module \"n\" { source = \"../n\" }\n-- n/main.tf --\n"+own, "error TV0114"),
		"announced, twice":            called("count = 1\n providers = { mem = mem.west }", requires("mem = { source = \"test/mem\" }")+"provider \"mem\" {}\n", "proven"),
		"one that is not there":       called("providers = { mem = mem.east }", requires("mem = { source = \"test/mem\" }"), "error TV0021"),
		"one that is not there, used": called("providers = { mem = mem.east }", requires("mem = { source = \"test/mem\" }")+thingA, "create module.m.mem_thing.a; error TV0021"),
		"another provider":            called("providers = { mem = mem.west }", requires("mem = { source = \"other/mem\" }"), "error TV0115"),
		"another name for it":         called("providers = { store = mem.west }", requires("store = { source = \"test/mem\" }"), "proven"),
		"passed by no name":           called("providers = { mem = nope }", "", "error TV0021"),
		"not installed":               called("count = 0\n providers = { gone = gone }\n}\nprovider \"gone\" {", requires("gone = { source = \"hashicorp/gone\" }"), "error TV0124"),
		"required by the root":        called("providers = { mem = mem }", requires("mem = { source = \"test/mem\" }"), "proven"),
		"not passed to its caller":    called("", requires("mem = { source = \"test/mem\" }")+"module \"n\" {\n source = \"../n\"\n providers = { mem = mem }\n}\n-- n/main.tf --\n"+requires("mem = { source = \"test/mem\" }"), "error TV0021"),
		"passed to its caller":        called("providers = { mem = mem.west }", requires("mem = { source = \"test/mem\" }")+"module \"n\" {\n source = \"../n\"\n providers = { mem = mem }\n}\n-- n/main.tf --\n"+requires("mem = { source = \"test/mem\" }"), "proven"),
	})
}
