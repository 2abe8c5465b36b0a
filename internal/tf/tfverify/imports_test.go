package tfverify

import "testing"

func TestImportTargets(t *testing.T) {
	t.Parallel()
	const each = "module \"m\" {\n source = \"./m\"\n for_each = toset([\"k\"])\n}\n-- m/main.tf --\n" + thingA
	block := func(body string) string { return "import {\n" + body + "\n}\n" }
	for name, c := range map[string]struct{ files, object, want string }{
		"key of a module":             {block("for_each = toset([\"k\"])\nto = module.m[each.key].mem_thing.a\nid = each.value") + each, `module.m["k"].mem_thing.a`, `no-op module.m["k"].mem_thing.a; proven`},
		"tuple":                       {block("for_each = [\"k\"]\nto = module.m[each.value].mem_thing.a\nid = \"i${each.key}\"") + each, `module.m["k"].mem_thing.a`, `no-op module.m["k"].mem_thing.a; proven`},
		"key that is not configured":  {block("for_each = [\"k\", \"l\"]\nto = module.m[each.value].mem_thing.a\nid = \"x\"") + each, `module.m["k"].mem_thing.a`, `no-op module.m["k"].mem_thing.a; error TV0033`},
		"whole module":                {block("to = module.m\nid = \"x\"") + each, `module.m["k"].mem_thing.a`, `no-op module.m["k"].mem_thing.a; error TV0032`},
		"empty id":                    {thingA + block("to = mem_thing.a\nid = \"\""), "mem_thing.a", "no-op mem_thing.a; error TV0066"},
		"id of its own":               {thingA + block("to = mem_thing.a\nid = mem_thing.a.id"), "mem_thing.a", "no-op mem_thing.a; error TV0066"},
		"no such identity":            {thingA + block("to = mem_thing.a\nidentity = { id = \"x\" }"), "mem_thing.a", "no-op mem_thing.a; error TV0101"},
		"provider":                    {thingA + "provider \"mem\" {\n alias = \"w\"\n}\n" + block("to = mem_thing.a\nid = \"x\"\nprovider = mem.w"), "mem_thing.a", "no-op mem_thing.a; error TV0100"},
		"provider of the resource":    {"resource \"mem_thing\" \"a\" {\n provider = mem.w\n name = \"x\"\n}\nprovider \"mem\" {\n alias = \"w\"\n}\n" + block("to = mem_thing.a\nid = \"x\"\nprovider = mem.w"), "mem_thing.a", "no-op mem_thing.a; proven"},
		"provider of a module":        {block("to = module.m[\"k\"].mem_thing.a\nid = \"x\"\nprovider = mem") + each, `module.m["k"].mem_thing.a`, `no-op module.m["k"].mem_thing.a; error TV0100`},
		"targets of what is imported": {block("for_each = module.m\nto = module.m[each.key].mem_thing.a\nid = \"x\"") + each, `module.m["k"].mem_thing.a`, "error TV0003"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, c.object+" x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
