package tfverify

import "testing"

func TestCalls(t *testing.T) {
	t.Parallel()
	const inner = "\n-- m/main.tf --\nvariable \"text\" {\n default = \"x\"\n}\nresource \"mem_thing\" \"a\" {\n name = var.text\n}"
	call := func(body string) string { return "module \"m\" {\n source = \"./m\"\n" + body + "\n}" + inner }
	for name, c := range map[string]struct{ files, want string }{
		"enabled":          {call("lifecycle {\n enabled = true\n}"), "no-op module.m.mem_thing.a; proven"},
		"disabled":         {call("lifecycle {\n enabled = false\n}"), "delete module.m.mem_thing.a"},
		"escaped argument": {call("_ {\n text = \"y\"\n}"), "update module.m.mem_thing.a"},
		"another block":    {call("dynamic \"x\" {}"), "no-op module.m.mem_thing.a; error TV0001"},
		"in JSON": {"-- c.tf.json --\n{\"module\": {\"m\": {\"source\": \"./m\", \"lifecycle\": {\"enabled\": true}}}}" + inner,
			"no-op module.m.mem_thing.a; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "module.m.mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
