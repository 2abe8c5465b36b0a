package tfverify

import "testing"

func TestChecks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ files, want string }{
		"check":                             {"check \"c\" {\n data \"mem_thing\" \"d\" {\nname = \"x\"\n }\n assert {\n  condition = data.mem_thing.d.id == \"data\"\n  error_message = \"no\"\n }\n}", "read data.mem_thing.d"},
		"check that fails":                  {"locals {\n l = 1\n}\ncheck \"c\" {\n assert {\n  condition = local.l == 2\n  error_message = \"no\"\n }\n}", "warning TV0040; proven"},
		"check of nothing":                  {"check \"c\" {\n assert {\n  condition = var.nope\n  error_message = \"no\"\n }\n}", "error TV0012"},
		"check that is no condition":        {"check \"c\" {\n assert {\n  condition = []\n  error_message = \"no\"\n }\n}", "error TL0005"},
		"check of what cannot be read":      {"check \"c\" {\n data \"mem_thing\" \"d\" {\nname = \"gone\"\n }\n assert {\n  condition = data.mem_thing.d.id == \"data\"\n  error_message = \"no\"\n }\n}", "read data.mem_thing.d"},
		"check of what is read later":       {"check \"c\" {\n data \"mem_thing\" \"d\" {\ndepends_on = [mem_thing.a]\n }\n assert {\n  condition = data.mem_thing.d.id == \"data\"\n  error_message = \"no\"\n }\n}\nresource \"mem_thing\" \"a\" {}", "read data.mem_thing.d; create mem_thing.a"},
		"check with an unknown argument":    {"check \"c\" {\n data \"mem_thing\" \"d\" {\nnope = 1\n }\n assert {\n  condition = data.mem_thing.d.id == \"data\"\n  error_message = \"no\"\n }\n}", "failed data.mem_thing.d TL0001"},
		"check of what cannot be evaluated": {"check \"c\" {\n data \"mem_thing\" \"d\" {\nname = ephemeral.mem_thing.e.id\n }\n assert {\n  condition = data.mem_thing.d.id == \"data\"\n  error_message = \"no\"\n }\n}\nephemeral \"mem_thing\" \"e\" {}", "unevaluated data.mem_thing.d TV0016; error TV0016"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
