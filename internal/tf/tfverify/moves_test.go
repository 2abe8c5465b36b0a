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

// TestImpliedMoves: what a block moves is not moved on by a new count.
func TestImpliedMoves(t *testing.T) {
	t.Parallel()
	counted := "resource \"mem_thing\" \"b\" {\n count = 1\n name = \"x\"\n}\n"
	for name, c := range map[string]struct{ files, want string }{
		"count added":             {strings.ReplaceAll(counted, `"b"`, `"a"`), "move mem_thing.a[0]"},
		"moved, and count added":  {counted + movedBlocks("mem_thing.a to mem_thing.b"), "delete mem_thing.b; create mem_thing.b[0]"},
		"moved to where count is": {counted + movedBlocks("mem_thing.a to mem_thing.b[0]"), "move mem_thing.b[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcomeOf(t, c.files, "mem_thing.a x"); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}
