package tfverify

import "testing"

// TestAccepted: providers are asked about blocks without instances, too.
func TestAccepted(t *testing.T) {
	t.Parallel()
	block := func(body string) string { return thingA + "resource \"mem_thing\" \"b\" {\n" + body + "\n}\n" }
	testRefusals(t, map[string]refusal{
		"no instances":           {block("count = 0\nname = \"refused\""), []string{"mem_thing.a"}, "no-op mem_thing.a; error X0003"},
		"accepted":               {block("count = 0\nname = \"x\""), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"what is not known":      {block("for_each = toset([])\nname = each.key"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"module without any":     {thingA + "module \"m\" {\n source = \"./m\"\n count = 0\n}\n-- m/main.tf --\nresource \"mem_thing\" \"b\" {\n name = \"refused\"\n}\n", []string{"mem_thing.a"}, "no-op mem_thing.a; error X0003"},
		"data without instances": {thingA + "data \"mem_thing\" \"b\" {\n count = 0\n name = \"x\"\n}\n", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
	})
}
