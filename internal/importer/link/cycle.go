package link

import (
	"cmp"
	"slices"
)

// edge is a dependency of one resource on another, by position. Weak edges
// come from inside documents, which create nothing by themselves: they give
// way to the others.
type edge struct {
	from, to int32
	weak     bool
}

// breakCycles returns the edges to leave out so that no cycle remains. None
// of them could be kept in addition to the others. Strong edges are kept
// before weak ones, and earlier ones before later ones.
//
// Only edges inside a strongly connected component can be part of a cycle.
// Within one, edges are added one by one to a topological order that is
// repaired as needed (Pearce and Kelly, "A dynamic topological sort algorithm
// for directed acyclic graphs", 2006). The order that a depth-first walk
// gives to begin with suits nearly all of them, which then cost nothing.
func breakCycles(n int, edges []edge) map[edge]bool {
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(order(a.weak), order(b.weak)) })
	components, finish := newGraph(n, edges).components()

	o := newTopology(finish)
	dropped := map[edge]bool{}
	for _, e := range edges {
		if components[e.from] == components[e.to] && !o.add(e.from, e.to) {
			dropped[e] = true
		}
	}
	return dropped
}

func order(weak bool) int {
	if weak {
		return 1
	}
	return 0
}

// graph is adjacency lists.
type graph struct{ next [][]int32 }

func newGraph(n int, edges []edge) *graph {
	g := &graph{next: make([][]int32, n)}
	for _, e := range edges {
		g.next[e.from] = append(g.next[e.from], e.to)
	}
	return g
}

// components numbers the strongly connected components (Tarjan's algorithm),
// and gives every node its place in the order in which the depth-first walk
// left it: what a node depends on comes first.
func (g *graph) components() (component, finish []int32) {
	n := len(g.next)
	t := &tarjan{graph: g, index: make([]int32, n), low: make([]int32, n), component: make([]int32, n), finish: make([]int32, n)}
	for v := range int32(n) {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.component, t.finish
}

// tarjan is the state of one walk. index and component count from 1; 0 is
// not yet. Go's stacks grow, so plain recursion is deep enough.
type tarjan struct {
	*graph
	index, low, component, finish []int32
	stack                         []int32
	visited, finished, found      int32
}

func (t *tarjan) visit(v int32) {
	t.visited++
	t.index[v], t.low[v] = t.visited, t.visited
	t.stack = append(t.stack, v)
	for _, to := range t.next[v] {
		if t.index[to] == 0 {
			t.visit(to)
			t.low[v] = min(t.low[v], t.low[to])
		} else if t.component[to] == 0 {
			t.low[v] = min(t.low[v], t.index[to])
		}
	}
	t.finish[v] = t.finished
	t.finished++
	if t.low[v] == t.index[v] {
		t.pop(v)
	}
}

func (t *tarjan) pop(root int32) {
	t.found++
	for {
		last := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.component[last] = t.found
		if last == root {
			return
		}
	}
}

// topology is a topological order under insertion: an edge leads from a
// higher position to a lower one.
type topology struct {
	position       []int32
	next, previous [][]int32
	// seen holds the number of the last search that came by a node.
	seen   []int32
	search int32
}

func newTopology(position []int32) *topology {
	n := len(position)
	return &topology{position: position, next: make([][]int32, n), previous: make([][]int32, n), seen: make([]int32, n)}
}

// add inserts an edge, unless it would close a cycle.
func (o *topology) add(from, to int32) bool {
	if o.position[from] < o.position[to] {
		below, cyclic := o.reach(to, from)
		if cyclic {
			return false
		}
		o.reorder(below, o.reachBack(from, to))
	}
	o.next[from] = append(o.next[from], to)
	o.previous[to] = append(o.previous[to], from)
	return true
}

// reach collects what start depends on at positions above that of bound. It
// reports whether bound itself is among it, and stops there.
func (o *topology) reach(start, bound int32) (found []int32, cyclic bool) {
	low := o.position[bound]
	return o.collect(start, bound, o.next, func(v int32) bool { return o.position[v] > low })
}

// reachBack collects what depends on start at positions below that of bound.
func (o *topology) reachBack(start, bound int32) []int32 {
	high := o.position[bound]
	found, _ := o.collect(start, bound, o.previous, func(v int32) bool { return o.position[v] < high })
	return found
}

// collect walks from start along edges, through the nodes that are wanted. It
// reports whether it met target.
func (o *topology) collect(start, target int32, edges [][]int32, wanted func(int32) bool) ([]int32, bool) {
	o.search++
	o.seen[start] = o.search
	found := []int32{start}
	for i := 0; i < len(found); i++ {
		for _, v := range edges[found[i]] {
			if v == target {
				return nil, true
			}
			if o.seen[v] != o.search && wanted(v) {
				o.seen[v] = o.search
				found = append(found, v)
			}
		}
	}
	return found, false
}

// reorder moves below under above, within the positions that both hold now.
func (o *topology) reorder(below, above []int32) {
	byPosition := func(a, b int32) int { return cmp.Compare(o.position[a], o.position[b]) }
	slices.SortFunc(below, byPosition)
	slices.SortFunc(above, byPosition)
	nodes := append(below, above...)
	positions := make([]int32, len(nodes))
	for i, v := range nodes {
		positions[i] = o.position[v]
	}
	slices.Sort(positions)
	for i, v := range nodes {
		o.position[v] = positions[i]
	}
}
