package tfverify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// graph is what needs what, by name: one node for each block or named value
// of each module, not of each instance.
type graph struct {
	needs map[string][]string
	at    map[string]hcl.Range
	uses  uses
}

// checkCycles reports the things that need themselves. The graph has also what
// resources use, which it looks for on its way.
func checkCycles(tree *tfconfig.Tree) (*graph, diag.List) {
	g := &graph{needs: map[string][]string{}, at: map[string]hcl.Range{}, uses: uses{}}
	tree.Walk(func(t *tfconfig.Tree) {
		if t.Module != nil {
			g.module(t)
		}
	})
	left := g.peel()
	if len(left) == 0 {
		return g, nil
	}
	cycle := g.cycle(left)
	return nil, diag.List{dependencyCycle(cycle, g.at[cycle[0]])}
}

func node(t *tfconfig.Tree, name string) string {
	if addr := t.Address(); addr != "" {
		return addr + "." + name
	}
	return name
}

// add adds a node that needs what traversals lead to. Those to names that
// dynamic blocks bind are among them, and lead to no node.
func (g *graph) add(t *tfconfig.Tree, name string, at hcl.Range, traversals []hcl.Traversal) {
	id := node(t, name)
	g.at[id] = at
	refs, _ := tflang.References(traversals, nil)
	g.need(id, t, refs)
}

// need has a node need what references in t lead to.
func (g *graph) need(id string, t *tfconfig.Tree, refs []tflang.Reference) {
	for _, ref := range refs {
		g.needs[id] = append(g.needs[id], targets(t, ref)...)
	}
}

// exceptSelf takes out that a node needs itself, where it may.
func (g *graph) exceptSelf(id string) {
	g.needs[id] = slices.DeleteFunc(g.needs[id], func(dep string) bool { return dep == id })
}

// targets are the nodes that a reference in t leads to.
func targets(t *tfconfig.Tree, ref tflang.Reference) []string {
	switch ref.Kind {
	case tflang.KindVariable, tflang.KindLocal, tflang.KindResource, tflang.KindEphemeral:
		return []string{node(t, ref.String())}
	case tflang.KindModule:
		out := []string{node(t, "module."+ref.Name+" (call)")}
		child := t.Children[ref.Name]
		if child == nil || child.Module == nil {
			return out
		}
		if name := outputName(ref); name != "" {
			return append(out, node(child, "output."+name))
		}
		return append(out, node(t, "module."+ref.Name+" (all)"))
	}
	return nil
}

// outputName is the one output that a reference to a module reads, or "".
func outputName(ref tflang.Reference) string {
	rest := ref.Rest
	if len(rest) > 0 {
		if _, ok := rest[0].(hcl.TraverseIndex); ok {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		if attr, ok := rest[0].(hcl.TraverseAttr); ok {
			return attr.Name
		}
	}
	return ""
}

func (g *graph) module(t *tfconfig.Tree) {
	m := t.Module
	for name, local := range m.Locals {
		g.add(t, "local."+name, local.Range, local.Value.Variables())
	}
	for name, v := range m.Variables {
		g.add(t, "var."+name, v.Range, ruleVariables(v.Validations))
		g.exceptSelf(node(t, "var."+name))
	}
	for name, out := range m.Outputs {
		g.add(t, "output."+name, out.Range, append(variables(out.Value), ruleVariables(out.Preconditions)...))
		g.after(t, "output."+name, out.DependsOn)
	}
	for _, p := range m.Providers {
		traversals, _ := p.Traversals()
		name := providerNode(tfconfig.ProviderRef{Name: p.Name, Alias: p.Alias})
		g.add(t, name, p.Range, append(traversals, variables(p.ForEach)...))
	}
	for name, call := range m.Calls {
		g.add(t, "module."+name+" (call)", call.Range, variables(call.Count, call.ForEach, call.Enabled))
		g.after(t, "module."+name+" (call)", call.DependsOn)
		g.whole(t, name, call.Range)
	}
	g.imports(t)
	g.resources(t)
	g.inputs(t)
}

// imports ties what import blocks bring in to what they are evaluated with.
func (g *graph) imports(t *tfconfig.Tree) {
	if t.Call != nil {
		return // refused
	}
	for _, block := range t.Module.Imports {
		path, keys := leadsAnyKey(block.To)
		if e, ok := parseEndpoint(path); ok && e.resource != nil {
			used := slices.Concat(keys, variables(block.ID, block.Identity, block.ForEach))
			g.add(t, e.static(), block.Range, used)
			g.exceptSelf(e.static())
		}
	}
}

func ruleVariables(rules []*tfconfig.Rule) []hcl.Traversal {
	var out []hcl.Traversal
	for _, rule := range rules {
		out = append(out, variables(rule.Condition, rule.Message)...)
	}
	return out
}

// after adds what depends_on names: of a module, everything in it.
func (g *graph) after(t *tfconfig.Tree, name string, dependsOn []hcl.Traversal) {
	id := node(t, name)
	refs, _ := tflang.References(dependsOn, nil)
	for _, ref := range refs {
		g.needs[id] = append(g.needs[id], waitsFor(t, ref)...)
	}
}

// waitsFor are the nodes that an entry of depends_on stands for.
func waitsFor(t *tfconfig.Tree, ref tflang.Reference) []string {
	if ref.Kind == tflang.KindModule {
		return []string{node(t, "module."+ref.Name+" (all)")}
	}
	return targets(t, ref)
}

// whole adds the node that stands for all that a called module has. Clients
// count what nothing in it uses, too.
func (g *graph) whole(t *tfconfig.Tree, name string, at hcl.Range) {
	id := node(t, "module."+name+" (all)")
	g.at[id] = at
	g.needs[id] = append(g.needs[id], node(t, "module."+name+" (call)"))
	child := t.Children[name]
	if child == nil || child.Module == nil {
		return
	}
	inside := func(name string) { g.needs[id] = append(g.needs[id], node(child, name)) }
	for addr := range child.Module.Resources {
		inside(addr.String())
	}
	for inner := range child.Module.Calls {
		inside("module." + inner + " (all)")
	}
	for name := range child.Module.Variables {
		inside("var." + name)
	}
	for name := range child.Module.Locals {
		inside("local." + name)
	}
	for name := range child.Module.Outputs {
		inside("output." + name)
	}
}

// hasValuesAlone reports whether all that a node of the root module needs are
// variables and locals, which wait for nothing.
func (g *graph) hasValuesAlone(id string) bool {
	seen := map[string]bool{}
	left := slices.Clone(g.needs[id])
	for len(left) > 0 {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		if seen[next] {
			continue
		}
		if !strings.HasPrefix(next, "var.") && !strings.HasPrefix(next, "local.") {
			return false
		}
		seen[next] = true
		left = append(left, g.needs[next]...)
	}
	return true
}

func providerNode(ref tfconfig.ProviderRef) string { return "provider." + ref.String() }

func (g *graph) resources(t *tfconfig.Tree) {
	for _, res := range t.Module.Resources {
		g.uses[res] = usedBy(res.Traversals())
		name, life := res.Addr.String(), res.Lifecycle
		id := node(t, name)
		for _, p := range res.Provisioners {
			inIt, _ := provisionerTraversals(res, p)
			g.add(t, name, res.Range, inIt)
		}
		g.after(t, name, res.DependsOn)
		g.exceptSelf(id)
		g.add(t, name, res.Range, slices.Concat(variables(res.Count, res.ForEach, res.Enabled),
			triggerTraversals(life.ReplaceTriggeredBy...), ruleVariables(life.Preconditions), ruleVariables(life.Postconditions)))
		if meta := t.Module.ProviderMeta[res.ProviderName()]; meta != nil {
			g.need(id, t, usedBy(tflang.BodyTraversals(meta)).all())
		}
		g.need(id, t, g.uses[res].all())
		if owner, block := findProvider(t, resourceProvider(res)); block != nil {
			g.needs[id] = append(g.needs[id], node(owner, providerNode(tfconfig.ProviderRef{Name: block.Name, Alias: block.Alias})))
		}
		if t.Call != nil {
			g.needs[id] = append(g.needs[id], node(t.Parent, "module."+t.Call.Name+" (call)"))
		}
	}
}

// inputs ties the variables of t to what its caller passes.
func (g *graph) inputs(t *tfconfig.Tree) {
	if t.Call == nil {
		return
	}
	passed, _ := t.Call.Config.JustAttributes()
	for name, v := range t.Module.Variables {
		id := node(t, "var."+name)
		g.at[id] = v.Range
		g.needs[id] = append(g.needs[id], node(t.Parent, "module."+t.Call.Name+" (call)"))
		if attr := passed[name]; attr != nil {
			g.need(id, t.Parent, usedIn(attr.Expr).all())
		}
	}
}

// peel takes away what needs nothing that is left, until nothing more can
// go, and returns the rest.
func (g *graph) peel() map[string]bool {
	count := make(map[string]int, len(g.at))
	neededBy := map[string][]string{}
	for id := range g.at {
		for _, dep := range g.needs[id] {
			if _, known := g.at[dep]; known {
				count[id]++
				neededBy[dep] = append(neededBy[dep], id)
			}
		}
	}
	left := make(map[string]bool, len(g.at))
	var free []string
	for id := range g.at {
		left[id] = true
		if count[id] == 0 {
			free = append(free, id)
		}
	}
	for len(free) > 0 {
		id := free[len(free)-1]
		free = free[:len(free)-1]
		delete(left, id)
		for _, user := range neededBy[id] {
			if count[user]--; count[user] == 0 {
				free = append(free, user)
			}
		}
	}
	return left
}

// cycle walks what is left until it meets a node again. The result begins
// with its smallest name and ends where it began.
func (g *graph) cycle(left map[string]bool) []string {
	at := slices.Min(slices.Collect(maps.Keys(left)))
	seen := map[string]int{}
	var walk []string
	for {
		if i, again := seen[at]; again {
			walk = walk[i:]
			break
		}
		seen[at] = len(walk)
		walk = append(walk, at)
		next := slices.DeleteFunc(slices.Clone(g.needs[at]), func(id string) bool { return !left[id] })
		at = slices.Min(next)
	}
	least := slices.Index(walk, slices.MinFunc(walk, cmp.Compare[string]))
	walk = append(slices.Clone(walk[least:]), walk[:least]...)
	return append(walk, walk[0])
}

func cycleText(cycle []string) string { return strings.Join(cycle, " needs ") }
