package tfverify

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// implied are the moves that clients make without a block: of the one object
// that a resource has where count is added to it or taken away, and, OpenTofu
// alone, of the one instance of a module. Source: OpenTofu 1.12.6,
// ImpliedMoveStatements.
type implied struct {
	state    *stateIndex
	tree     *tfconfig.Tree
	explicit map[string][]statement // by the static addresses of their ends
	modules  map[string]*impliedModule
	moved    map[*object]bool
}

// impliedModule is a module instance of the state, and its configuration or
// nil.
type impliedModule struct {
	at   endpoint
	tree *tfconfig.Tree
}

// firstKey is the key of the object that stays.
const firstKey = "[0]"

// imply makes these moves. What a moved block is about, it leaves alone.
func (s *stateIndex) imply(tree *tfconfig.Tree) {
	i := &implied{
		state: s, tree: tree, explicit: map[string][]statement{}, modules: map[string]*impliedModule{}, moved: map[*object]bool{},
	}
	statements, _ := statementsOf(tree)
	for _, st := range statements {
		for _, end := range []endpoint{st.from, st.to} {
			static := node(st.tree, end.static())
			i.explicit[static] = append(i.explicit[static], st)
			if end.resource != nil {
				static = node(st.tree, endpoint{modules: end.modules}.static())
				i.explicit[static] = append(i.explicit[static], st)
			}
		}
	}
	for n := range s.state.Resources {
		res := &s.state.Resources[n]
		if m := i.module(res.Module); res.Addr.Mode == tfaddr.Managed {
			i.resource(res, m)
		}
	}
	if s.movesModules() {
		i.calls()
	}
}

// module finds the configuration of a module instance.
func (i *implied) module(address string) *impliedModule {
	if known := i.modules[address]; known != nil {
		return known
	}
	out := &impliedModule{tree: i.tree}
	if address != "" {
		out.at, _ = parseEndpointText(address)
	}
	for _, step := range out.at.modules {
		if out.tree = out.tree.Children[step.name]; out.tree == nil {
			break
		}
	}
	i.modules[address] = out
	return out
}

// resource moves the object of a resource that gained or lost its key.
func (i *implied) resource(res *tfstate.Resource, m *impliedModule) {
	if m.tree == nil || m.tree.Module == nil {
		return
	}
	block := m.tree.Module.Resources[res.Addr]
	if block == nil || block.ForEach != nil {
		return
	}
	to := res.String()
	from := to + firstKey
	if block.Count != nil {
		from, to = to, from
	}
	o := i.state.at(from)
	if o == nil || o.was != "" || i.state.at(to) != nil || i.isExplicit(endpoint{modules: m.at.modules, resource: &res.Addr}) {
		return
	}
	i.move(o, from, to)
}

func (i *implied) move(o *object, from, to string) {
	i.state.rename(from, to)
	i.moved[o] = true
}

// calls moves what is in module instances that gained or lost their key.
func (i *implied) calls() {
	targets := map[string][]moduleStep{} // by the address before
	for _, address := range sortedKeys(i.modules) {
		if steps, ok := i.target(i.modules[address].at.modules); ok {
			targets[address] = steps
		}
	}
	if len(targets) == 0 {
		return
	}
	for _, address := range i.state.addresses() {
		o := i.state.at(address)
		steps := targets[o.resource.Module]
		if steps == nil || o.was != "" && !i.moved[o] {
			continue
		}
		if e, ok := parseEndpointText(address); ok {
			e.modules = steps
			i.move(o, address, e.String())
		}
	}
}

// target is where a module instance goes, if it does: each call around it may
// have gained or lost count. What is there already stays.
func (i *implied) target(steps []moduleStep) ([]moduleStep, bool) {
	out, changed := slices.Clone(steps), false
	for n := len(steps) - 1; n >= 0; n-- {
		key, ok := i.newKey(steps[:n+1])
		if !ok {
			continue
		}
		before := out[n].key
		out[n].key = key
		if i.modules[endpoint{modules: out}.String()] != nil {
			out[n].key = before
			continue
		}
		changed = true
	}
	return out, changed
}

// newKey is the other key that a module instance of the state gets.
func (i *implied) newKey(steps []moduleStep) (cty.Value, bool) {
	e := endpoint{modules: steps}
	m := i.modules[e.String()]
	if m == nil || m.tree == nil || m.tree.Call == nil || m.tree.Call.ForEach != nil {
		return cty.NilVal, false // without objects of its own it is not in the state
	}
	first := cty.NumberIntVal(0)
	key, other := cty.NilVal, first
	if m.tree.Call.Count != nil {
		key, other = first, cty.NilVal
	}
	return key, sameKey(lastKey(e), other) && !i.isExplicit(e)
}

// isExplicit reports whether an end of a moved block is at a resource, whatever
// its key, or in a module instance.
func (i *implied) isExplicit(e endpoint) bool {
	for _, st := range i.explicit[e.static()] {
		if st.selects(st.from, e) || st.selects(st.to, e) {
			return true
		}
	}
	return false
}

// selects reports whether an end of a moved block is at e. The modules around
// the block may have any keys.
func (st statement) selects(end, e endpoint) bool {
	inner := e.modules[min(len(st.tree.Path), len(e.modules)):]
	if len(inner) != len(end.modules) || e.resource != nil && (end.resource == nil || *end.resource != *e.resource) {
		return false
	}
	for n, step := range end.modules {
		if inner[n].name != step.name || !sameKey(inner[n].key, step.key) {
			return false
		}
	}
	return true
}
