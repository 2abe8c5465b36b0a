package tfverify

import (
	"strings"
	"testing"
)

// TestMoveOrder holds moved blocks that wait for each other to what terraform
// and tofu say of them.
func TestMoveOrder(t *testing.T) {
	t.Parallel()
	const (
		fine   = "no-op mem_thing.a; proven"
		cyclic = "no-op mem_thing.a; error TV0063"
		call   = "module \"m\" {\n source = \"./m\"\n}\n"
	)
	for name, c := range map[string]struct{ moves, inner, want string }{
		"into what moves back":              {"module.x to module.y, module.y.module.w to module.x", "", cyclic},
		"resource into what moves back":     {"module.x.mem_thing.c to module.y.mem_thing.c, module.y to module.x", "", cyclic},
		"out of what moves around it":       {"module.x to module.y, module.y.module.z to module.x.module.z", "", cyclic},
		"one key of what moves back":        {"module.x to module.y, module.y[\"k\"] to module.x[\"k\"]", "", cyclic},
		"instances of what moves back":      {"mem_thing.c to mem_thing.d, mem_thing.d[0] to mem_thing.c[1]", "", cyclic},
		"three":                             {"mem_thing.c to mem_thing.d, mem_thing.d to mem_thing.e, mem_thing.e to mem_thing.c", "", cyclic},
		"keys that are swapped":             {"module.x[\"a\"] to module.x[\"b\"], module.x[\"b\"] to module.x[\"a\"]", "", cyclic},
		"back in a module":                  {"module.m.mem_thing.s to module.m.mem_thing.r", "mem_thing.r to mem_thing.s", cyclic},
		"another in a module":               {"mem_thing.p to module.m.mem_thing.q, module.m.mem_thing.p to mem_thing.q", "", fine},
		"instance before its block":         {"mem_thing.c to mem_thing.d, mem_thing.c[0] to mem_thing.c[1]", "", fine},
		"resource, then module":             {"module.x[\"a\"].mem_thing.c to module.x[\"b\"].mem_thing.c, module.x[\"b\"] to module.x[\"c\"]", "", fine},
		"keys of a module, and moves in it": {"module.m[\"z\"] to module.m[\"k\"], module.m[\"k\"] to module.m[\"l\"]", "mem_thing.x to mem_thing.y, mem_thing.z to mem_thing.z[0]", fine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := thingA + call + movedBlocks(c.moves) + "-- m/main.tf --\n" + movedBlocks(c.inner)
			if got := outcomeOf(t, files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// movedBlocks writes "a to b, c to d" as moved blocks.
func movedBlocks(text string) string {
	var b strings.Builder
	for move := range strings.SplitSeq(text, ", ") {
		if from, to, ok := strings.Cut(move, " to "); ok {
			b.WriteString("moved {\n from = " + from + "\n to = " + to + "\n}\n")
		}
	}
	return b.String()
}

// TestImpliedModuleMoves: OpenTofu moves the one instance of a module, too. The
// state is one of its own.
func TestImpliedModuleMoves(t *testing.T) {
	t.Parallel()
	call := func(body string) string {
		return thingA + "module \"m\" {\n source = \"./m\"\n" + body + "\n}\n"
	}
	const (
		inner = "-- m/main.tf --\nresource \"mem_thing\" \"i\" { name = \"x\" }\nmodule \"n\" {\n source = \"../n\"\n count = 1\n}\n-- n/main.tf --\nresource \"mem_thing\" \"j\" {\n count = 1\n name = \"x\"\n}\n"
		same  = "no-op mem_thing.a; "
	)
	for name, c := range map[string]struct{ files, objects, want string }{
		"count added":        {call("count = 1"), "module.m.mem_thing.i", same + "move module.m[0].mem_thing.i; create module.m[0].module.n[0].mem_thing.j[0]"},
		"count taken away":   {call(""), "module.m[0].mem_thing.i", same + "move module.m.mem_thing.i; create module.m.module.n[0].mem_thing.j[0]"},
		"both":               {call("count = 1"), "module.m.mem_thing.i module.m.module.n.mem_thing.j", same + "move module.m[0].mem_thing.i; move module.m[0].module.n[0].mem_thing.j[0]"},
		"nothing in between": {call("count = 1"), "module.m.module.n.mem_thing.j", same + "delete module.m.module.n[0].mem_thing.j[0]; create module.m[0].mem_thing.i; create module.m[0].module.n[0].mem_thing.j[0]"},
		"there already":      {call("count = 1"), "module.m.mem_thing.i module.m[0].mem_thing.i", same + "delete module.m.mem_thing.i; no-op module.m[0].mem_thing.i; create module.m[0].module.n[0].mem_thing.j[0]"},
		"for_each":           {call("for_each = { k = 1 }"), "module.m.mem_thing.i", same + "delete module.m.mem_thing.i; create module.m[\"k\"].mem_thing.i; create module.m[\"k\"].module.n[0].mem_thing.j[0]"},
		"moved otherwise":    {call("count = 2") + movedBlocks("module.m to module.m[1]"), "module.m.mem_thing.i", same + "create module.m[0].mem_thing.i; create module.m[0].module.n[0].mem_thing.j[0]; move module.m[1].mem_thing.i; create module.m[1].module.n[0].mem_thing.j[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files+inner).object(t, "mem_thing.a", "x")
			s.release = "1.12.0"
			for address := range strings.FieldsSeq(c.objects) {
				s.object(t, address, "x")
			}
			if got := outcome(s.verify(t, nil)); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestImpliedMoves: what a block moves is not moved on by a new count.
func TestImpliedMoves(t *testing.T) {
	t.Parallel()
	counted := "resource \"mem_thing\" \"b\" {\n count = 1\n name = \"x\"\n}\n"
	for name, c := range map[string]struct{ files, want string }{
		"count added":             {strings.ReplaceAll(counted, `"b"`, `"a"`), "move mem_thing.a[0]"},
		"moved, and count added":  {counted + movedBlocks("mem_thing.a to mem_thing.b"), "delete mem_thing.b; create mem_thing.b[0]"},
		"moved elsewhere":         {"resource \"mem_thing\" \"a\" { name = \"x\" }\n" + movedBlocks("mem_thing.a[1] to mem_thing.a[2]"), "create mem_thing.a; delete mem_thing.a[0]"},
		"moved to where count is": {counted + movedBlocks("mem_thing.a to mem_thing.b[0]"), "move mem_thing.b[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := "mem_thing.a x"
			if name == "moved elsewhere" {
				object = "mem_thing.a[0] x"
			}
			if got := outcomeOf(t, c.files, object); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestImpliedMovesOfWhatIsGone: the key goes also where the module is gone.
func TestImpliedMovesOfWhatIsGone(t *testing.T) {
	t.Parallel()
	files := thingA + "module \"m\" {\n source = \"./m\"\n for_each = {}\n}\n-- m/main.tf --\nresource \"mem_thing\" \"i\" {}\n"
	if got, want := outcomeOf(t, files, "mem_thing.a x", `module.m["k"].mem_thing.i[0] x`), `no-op mem_thing.a; delete module.m["k"].mem_thing.i`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestMovesOfDeposed: what a replacement left moves with its instance, and
// stands in the way of another that would move there.
func TestMovesOfDeposed(t *testing.T) {
	t.Parallel()
	const counted = "resource \"mem_thing\" \"a\" {\n count = 1\n name = \"x\"\n}\n"
	for name, c := range map[string]struct{ files, current, want string }{
		"beside a current one": {thingB + movedBlocks("mem_thing.a to mem_thing.b"), "mem_thing.a", "move mem_thing.b; delete mem_thing.b"},
		"alone":                {thingB + movedBlocks("mem_thing.a to mem_thing.b"), "", "create mem_thing.b; delete mem_thing.b"},
		"count added":          {counted, "mem_thing.a", "move mem_thing.a[0]; delete mem_thing.a[0]"},
		"alone, count added":   {counted, "", "create mem_thing.a[0]; delete mem_thing.a[0]"},
		"in the way":           {thingA + movedBlocks("mem_thing.b to mem_thing.a"), "mem_thing.b", "create mem_thing.a; delete mem_thing.a; delete mem_thing.b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files).object(t, "mem_thing.a", "x")
			s.objects[0]["instances"].([]any)[0].(map[string]any)["deposed"] = "12345678"
			if c.current != "" {
				s.object(t, c.current, "x")
			}
			report, diags := s.verify(t, nil)
			if got := outcome(report, diags); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
			for _, r := range report.Resources {
				if from := "mem_thing.a"; name != "in the way" && r.From != from {
					t.Errorf("%s is from %q, not from %s", r.Address, r.From, from)
				}
			}
		})
	}
}
