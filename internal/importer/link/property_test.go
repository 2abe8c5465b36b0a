package link

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// evaluated is what every attribute in a printed resource evaluates to.
func evaluated(t *testing.T, src string, ctx *hcl.EvalContext) []string {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(src), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, src)
	}
	var out []string
	var walk func(body *hclsyntax.Body)
	walk = func(body *hclsyntax.Body) {
		for _, m := range members(body) {
			if m.block != nil {
				walk(m.block.Body)
				continue
			}
			v, diags := m.attribute.Expr.Value(ctx)
			if diags.HasErrors() {
				t.Fatalf("%v\n%s", diags, src)
			}
			out = append(out, m.attribute.Name+" "+v.GoString())
		}
	}
	walk(file.Body.(*hclsyntax.Body))
	return out
}

// TestLinkProperty: over many estates, what was linked evaluates as before,
// every reference is to another resource, there is no cycle, and a second run
// gives the same.
func TestLinkProperty(t *testing.T) {
	t.Parallel()
	rules := parse(t, testRules)
	for n := 6; n < 120; n += 7 {
		resources := estateOf(t, n, n%2 == 0)
		ctx := scope(resources)
		result, _ := Link(t.Context(), resources, rules)
		for i, r := range result.Resources {
			before, after := evaluated(t, printed(resources[i]), ctx), evaluated(t, printed(r), ctx)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Fatalf("%s evaluates otherwise (-before +after):\n%s", r.Addr, diff)
			}
		}
		checkGraph(t, result)
		again, _ := Link(t.Context(), resources, rules)
		if diff := cmp.Diff(madeLines(result), madeLines(again)); diff != "" {
			t.Fatalf("not deterministic:\n%s", diff)
		}
	}
}

// scope is what references evaluate in.
func scope(resources []Resource) *hcl.EvalContext {
	types := map[string]map[string]cty.Value{}
	for _, r := range resources {
		if types[r.Addr.Type] == nil {
			types[r.Addr.Type] = map[string]cty.Value{}
		}
		types[r.Addr.Type][r.Addr.Name] = r.State
	}
	ctx := &hcl.EvalContext{
		Variables: map[string]cty.Value{},
		Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc},
	}
	for name, objects := range types {
		ctx.Variables[name] = cty.ObjectVal(objects)
	}
	return ctx
}

// checkGraph fails on a cycle, on a link left out that would not have closed
// one, and where there is nothing to check.
func checkGraph(t *testing.T, result Result) {
	t.Helper()
	position, next := map[tfaddr.Resource]int32{}, map[int32][]int32{}
	for i, r := range result.Resources {
		position[r.Addr] = int32(i)
	}
	for _, m := range result.Links {
		from, to := position[m.From], position[m.To]
		if closes(next, from, to) {
			t.Fatalf("a cycle: %s", m)
		}
		next[from] = append(next[from], to)
	}
	for _, s := range result.Skipped {
		if s.Reason == Cycle && !closes(next, position[s.From], position[s.Candidates[0]]) {
			t.Fatalf("left out for no reason: %s", s)
		}
	}
	if len(result.Links) == 0 {
		t.Fatal("no links")
	}
}
