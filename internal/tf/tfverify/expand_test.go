package tfverify

import "testing"

func TestExpansion(t *testing.T) {
	t.Parallel()
	thing := func(body string) string { return "resource \"mem_thing\" \"a\" {\n name = \"x\"\n" + body + "\n}\n" }
	for name, c := range map[string]struct{ files, want string }{
		"sensitive count":         {thing("count = sensitive(1)"), "no-op mem_thing.a[0]; proven"},
		"sensitive unknown count": {thing("count = sensitive(length(timestamp()) + parseint(timestamp(), 10))"), "unevaluated mem_thing.a TV0014; unevaluated mem_thing.a[0] TV0035"},
		"ephemeral count":         {thing("count = var.n") + "variable \"n\" {\n default = 1\n ephemeral = true\n}", "unevaluated mem_thing.a TV0014; unevaluated mem_thing.a[0] TV0035"},
		"sensitive enabled":       {thing("lifecycle {\n enabled = sensitive(true)\n}"), "unevaluated mem_thing.a TV0014"},
		"unknown enabled":         {thing("lifecycle {\n enabled = timestamp() == \"\"\n}"), "unevaluated mem_thing.a TV0014"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a[0] x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
