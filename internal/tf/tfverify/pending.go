package tfverify

import (
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// upstream answers whether anything that a node of the graph needs would
// change: only data sources ask.
type upstream struct {
	once    sync.Once
	managed map[string]managedNode
	left    map[string][]leftObject // what the state has in modules, by the nodes of the blocks that it is of
	rest    map[string][]leftObject // and that no block is of, by the node of the whole module
	answers cells[upstreamKey, string]
}

// managedNode is a managed resource in the graph.
type managedNode struct {
	tree *tfconfig.Tree
	res  *tfconfig.ResourceBlock
}

// upstreamKey is a node, as an instance of a module sees it: of its own module
// that instance alone counts.
type upstreamKey struct{ module, node string }

// pending finds a change that a data source has to be read after, if any. It
// waits for the managed resources that it or its depends_on refers to, and for
// all that is behind other entries of that, behind the depends_on of calls, and
// behind its own conditions. Source: OpenTofu 1.12.6, ReferenceMap.dependsOn
// and dependenciesHavePendingChanges.
func (m *module) pending(ctx context.Context, res *tfconfig.ResourceBlock) (what string) {
	life := res.Lifecycle
	if len(life.Preconditions)+len(life.Postconditions) > 0 {
		return m.v.behind(ctx, m, node(m.tree, res.Addr.String()))
	}
	traversals := slices.Concat(m.v.graph.uses.of(res).traversals, variables(res.Count, res.ForEach, res.Enabled))
	if what = m.changed(ctx, traversals); what != "" {
		return what
	}
	if what = m.waiting(ctx, m, res.DependsOn, false); what != "" {
		return what
	}
	for at := m; at.parent != nil; at = at.parent {
		if what = at.parent.waiting(ctx, m, at.tree.Call.DependsOn, true); what != "" {
			return what
		}
	}
	return ""
}

// changed finds a managed resource that traversals in m refer to and that would
// change.
func (m *module) changed(ctx context.Context, traversals []hcl.Traversal) string {
	refs, _ := tflang.References(traversals, nil)
	for _, ref := range refs {
		block := m.config.Resources[ref.Resource]
		if ref.Kind == tflang.KindResource && block != nil && block.Addr.Mode == tfaddr.Managed && m.block(ctx, block).changes() {
			return ref.String()
		}
	}
	return ""
}

// waiting finds what a depends_on in m waits for, on behalf of a data source in
// asker. Of a resource it waits for that alone, unless it is wanted deep.
func (m *module) waiting(ctx context.Context, asker *module, dependsOn []hcl.Traversal, deep bool) string {
	refs, _ := tflang.References(dependsOn, nil)
	for _, ref := range refs {
		if ref.Kind == tflang.KindResource && !deep {
			continue // below
		}
		for _, id := range waitsFor(m.tree, ref) {
			if m.v.behind(ctx, asker, id) != "" {
				return ref.String()
			}
		}
	}
	if deep {
		return ""
	}
	return m.changed(ctx, dependsOn)
}

// behind finds a managed resource that would change and is a node, or is needed
// by it.
func (v *verifier) behind(ctx context.Context, asker *module, id string) string {
	v.upstream.once.Do(func() {
		v.findManaged()
		v.findLeft()
	})
	return v.upstream.answers.get(upstreamKey{asker.addr, id}, func() string {
		if at, ok := v.upstream.managed[id]; ok && v.changesAnywhere(ctx, asker, at) {
			return id
		}
		for _, one := range v.upstream.rest[id] {
			if !v.isGone(ctx, one.object) {
				return one.address
			}
		}
		for _, need := range v.graph.needs[id] {
			if what := v.behind(ctx, asker, need); what != "" {
				return what
			}
		}
		return ""
	})
}

func (v *verifier) findManaged() {
	v.upstream.managed = map[string]managedNode{}
	v.tree.Walk(func(t *tfconfig.Tree) {
		if t.Module == nil {
			return
		}
		for addr, res := range t.Module.Resources {
			if addr.Mode == tfaddr.Managed {
				v.upstream.managed[node(t, addr.String())] = managedNode{t, res}
			}
		}
	})
}

// leftObject is an object of the state in a module instance.
type leftObject struct {
	address, module string
	object          *object
}

// findLeft sorts what the state has in modules by what configuration has of it.
// What is in modules without a call is before nothing, and so are deposed
// objects.
func (v *verifier) findLeft() {
	v.upstream.left, v.upstream.rest = map[string][]leftObject{}, map[string][]leftObject{}
	for _, address := range sortedKeys(v.state.current) {
		e, ok := parseEndpointText(address)
		if !ok || len(e.modules) == 0 {
			continue
		}
		tree := v.tree
		for _, step := range e.modules {
			if tree = tree.Children[step.name]; tree == nil {
				break
			}
		}
		one := leftObject{address, endpoint{modules: e.modules}.String(), v.state.current[address]}
		switch {
		case tree == nil || tree.Module == nil:
		case tree.Module.Resources[*e.resource] == nil:
			id := node(tree.Parent, "module."+tree.Call.Name+" (all)")
			v.upstream.rest[id] = append(v.upstream.rest[id], one)
		default:
			v.upstream.left[e.static()] = append(v.upstream.left[e.static()], one)
		}
	}
}

// changesAnywhere reports whether a resource would change in any instance of
// its module, also in one that only the state has.
func (v *verifier) changesAnywhere(ctx context.Context, asker *module, at managedNode) bool {
	if at.tree == asker.tree {
		return asker.block(ctx, at.res).changes()
	}
	instances := v.expanded(ctx, at.tree)
	if slices.ContainsFunc(instances, func(m *module) bool { return m.block(ctx, at.res).changes() }) {
		return true
	}
	left := v.upstream.left[node(at.tree, at.res.Addr.String())]
	if len(left) == 0 {
		return false
	}
	configured := map[string]bool{}
	for _, m := range instances {
		configured[m.addr] = true
	}
	return slices.ContainsFunc(left, func(one leftObject) bool { return !configured[one.module] && !v.isGone(ctx, one.object) })
}

// expanded are all instances of a module, which are worked out where they are
// not yet.
func (v *verifier) expanded(ctx context.Context, t *tfconfig.Tree) []*module {
	if t.Call == nil {
		return []*module{v.root}
	}
	var out []*module
	for _, parent := range v.expanded(ctx, t.Parent) {
		out = append(out, parent.called(ctx, t.Call.Name).instances...)
	}
	return out
}
