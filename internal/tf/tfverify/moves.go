package tfverify

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// statement is one moved block with the module that has it.
type statement struct {
	tree     *tfconfig.Tree
	block    *tfconfig.MovedBlock
	from, to endpoint
}

// move applies the moved blocks of all modules to the state. It returns a
// gap for each block that is not understood and has something to move.
func (s *stateIndex) move(tree *tfconfig.Tree) diag.List {
	statements, gaps := statementsOf(tree)
	if len(statements) == 0 {
		return gaps
	}
	index := s.byStatic()
	// A chain of moves needs as many rounds as it has links, at most.
	for range statements {
		moved := false
		for _, st := range statements {
			did, gap := s.apply(st, index)
			moved = moved || did
			if gap != nil && !slices.Contains(gaps, gap) {
				gaps = append(gaps, gap)
			}
		}
		if !moved {
			break
		}
	}
	return gaps
}

func statementsOf(tree *tfconfig.Tree) ([]statement, diag.List) {
	var out []statement
	var gaps diag.List
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for _, block := range t.Module.Moved {
			from, ok := parseEndpoint(block.From)
			to, ok2 := parseEndpoint(block.To)
			if !ok || !ok2 || (from.resource == nil) != (to.resource == nil) {
				gaps = append(gaps, unevaluatedMove(block.Range))
				continue
			}
			out = append(out, statement{t, block, from, to})
		}
	})
	return out, gaps
}

// staticIndex finds the addresses of objects by the static address of the
// resource and of every module around it.
type staticIndex map[string]map[string]bool

func (x staticIndex) add(address string) {
	e, ok := parseEndpointText(address)
	if !ok {
		return
	}
	x.put(e.static(), address)
	for n := range e.modules {
		x.put(endpoint{modules: e.modules[:n+1]}.static(), address)
	}
}

func (x staticIndex) put(static, address string) {
	if x[static] == nil {
		x[static] = map[string]bool{}
	}
	x[static][address] = true
}

func (s *stateIndex) byStatic() staticIndex {
	index := staticIndex{}
	for _, address := range s.addresses() {
		index.add(address)
	}
	return index
}

// apply moves what one block says.
func (s *stateIndex) apply(st statement, index staticIndex) (moved bool, gap *diag.Diagnostic) {
	for _, address := range sortedKeys(index[node(st.tree, st.from.static())]) {
		at, ok := parseEndpointText(address)
		if s.at(address) == nil || !ok {
			continue // moved away before
		}
		target, ok := st.target(at)
		if !ok || s.at(target.String()) != nil {
			continue
		}
		if st.from.resource != nil && (st.from.resource.Type != st.to.resource.Type || st.from.resource.Mode != st.to.resource.Mode) {
			return moved, unevaluatedMove(st.block.Range)
		}
		s.rename(address, target.String())
		index.add(target.String())
		moved = true
	}
	return moved, nil
}

// target is where an object at address goes. The first modules of both are
// those that the block is in, with whatever keys they have.
func (st statement) target(at endpoint) (endpoint, bool) {
	depth := len(st.tree.Path)
	inner := at.modules[depth:]
	if len(inner) < len(st.from.modules) {
		return at, false
	}
	last := len(st.from.modules) - 1
	whole := false // all instances move, with their keys
	if st.from.resource == nil {
		whole = st.from.modules[last].key == cty.NilVal && st.to.modules[len(st.to.modules)-1].key == cty.NilVal
	}
	for n, m := range st.from.modules {
		if inner[n].name != m.name || (!(whole && n == last) && !sameKey(inner[n].key, m.key)) {
			return at, false
		}
	}
	out := endpoint{modules: slices.Concat(at.modules[:depth], st.to.modules), resource: at.resource, key: at.key}
	if st.from.resource == nil {
		if whole {
			out.modules[len(out.modules)-1].key = inner[last].key
		}
		out.modules = append(out.modules, inner[last+1:]...)
		return out, true
	}
	if len(inner) != len(st.from.modules) || at.resource == nil || *at.resource != *st.from.resource {
		return at, false
	}
	out.resource = st.to.resource
	if st.from.key == cty.NilVal && st.to.key == cty.NilVal {
		return out, true
	}
	out.key = st.to.key
	return out, sameKey(at.key, st.from.key)
}
