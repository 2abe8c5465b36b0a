package tfverify

import (
	"strings"
	"testing"
)

// TestPending holds when data sources wait for an apply to what terraform and
// tofu do: mem_thing.a is updated, mem_thing.b is not.
func TestPending(t *testing.T) {
	t.Parallel()
	const (
		base   = "resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\n" + thingB
		inner  = "\n-- m/main.tf --\nvariable \"in\" {\n default = null\n}\n"
		now    = "update mem_thing.a; no-op mem_thing.b"
		onRead = "read data.mem_thing.d; update mem_thing.a; update mem_thing.b"
	)
	data := func(body string) string { return "data \"mem_thing\" \"d\" {\n" + body + "\n}\n" }
	const user = "resource \"mem_thing\" \"b\" {\n name = data.mem_thing.d.id == \"data\" ? \"x\" : \"\"\n}\n"
	for name, c := range map[string]struct{ files, want string }{
		"reference":                 {"resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\n" + user + data("name = mem_thing.a.name"), onRead},
		"count":                     {"resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\n" + thingB + data("count = length(mem_thing.a.name)\nname = \"z\""), "read data.mem_thing.d[0]; " + now},
		"reference through a local": {base + "locals {\n n = mem_thing.a.name\n}\n" + data("name = local.n"), now},
		"what is as it was":         {base + data("name = mem_thing.b.name"), now},
		"depends_on":                {base + data("depends_on = [mem_thing.a]"), "read data.mem_thing.d; " + now},
		"depends_on data":           {base + data("depends_on = [mem_thing.a]") + "data \"mem_thing\" \"e\" {\n depends_on = [data.mem_thing.d]\n}\n", "read data.mem_thing.d; " + now},
		"depends_on what depends":   {"resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\nresource \"mem_thing\" \"b\" {\n name = \"x\"\n depends_on = [mem_thing.a]\n}\n" + data("depends_on = [mem_thing.b]"), now},
		"depends_on a module":       {base + data("depends_on = [module.m]") + "module \"m\" {\n source = \"./m\"\n depends_on = [mem_thing.a]\n}\n" + inner, "read data.mem_thing.d; " + now},
		"depends_on what is passed": {base + data("depends_on = [module.m]") + "module \"m\" {\n source = \"./m\"\n in = mem_thing.a.id\n}\n" + inner, "read data.mem_thing.d; " + now},
		"in a module that depends":  {base + "module \"m\" {\n source = \"./m\"\n depends_on = [mem_thing.a]\n}\n" + inner + data(""), now + "; read module.m.data.mem_thing.d"},
		"condition":                 {base + "locals {\n n = mem_thing.a.name\n}\n" + data("lifecycle {\n postcondition {\n condition = local.n != self.id\n error_message = \"no\"\n }\n}"), "read data.mem_thing.d; " + now},
		"condition on another":      {base + data("lifecycle {\n postcondition {\n condition = mem_thing.b.id != self.id\n error_message = \"no\"\n }\n}"), now},
		"what is written is known":  {"resource \"mem_thing\" \"a\" {\n name = \"y\"\n}\nresource \"mem_thing\" \"b\" {\n name = data.mem_thing.d.name\n}\n" + data("name = \"x\"\ndepends_on = [mem_thing.a]"), "read data.mem_thing.d; " + now},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x", "mem_thing.b x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestPendingOfWhatIsLeft: an object that the state has and configuration has
// not is a change of the module that it is in, while that is called.
func TestPendingOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	const (
		thing = "resource \"mem_thing\" \"b\" { name = \"x\" }\noutput \"o\" { value = 1 }\n"
		late  = "read data.mem_thing.d; no-op mem_thing.b; "
	)
	data := func(body string) string { return "data \"mem_thing\" \"d\" {\n" + body + "\n}\n" }
	call := func(body, inner string) string {
		return thingB + "module \"m\" {\n source = \"./m\"\n" + body + "\n}\n-- m/main.tf --\n" + inner
	}
	for name, c := range map[string]struct{ files, objects, want string }{
		"an instance":              {data("depends_on = [module.m]") + call(`for_each = { k = 1 }`, thing), `module.m["k"].mem_thing.b module.m["l"].mem_thing.b`, late + `no-op module.m["k"].mem_thing.b; delete module.m["l"].mem_thing.b`},
		"the only instance":        {data("depends_on = [module.m]") + call(`for_each = {}`, thing), `module.m["k"].mem_thing.b`, late + `delete module.m["k"].mem_thing.b`},
		"a block":                  {data("depends_on = [module.m]") + call("", thing), "module.m.mem_thing.b module.m.mem_thing.c", late + "no-op module.m.mem_thing.b; delete module.m.mem_thing.c"},
		"reference alone":          {data("name = module.m[\"k\"].o") + call(`for_each = { k = 1 }`, thing), `module.m["k"].mem_thing.b module.m["l"].mem_thing.b`, `no-op mem_thing.b; no-op module.m["k"].mem_thing.b; delete module.m["l"].mem_thing.b`},
		"a call":                   {data("depends_on = [module.m]") + call("", thing), "module.m.mem_thing.b module.m.module.n.mem_thing.c", "no-op mem_thing.b; no-op module.m.mem_thing.b; delete module.m.module.n.mem_thing.c"},
		"an instance that is gone": {data("depends_on = [module.m]") + call(`for_each = {}`, thing), `module.m["k"].mem_thing.b gone`, "no-op mem_thing.b; proven"},
		"a block that is gone":     {data("depends_on = [module.m]") + call("", thing), "module.m.mem_thing.b module.m.mem_thing.c gone", "no-op mem_thing.b; no-op module.m.mem_thing.b; proven"},
		"another instance's data":  {call(`for_each = { k = 1 }`, thing+data("depends_on = [mem_thing.b]")), `module.m["k"].mem_thing.b module.m["l"].mem_thing.b`, `no-op mem_thing.b; no-op module.m["k"].mem_thing.b; delete module.m["l"].mem_thing.b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files).object(t, "mem_thing.b", "x")
			objects, gone := strings.CutSuffix(c.objects, " gone") // the last of them
			addresses := strings.Fields(objects)
			for n, address := range addresses {
				name := "x"
				if gone && n == len(addresses)-1 {
					name = "gone"
				}
				s.object(t, address, name)
			}
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestPendingOfGoneOrphans: an object of another count is no change where it
// exists no more. Its provider may wait for what waits for it: then it is one.
func TestPendingOfGoneOrphans(t *testing.T) {
	t.Parallel()
	const files = "resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\ndata \"mem_thing\" \"d\" {\n depends_on = [mem_thing.a]\n}\n"
	for name, c := range map[string]struct{ provider, alias, want string }{
		"its provider":           {"", "", "no-op mem_thing.a[0]; proven"},
		"with values":            {"provider \"mem\" {\n alias = \"w\"\n token = local.t\n}\nlocals {\n t = \"x\"\n}\n", ".w", "no-op mem_thing.a[0]; proven"},
		"that waits for the one": {"provider \"mem\" {\n alias = \"w\"\n token = local.t\n}\nlocals {\n t = data.mem_thing.d.id\n}\n", ".w", "read data.mem_thing.d; no-op mem_thing.a[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+files+c.provider).object(t, "mem_thing.a[0]", "x").object(t, "mem_thing.a[1]", "gone")
			s.objects[1]["provider"] = s.objects[1]["provider"].(string) + c.alias
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCyclesOfClients are circles that clients see, and one that they do not.
func TestCyclesOfClients(t *testing.T) {
	t.Parallel()
	inner := "\n-- m/main.tf --\nvariable \"in\" {}\noutput \"o\" {\n value = 1\n}\n"
	for name, c := range map[string]struct{ files, want string }{
		"depends_on itself":        {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n depends_on = [mem_thing.a]\n}", "no-op mem_thing.a; proven"},
		"module given to itself":   {thingA + "module \"m\" {\n source = \"./m\"\n in = module.m\n}" + inner, "error TV0003"},
		"output given to itself":   {thingA + "module \"m\" {\n source = \"./m\"\n in = module.m.o\n}" + inner, "no-op mem_thing.a; proven"},
		"what a module waits for":  {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n depends_on = [module.m]\n}\nmodule \"m\" {\n source = \"./m\"\n in = mem_thing.a.id\n}" + inner, "error TV0003"},
		"output beside what waits": {"resource \"mem_thing\" \"a\" {\n name = module.m.o == 1 ? \"x\" : \"\"\n}\nmodule \"m\" {\n source = \"./m\"\n in = mem_thing.a.id\n}" + inner, "no-op mem_thing.a; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
