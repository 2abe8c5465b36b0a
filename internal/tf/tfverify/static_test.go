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
		"empty":      refused(imported(`id = ""`)),
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
