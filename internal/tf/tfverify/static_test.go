package tfverify

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// refusal is configuration over a state that it matches in everything that is
// evaluated, and what is said of it.
type refusal struct {
	files   string
	objects []string // address name
	want    string
}

func testRefusals(t *testing.T, cases map[string]refusal) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files+"\n")
			for _, address := range c.objects {
				s.object(t, address, "x")
			}
			report, diags := s.verify(t, nil)
			if diff := cmp.Diff(c.want, outcome(report, diags)); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, diags.Err())
			}
		})
	}
}

const (
	thingA = "resource \"mem_thing\" \"a\" { name = \"x\" }\n"
	thingB = "resource \"mem_thing\" \"b\" { name = \"x\" }\n"
)

func TestRefusedMoves(t *testing.T) {
	t.Parallel()
	moved := func(from, to string) string { return "moved {\n from = " + from + "\n to = " + to + "\n}\n" }
	removed := func(from string) string { return "removed {\n from = " + from + "\n}\n" }
	child := "module \"m\" { source = \"./m\" }\n"
	inChild := "-- m/main.tf --\n" + thingA
	testRefusals(t, map[string]refusal{
		"to itself":        {thingA + moved("mem_thing.a", "mem_thing.a"), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0060"},
		"still configured": {thingA + thingB + moved("mem_thing.a", "mem_thing.b"), []string{"mem_thing.a", "mem_thing.b"}, "no-op mem_thing.a; no-op mem_thing.b; error TV0061"},
		"one instance still configured": {"resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\n" + thingB + moved("mem_thing.a[0]", "mem_thing.b"),
			[]string{"mem_thing.a[0]", "mem_thing.b"}, "no-op mem_thing.a[0]; no-op mem_thing.b; error TV0061"},
		"an instance that is not configured": {"resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\n" + moved("mem_thing.a[1]", "mem_thing.c"),
			[]string{"mem_thing.a[0]"}, "no-op mem_thing.a[0]; proven"},
		"count added":              {"resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\n" + moved("mem_thing.a", "mem_thing.a[0]"), []string{"mem_thing.a[0]"}, "no-op mem_thing.a[0]; proven"},
		"module still configured":  {child + moved("module.m", "module.n") + inChild, []string{"module.m.mem_thing.a"}, "create module.m.mem_thing.a; delete module.n.mem_thing.a; error TV0061"},
		"in a module":              {child + inChild + moved("mem_thing.a", "mem_thing.b"), nil, "create module.m.mem_thing.a; error TV0061"},
		"two sources":              {thingA + moved("mem_thing.c", "mem_thing.a") + moved("mem_thing.d", "mem_thing.a"), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0062"},
		"two targets":              {thingA + moved("mem_thing.c", "mem_thing.a") + moved("mem_thing.c", "mem_thing.d"), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0062"},
		"twice the same":           {thingA + moved("mem_thing.c", "mem_thing.a") + moved("mem_thing.c", "mem_thing.a"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"cycle":                    {thingA + moved("mem_thing.c", "mem_thing.d") + moved("mem_thing.d", "mem_thing.c"), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0063"},
		"chain":                    {thingA + moved("mem_thing.c", "mem_thing.d") + moved("mem_thing.d", "mem_thing.a"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"removed and configured":   {thingA + removed("mem_thing.a"), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0064"},
		"removed module":           {child + removed("module.m") + inChild, []string{"module.m.mem_thing.a"}, "no-op module.m.mem_thing.a; error TV0064"},
		"removed within a module":  {child + removed("module.m.mem_thing.a") + inChild, []string{"module.m.mem_thing.a"}, "no-op module.m.mem_thing.a; error TV0064"},
		"removed, not configured":  {thingA + removed("mem_thing.b"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"removed out of no module": {thingA + removed("module.m.mem_thing.b"), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
	})
}

func TestRefusedImports(t *testing.T) {
	t.Parallel()
	imported := func(id string) string { return "import {\n to = mem_thing.a\n " + id + "\n}\n" }
	refused := func(files string) refusal {
		return refusal{thingA + files, []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0066"}
	}
	testRefusals(t, map[string]refusal{
		"done":       {thingA + imported(`id = "x"`), []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"null":       refused(imported(`id = null`)),
		"sensitive":  refused(imported(`id = sensitive("x")`)),
		"identity":   refused(imported(`identity = null`)),
		"unknown":    {thingA + thingB + imported(`id = mem_thing.b.id`), []string{"mem_thing.a"}, "no-op mem_thing.a; create mem_thing.b; error TV0066"},
		"undeclared": {thingA + imported(`id = var.nope`), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0012"},
		"twice":      {thingA + imported(`id = "x"`) + imported(`id = "y"`), []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0065"},
		"in a module": {"module \"m\" { source = \"./m\" }\n-- m/main.tf --\n" + thingA + imported(`id = "x"`), []string{"module.m.mem_thing.a"},
			"no-op module.m.mem_thing.a; error TV0067"},
	})
}

func TestRefusedEphemeralValues(t *testing.T) {
	t.Parallel()
	ephemeral := "variable \"e\" {\n default = \"x\"\n ephemeral = true\n}\n"
	call := "module \"m\" {\n source = \"./m\"\n in = var.e\n}\n"
	testRefusals(t, map[string]refusal{
		"argument":             {ephemeral + `resource "mem_thing" "a" { name = var.e }`, []string{"mem_thing.a"}, "failed mem_thing.a TV0068"},
		"nested":               {ephemeral + "resource \"mem_thing\" \"a\" {\n name = \"x\"\n rule {\n port = length(var.e)\n}\n}", []string{"mem_thing.a"}, "failed mem_thing.a TV0068"},
		"data":                 {ephemeral + `data "mem_thing" "d" { name = var.e }`, nil, "failed data.mem_thing.d TV0068"},
		"write-only":           {ephemeral + "resource \"mem_thing\" \"a\" {\n name = \"x\"\n sent = var.e\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"provider":             {ephemeral + thingA + `provider "mem" { token = var.e }`, []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"output":               {ephemeral + `output "o" { value = var.e }`, nil, "failed output.o"},
		"through a local":      {ephemeral + "locals { l = \"${var.e}\" }\noutput \"o\" { value = local.l }", nil, "failed output.o"},
		"ephemeral output":     {"output \"o\" {\n value = 1\n ephemeral = true\n}", nil, "failed output.o"},
		"as null":              {ephemeral + `output "o" { value = ephemeralasnull(var.e) }`, nil, "no-op output.o; proven"},
		"variable of a module": {ephemeral + call + "-- m/main.tf --\nvariable \"in\" {}\n", nil, "error TV0069"},
		"output of a module":   {ephemeral + call + "-- m/main.tf --\nvariable \"in\" { ephemeral = true }\noutput \"o\" { value = var.in }\n", nil, "error TV0070"},
		"ephemeral output of a module": {ephemeral + call + "output \"o\" { value = module.m.o }\n-- m/main.tf --\nvariable \"in\" { ephemeral = true }\noutput \"o\" {\n value = \"y\"\n ephemeral = true\n}\n", nil,
			"failed output.o"},
	})
}

func TestRefusedReferences(t *testing.T) {
	t.Parallel()
	inA := func(text string) refusal {
		return refusal{"resource \"mem_thing\" \"a\" {\n name = \"x\"\n" + text + "\n}\n", []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0012"}
	}
	beside := func(text, code string) refusal {
		return refusal{thingA + text, []string{"mem_thing.a"}, "no-op mem_thing.a; error " + code}
	}
	testRefusals(t, map[string]refusal{
		"depends_on":                   inA("depends_on = [mem_thing.nope]"),
		"provisioner":                  inA("provisioner \"local-exec\" {\n command = local.nope\n}"),
		"destroying provisioner":       {"locals { l = 1 }\nresource \"mem_thing\" \"a\" {\n name = \"x\"\n provisioner \"local-exec\" {\n when = destroy\n command = \"${self.id}${local.l}\"\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0080"},
		"constant condition":           {"output \"o\" {\n value = null\n precondition {\n condition = true\n error_message = \"m\"\n}\n}", nil, "no-op output.o; error TV0082"},
		"reserved block":               {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n locals {}\n}", []string{"mem_thing.a"}, "error TC0121"},
		"cycle through a provisioner":  {"resource \"mem_thing\" \"a\" {\n provisioner \"local-exec\" {\n command = mem_thing.b.id\n}\n}\nresource \"mem_thing\" \"b\" { name = mem_thing.a.id }", nil, "error TV0003"},
		"cycle through a validation":   {"variable \"v\" {\n default = 1\n validation {\n condition = var.v == local.l\n error_message = \"m\"\n}\n}\nlocals { l = var.v }", nil, "error TV0003"},
		"validation of its own":        {"variable \"v\" {\n default = 1\n validation {\n condition = var.v == 1\n error_message = \"got ${var.v}\"\n}\n}", nil, "proven"},
		"validation of another":        {"variable \"w\" { default = 1 }\nvariable \"v\" {\n default = 1\n validation {\n condition = var.w == 1\n error_message = \"m\"\n}\n}", nil, "error TV0079"},
		"message that is no text":      {"variable \"v\" {\n default = [1]\n validation {\n condition = var.v != null\n error_message = var.v\n}\n}", nil, "error TL0005"},
		"message that is null":         {"variable \"v\" {\n default = 1\n validation {\n condition = var.v == 1\n error_message = null\n}\n}", nil, "error TV0078"},
		"self in one":                  {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n provisioner \"local-exec\" {\n command = self.id\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"connection":                   inA("connection {\n host = var.nope\n}"),
		"message":                      {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n precondition {\n condition = path.module != \"\"\n error_message = var.nope\n}\n}\n}", []string{"mem_thing.a"}, "failed mem_thing.a TV0012"},
		"self in one before":           {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n precondition {\n condition = path.module != \"\"\n error_message = self.id\n}\n}\n}", []string{"mem_thing.a"}, "failed mem_thing.a TV0012"},
		"self in one after":            {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n postcondition {\n condition = path.module != \"\"\n error_message = self.id\n}\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"prevent_destroy":              {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n prevent_destroy = \"yes\"\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; error TL0005"},
		"trigger":                      inA("lifecycle {\n replace_triggered_by = [mem_thing.nope]\n}"),
		"trigger by a local":           {"locals { l = 1 }\nresource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n replace_triggered_by = [local.l]\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; error TV0075"},
		"trigger by an expression":     {thingB + "resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n replace_triggered_by = [upper(mem_thing.b.id)]\n}\n}", []string{"mem_thing.a", "mem_thing.b"}, "no-op mem_thing.a; no-op mem_thing.b; error TV0075"},
		"trigger in JSON":              {"locals { l = 1 }\n" + thingB + "-- a.tf.json --\n{\"resource\": {\"mem_thing\": {\"a\": {\"name\": \"x\", \"lifecycle\": {\"replace_triggered_by\": [\"mem_thing.b\"]}}}}}", []string{"mem_thing.a", "mem_thing.b"}, "no-op mem_thing.a; no-op mem_thing.b; proven"},
		"trigger in JSON that changes": {"resource \"mem_thing\" \"b\" { name = \"new\" }\n-- a.tf.json --\n{\"resource\": {\"mem_thing\": {\"a\": {\"name\": \"x\", \"lifecycle\": {\"replace_triggered_by\": [\"mem_thing.b\"]}}}}}", []string{"mem_thing.a", "mem_thing.b"}, "replace mem_thing.a; update mem_thing.b"},
		"part of an object":            {thingB + "resource \"mem_thing\" \"a\" {\n name = \"x\"\n depends_on = [mem_thing.b.id]\n}", []string{"mem_thing.a", "mem_thing.b"}, "no-op mem_thing.a; no-op mem_thing.b; error TV0077"},
		"unused local":                 beside("locals { l = var.nope }", "TV0012"),
		"function of one":              beside("locals { l = nope() }", "TL0001"),
		"in a local":                   beside("locals { l = each.key }", "TV0013"),
		"no instances":                 beside("resource \"mem_thing\" \"b\" {\n count = 0\n name = var.nope\n}", "TV0012"),
		"each with count":              beside("resource \"mem_thing\" \"b\" {\n count = 0\n name = each.key\n}", "TV0013"),
		"its index":                    {thingA + "resource \"mem_thing\" \"b\" {\n count = 0\n name = count.index\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
		"data of none":                 beside("data \"mem_thing\" \"b\" {\n for_each = {}\n name = data.mem_thing.nope.id\n}", "TV0012"),
		"call of none":                 beside("module \"m\" {\n source = \"./m\"\n count = 0\n in = local.nope\n}\n-- m/main.tf --\nvariable \"in\" {}\n", "TV0012"),
		"in a module of none":          beside("module \"m\" {\n source = \"./m\"\n count = 0\n}\n-- m/main.tf --\noutput \"o\" { value = local.nope }\n", "TV0012"),
		"output of a module":           beside("module \"m\" { source = \"./m\" }\nlocals { l = try(module.m.nope, 1) }\n-- m/main.tf --\nlocals { l = 1 }\n", "TV0012"),
		"check":                        {thingA + "check \"c\" {\n data \"mem_thing\" \"d\" { depends_on = [mem_thing.nope] }\n assert {\n condition = path.module != \"\"\n error_message = \"m\"\n}\n}", []string{"mem_thing.a"}, "read data.mem_thing.d; no-op mem_thing.a; error TV0012"},
		"data of a check":              {thingA + "check \"c\" {\n data \"mem_thing\" \"d\" { name = \"x\" }\n assert {\n condition = data.mem_thing.d.id == \"data\"\n error_message = \"m\"\n}\n}", []string{"mem_thing.a"}, "read data.mem_thing.d; no-op mem_thing.a"},
		"one message":                  {"resource \"mem_thing\" \"a\" { name = var.nope }", []string{"mem_thing.a"}, "failed mem_thing.a TV0012"},
	})
}

func TestRefusedProvisioners(t *testing.T) {
	t.Parallel()
	in := func(text, verdict string) refusal {
		return refusal{"resource \"mem_thing\" \"a\" {\n name = \"x\"\n" + text + "\n}\n", []string{"mem_thing.a"}, "no-op mem_thing.a; " + verdict}
	}
	testRefusals(t, map[string]refusal{
		"sound":                 in("connection {\n host = self.id\n}\nprovisioner \"file\" {\n content = \"x\"\n destination = self.id\n when = create\n connection {\n port = 22\n}\n}", "proven"),
		"unknown":               in("provisioner \"shell\" {}", "error TV0081"),
		"unknown argument":      in("provisioner \"local-exec\" {\n command = \"x\"\n nope = 1\n}", "error TL0001"),
		"missing argument":      in("provisioner \"local-exec\" {}", "error TL0001"),
		"wrong type":            in("provisioner \"remote-exec\" {\n inline = \"x\"\n}", "error TL0001"),
		"empty argument":        in("provisioner \"local-exec\" {\n command = \"\"\n}", "error TV0110"),
		"none of several":       in("provisioner \"remote-exec\" {}", "error TV0110"),
		"several":               in("provisioner \"file\" {\n destination = \"d\"\n source = \"s\"\n content = \"c\"\n}", "error TV0110"),
		"connection":            in("connection {\n host = \"h\"\n prot = 1\n}\nprovisioner \"remote-exec\" {\n inline = []\n}", "error TL0001"),
		"connection to nothing": in("provisioner \"remote-exec\" {\n inline = []\n connection {}\n}", "error TL0001"),
		"connection on destroy": in("connection {\n host = path.root == path.module ? data.mem_thing.d.id : \"\"\n}\nprovisioner \"remote-exec\" {\n when = destroy\n inline = []\n}\n}\ndata \"mem_thing\" \"d\" {", "error TV0080"),
	})
}

func TestRefusedAttributes(t *testing.T) {
	t.Parallel()
	local := func(value, code string) refusal {
		return refusal{thingA + "locals { l = " + value + " }", []string{"mem_thing.a"}, "no-op mem_thing.a; " + code}
	}
	counted := func(value, code string) refusal {
		return refusal{"resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\nlocals { l = " + value + " }", []string{"mem_thing.a[0]"}, "no-op mem_thing.a[0]; " + code}
	}
	testRefusals(t, map[string]refusal{
		"in try":                 local("try(mem_thing.a.nope, null)", "error TL0001"),
		"in can":                 local("can(mem_thing.a.nope)", "error TL0001"),
		"in a conditional":       local("true ? null : mem_thing.a.nope", "error TL0001"),
		"in a block":             local("try(mem_thing.a.rule[0].nope, null)", "error TL0001"),
		"block without key":      local("try(mem_thing.a.rule.port, null)", "error TL0001"),
		"which is there":         local("try(mem_thing.a.rule[0].port, mem_thing.a.things[1].a, mem_thing.a.id)", "proven"),
		"as an index":            local("try(mem_thing.a[\"id\"], null)", "error TV0072"),
		"key of one":             local("try(mem_thing.a[0].id, null)", "error TV0072"),
		"key of several":         counted("try(mem_thing.a[3].id, null)", "proven"),
		"no key of several":      counted("try(mem_thing.a.id, null)", "error TV0073"),
		"splat":                  counted("mem_thing.a[*].id", "proven"),
		"all of several":         counted("{ for k, v in mem_thing.a : k => v.id }", "proven"),
		"key that is worked out": counted("mem_thing.a[length(\"\")].id", "proven"),
		"ignored":                {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n ignore_changes = [nope]\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; error TL0001"},
		"ignored ones":           {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n ignore_changes = [name, rule, rule[0].port, things[0].a]\n}\n}", []string{"mem_thing.a"}, "no-op mem_thing.a; proven"},
	})
}

func TestRefusedBodiesWithoutInstances(t *testing.T) {
	t.Parallel()
	none := func(body, want string) refusal {
		return refusal{"variable \"v\" { default = \"x\" }\nresource \"mem_thing\" \"b\" {\n count = 0\n" + body + "\n}", nil, want}
	}
	testRefusals(t, map[string]refusal{
		"sound":              none("name = upper(var.v)\n rule {\n port = 1\n}\n dynamic \"rule\" {\n for_each = [var.v]\n content {\n port = rule.key\n}\n}\n things {\n a = \"x\"\n}", "proven"),
		"unknown argument":   none("nope = 1", "error TL0001"),
		"unknown block":      none("nope {}", "error TL0001"),
		"missing argument":   none("rule {}", "error TL0001"),
		"of a dynamic one":   none("dynamic \"rule\" {\n for_each = [1]\n content {}\n}", "error TL0001"),
		"unknown dynamic":    none("dynamic \"nope\" {\n for_each = [1]\n content {}\n}", "error TL0001"),
		"wrong type":         none("rule {\n port = \"x\"\n}", "error TL0001"),
		"unknown function":   none("name = nope()", "error TL0001"),
		"unknown type":       {"resource \"mem_nope\" \"b\" { count = 0 }", nil, "error TV0024"},
		"unknown data type":  {"data \"mem_nope\" \"b\" { count = 0 }", nil, "error TV0024"},
		"unknown provider":   {"resource \"other_thing\" \"b\" { count = 0 }", nil, "error X0001"},
		"unknown alias":      {"resource \"mem_thing\" \"b\" {\n count = 0\n provider = mem.west\n}", nil, "error TV0021"},
		"builtin":            {"resource \"terraform_data\" \"b\" {\n count = 0\n nope = 1\n}", nil, "error TL0001"},
		"data of the client": {"data \"terraform_remote_state\" \"b\" {\n count = 0\n backend = \"local\"\n}", nil, "proven"},
		"module":             {"module \"m\" {\n source = \"./m\"\n count = 0\n}\n-- m/main.tf --\nresource \"mem_thing\" \"b\" { nope = 1 }\n" + "-- m/versions.tf --\nterraform {\n required_providers {\n mem = { source = \"test/mem\" }\n}\n}", nil, "error TL0001"},
		"input of a module":  {"module \"m\" {\n source = \"./m\"\n count = 0\n}\n-- m/main.tf --\nvariable \"in\" {}\n", nil, "error TV0009"},
		"itself":             {"resource \"mem_thing\" \"b\" {\n count = 0\n depends_on = [mem_thing.b]\n}\ndata \"mem_thing\" \"c\" {\n depends_on = [data.mem_thing.c]\n}", nil, "proven"},
		"provider_meta":      {"module \"m\" { source = \"./m\" }\n-- m/main.tf --\nterraform {\n required_providers {\n mem = { source = \"test/mem\" }\n}\n provider_meta \"mem\" {}\n provider_meta \"other\" {}\n}\nresource \"mem_thing\" \"a\" { count = 0 }\n", nil, "error TV0123"},
		"empty module":       {"module \"m\" { source = \"./m\" }\n-- m/readme --\n", nil, "proven"},
		"version of builtin": {"module \"m\" { source = \"./m\" }\n-- m/main.tf --\nterraform {\n required_providers {\n terraform = {\n source = \"terraform.io/builtin/terraform\"\n version = \">= 0\"\n}\n none = { source = \"terraform.io/builtin/none\" }\n}\n}", nil, "error TV0118; error TV0119"},
		"reserved name":      {"variable \"source\" { default = 1 }", nil, "error TV0076"},
	})
}
