package tfverify

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// moveCheck holds the moved blocks of a run against each other and against
// what is configured. Source: OpenTofu 1.12.6, internal/refactoring.
type moveCheck struct {
	v        *verifier
	from, to map[string]leg // what was seen so far, by its own address
	diags    diag.List
}

// leg is the other end of a move, and the block that says so.
type leg struct {
	other string
	at    hcl.Range
}

// checkMoves reports moved blocks that clients refuse. It needs the instances
// of all modules, and so comes last.
func (v *verifier) checkMoves(ctx context.Context) diag.List {
	statements, _ := statementsOf(v.tree)
	check := &moveCheck{v: v, from: map[string]leg{}, to: map[string]leg{}}
	for _, st := range statements {
		for _, m := range v.instancesOf(st.tree) {
			check.statement(ctx, m, st)
		}
	}
	if len(check.diags) == 0 {
		check.checkOrder(statements)
	}
	return check.diags
}

func (c *moveCheck) statement(ctx context.Context, m *module, st statement) {
	from, to, at := m.name(st.from.String()), m.name(st.to.String()), st.block.Range
	if from == to {
		c.diags = append(c.diags, redundantMove(from, at))
		return
	}
	if m.configures(ctx, st.from, st.wholeBlock()) {
		c.diags = append(c.diags, movedStillExists(from, at))
	}
	kind := "one "
	if st.wholeBlock() {
		kind = "all "
	}
	c.once(c.from, kind+from, kind+to, at)
	c.once(c.to, kind+to, kind+from, at)
}

// once notes one end of a move, which no other block may move otherwise.
func (c *moveCheck) once(seen map[string]leg, end, other string, at hcl.Range) {
	if first, ok := seen[end]; !ok {
		seen[end] = leg{other, at}
	} else if first.other != other {
		c.diags = append(c.diags, ambiguousMove(end[len("one "):], first.at, at))
	}
}

// wholeBlock reports whether a statement moves a resource or a module with
// all instances that it has.
func (st statement) wholeBlock() bool {
	if st.from.resource != nil {
		return st.from.key == cty.NilVal && st.to.key == cty.NilVal
	}
	return lastKey(st.from) == cty.NilVal && lastKey(st.to) == cty.NilVal
}

func lastKey(e endpoint) cty.Value { return e.modules[len(e.modules)-1].key }

// configures reports whether m has the resource or module at e, or where it
// is not the whole block, the one instance that its key says.
func (m *module) configures(ctx context.Context, e endpoint, whole bool) bool {
	steps := e.modules
	if e.resource == nil {
		steps = steps[:len(steps)-1]
	}
	for _, step := range steps {
		if m = m.child(ctx, step); m == nil {
			return false
		}
	}
	if e.resource == nil {
		last := e.modules[len(e.modules)-1]
		return whole && m.config.Calls[last.name] != nil || m.child(ctx, last) != nil
	}
	block := m.config.Resources[*e.resource]
	if block == nil || whole {
		return block != nil
	}
	one, ok := m.block(ctx, block).instance(repetition{key: e.key}.suffix())
	return ok && one.verdict != Delete
}

// child is the instance of a called module that a step of an address leads
// to, or nil.
func (m *module) child(ctx context.Context, step moduleStep) *module {
	if m.config.Calls[step.name] == nil || m.tree.Children[step.name] == nil {
		return nil
	}
	for _, inner := range m.called(ctx, step.name).instances {
		if inner.each.suffix() == (repetition{key: step.key}).suffix() {
			return inner
		}
	}
	return nil
}
