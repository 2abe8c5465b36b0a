package tfverify

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// moveOrder says which moved blocks come before which: a block that moves what
// another brought comes after it, as does one that moves what is inside. It is
// worked out from the blocks alone, and so also of modules without instances.
// Source: OpenTofu 1.12.6, internal/refactoring and MoveEndpointInModule.
type moveOrder struct {
	statements []statement
	ends       map[string][]moveEnd // by their places
	graph      graph
}

// moveEnd is where a moved block, a number in moveOrder, moves from or to.
type moveEnd struct {
	statement int
	from      bool
	whole     bool // with all instances
	steps     []endStep
	resource  *tfaddr.Resource
	key       cty.Value // of the resource
}

// endStep is a module on the way to an end; any stands for every key.
type endStep struct {
	name string
	key  cty.Value
	any  bool
}

// checkOrder reports moved blocks that wait for each other.
func (c *moveCheck) checkOrder(statements []statement) {
	o := moveOrder{statements: statements, ends: map[string][]moveEnd{}}
	o.graph.needs, o.graph.at = map[string][]string{}, map[string]hcl.Range{}
	for n, st := range statements {
		o.graph.at[moveNode(n)] = st.block.Range
	}
	for _, end := range o.all() {
		o.ends[end.place("")] = append(o.ends[end.place("")], end)
		o.ends[end.place(end.lastKey())] = append(o.ends[end.place(end.lastKey())], end)
	}
	for _, end := range o.all() {
		o.chain(end)
		o.nest(end)
	}
	if left := o.graph.peel(); len(left) > 0 {
		c.diags = append(c.diags, cyclicMoves(o.graph.at[o.graph.cycle(left)[0]]))
	}
}

func moveNode(n int) string { return fmt.Sprintf("%06d", n) }

func (o *moveOrder) all() []moveEnd {
	out := make([]moveEnd, 0, 2*len(o.statements))
	for n, st := range o.statements {
		for _, from := range []bool{true, false} {
			out = append(out, endOf(n, st, from))
		}
	}
	return out
}

func endOf(n int, st statement, from bool) moveEnd {
	e := st.to
	if from {
		e = st.from
	}
	out := moveEnd{statement: n, from: from, whole: st.wholeBlock(), resource: e.resource, key: e.key}
	for _, name := range st.tree.Path {
		out.steps = append(out.steps, endStep{name: name, any: true})
	}
	for _, m := range e.modules {
		out.steps = append(out.steps, endStep{name: m.name, key: m.key})
	}
	if e.resource == nil {
		out.steps[len(out.steps)-1].any = out.whole
	}
	return out
}

// lastKey is the key of what the end selects, as places have it.
func (e moveEnd) lastKey() string {
	key := e.key
	if e.resource == nil {
		key = e.steps[len(e.steps)-1].key
	}
	if e.whole {
		return "[*]"
	}
	return keyText(key)
}

func keyText(key cty.Value) string { return "[" + repetition{key: key}.suffix() + "]" }

// place is the address without keys of what the end selects, with the last key
// if any.
func (e moveEnd) place(lastKey string) string {
	return placeWithin(e.steps, e.resource) + lastKey
}

func placeWithin(steps []endStep, resource *tfaddr.Resource) string {
	bare := endpoint{resource: resource}
	for _, s := range steps {
		bare.modules = append(bare.modules, moduleStep{name: s.name})
	}
	return bare.String()
}

// chain puts what moves from an end after what moves to it.
func (o *moveOrder) chain(end moveEnd) {
	if !end.from {
		return
	}
	others := o.ends[end.place(end.lastKey())]
	if end.resource == nil {
		others = o.around(end.steps)
	}
	for _, other := range others {
		if !other.from && end.meets(other) {
			o.after(end.statement, other.statement)
		}
	}
}

// nest orders what an end is in against it.
func (o *moveOrder) nest(end moveEnd) {
	modules := len(end.steps)
	if end.resource == nil {
		modules-- // the last is what the end selects
	}
	for n := range modules {
		o.within(end, o.around(end.steps[:n+1]))
	}
	if end.resource != nil && !end.whole {
		o.within(end, o.ends[end.place("[*]")])
	}
}

// around are the ends that select the last of some modules.
func (o *moveOrder) around(steps []endStep) []moveEnd {
	place, last := placeWithin(steps, nil), steps[len(steps)-1]
	if last.any {
		return o.ends[place]
	}
	return slices.Concat(o.ends[place+"[*]"], o.ends[place+keyText(last.key)])
}

// within orders an end against those that it may be in: what comes to them
// first, what leaves them last.
func (o *moveOrder) within(end moveEnd, around []moveEnd) {
	for _, outer := range around {
		switch {
		case !end.meets(outer):
		case outer.from:
			o.nestAfter(outer.statement, end.statement)
		default:
			o.nestAfter(end.statement, outer.statement)
		}
	}
}

// meets reports whether the keys of the modules that both name allow one to be
// in the other.
func (e moveEnd) meets(outer moveEnd) bool {
	for n, step := range outer.steps {
		if inner := e.steps[n]; !step.any && !inner.any && !sameKey(step.key, inner.key) {
			return false
		}
	}
	return true
}

// nestAfter leaves out that a change of a module's keys comes after what is
// said further inside: it is neither before nor after.
func (o *moveOrder) nestAfter(later, earlier int) {
	a, b := o.statements[later], o.statements[earlier]
	if len(a.tree.Path) < len(b.tree.Path) && a.from.resource == nil && a.from.static() == a.to.static() {
		return
	}
	o.after(later, earlier)
}

func (o *moveOrder) after(later, earlier int) {
	if later != earlier {
		o.graph.needs[moveNode(later)] = append(o.graph.needs[moveNode(later)], moveNode(earlier))
	}
}
