package tfverify

import "testing"

// TestDynamicBlocks holds which names they bind, and where.
func TestDynamicBlocks(t *testing.T) {
	t.Parallel()
	thing := func(body string) string { return "resource \"mem_thing\" \"a\" {\n" + body + "\n}\n" }
	json := func(body string) string {
		return "-- a.tf.json --\n{\"resource\": {\"mem_thing\": {\"a\": {\"name\": \"x\", " + body + "}}}}"
	}
	for name, c := range map[string]struct{ files, want string }{
		"in JSON":          {json(`"dynamic": {"rule": {"for_each": [], "content": {"port": "${rule.value}"}}}`), "no-op mem_thing.a; proven"},
		"in JSON, some":    {json(`"dynamic": {"rule": {"for_each": [1], "content": {"port": "${rule.value}"}}}`), "update mem_thing.a"},
		"JSON that errs":   {json(`"dynamic": {"rule": {"for_each": [1], "content": {"port": "${rul.value}"}}}`), "failed mem_thing.a TV0012"},
		"JSON's iterator":  {json(`"dynamic": {"rule": {"for_each": [1], "iterator": "it", "content": {"port": "${it.value}"}}}`), "update mem_thing.a"},
		"a hidden root":    {thing("name = path.module == \".\" ? \"x\" : \"y\"\n dynamic \"rule\" {\n for_each = []\n iterator = path\n content {\n port = path.value\n}\n}"), "no-op mem_thing.a; proven"},
		"outside of it":    {thing("name = rule.value\n dynamic \"rule\" {\n for_each = []\n content {\n port = rule.value\n}\n}"), "failed mem_thing.a TV0012"},
		"a hidden cycle":   {thing("name = mem_thing.b.id\n dynamic \"rule\" {\n for_each = []\n iterator = mem_thing\n content {\n port = 1\n}\n}") + "resource \"mem_thing\" \"b\" {\n name = mem_thing.a.id\n}", "error TV0003"},
		"in an override":   {thing("name = \"x\"") + "-- override.tf --\n" + thing("dynamic \"rule\" {\n for_each = []\n content {\n port = rule.value\n}\n}"), "no-op mem_thing.a; proven"},
		"nested iterators": {thing("name = \"x\"\n dynamic \"things\" {\n for_each = [[\"x\"]]\n content {\n a = things.value[0]\n}\n}"), "update mem_thing.a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAttributeBlocks holds when an attribute that is written as blocks is one,
// is blocks, or is not set: hints keeps its prior value then.
func TestAttributeBlocks(t *testing.T) {
	t.Parallel()
	thing := func(body string) string { return "resource \"mem_thing\" \"a\" {\n name = \"x\"\n" + body + "\n}\n" }
	const none = "dynamic \"hints\" {\n for_each = []\n content {\n a = \"x\"\n}\n}"
	const one = "hints {\n a = \"x\"\n}"
	const empty = "hints = []"
	override := func(base, over string) string {
		return thing(base) + "-- override.tf --\nresource \"mem_thing\" \"a\" {\n" + over + "\n}"
	}
	for name, c := range map[string]struct{ files, want string }{
		"not set":             {thing(""), "no-op mem_thing.a; proven"},
		"one":                 {thing(one), "no-op mem_thing.a; proven"},
		"empty":               {thing(empty), "update mem_thing.a"},
		"dynamic, none":       {thing(none), "no-op mem_thing.a; proven"},
		"dynamic in JSON":     {"-- a.tf.json --\n{\"resource\": {\"mem_thing\": {\"a\": {\"name\": \"x\", \"dynamic\": {\"hints\": {\"for_each\": [], \"content\": {\"a\": \"x\"}}}}}}}", "no-op mem_thing.a; proven"},
		"empty, then blocks":  {override(empty, one), "update mem_thing.a"},
		"blocks, then empty":  {override(one, empty), "update mem_thing.a"},
		"blocks, then none":   {override(one, none), "no-op mem_thing.a; proven"},
		"blocks, then others": {override("hints {\n a = \"y\"\n}", one), "no-op mem_thing.a; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
