package link

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// closes reports whether to reaches from along kept edges: whether an edge
// between them closes a cycle.
func closes(next map[int32][]int32, from, to int32) bool {
	seen, queue := map[int32]bool{to: true}, []int32{to}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at == from {
			return true
		}
		for _, v := range next[at] {
			if !seen[v] {
				seen[v] = true
				queue = append(queue, v)
			}
		}
	}
	return false
}

// TestBreakCyclesProperty compares with the plain algorithm: take edges one
// by one, strong ones first, and leave out what closes a cycle. That gives
// exactly the same answer, which is free of cycles and cannot be added to.
func TestBreakCyclesProperty(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(12)
		var edges []edge
		seen := map[[2]int32]bool{}
		for range r.IntN(4 * n) {
			e := edge{int32(r.IntN(n)), int32(r.IntN(n)), r.IntN(3) == 0}
			if pair := [2]int32{e.from, e.to}; e.from != e.to && !seen[pair] {
				seen[pair] = true
				edges = append(edges, e)
			}
		}
		got := breakCycles(n, edges)
		next := map[int32][]int32{}
		for _, weak := range []bool{false, true} {
			for _, e := range edges {
				if e.weak != weak {
					continue
				}
				want := closes(next, e.from, e.to)
				if got[e] != want {
					t.Fatalf("seed %d: edge %v of %v: dropped is %v, want %v", seed, e, edges, got[e], want)
				}
				if !want {
					next[e.from] = append(next[e.from], e.to)
				}
			}
		}
	}
}

// knots are graphs whose every node is on a cycle.
func knots(n int32) map[string][]edge {
	out := map[string][]edge{}
	r := rand.New(rand.NewPCG(1, 2))
	name := r.Perm(int(n))
	for i := range n {
		next := (i + 1) % n
		out["ring"] = append(out["ring"], edge{i, next, false})
		out["ring backwards"] = append(out["ring backwards"], edge{next, i, false})
		out["ring shuffled"] = append(out["ring shuffled"], edge{int32(name[i]), int32(name[next]), i%2 == 0})
		out["pairs in a chain"] = append(out["pairs in a chain"], edge{i, next, false}, edge{next, i, false})
		out["hub"] = append(out["hub"], edge{0, max(i, 1), false}, edge{max(i, 1), 0, i%2 == 0})
		out["random"] = append(out["random"], edge{i, int32(r.IntN(int(n))), false}, edge{i, int32(r.IntN(int(n))), true})
	}
	return out
}

func BenchmarkBreakCycles(b *testing.B) {
	const n = 10_000
	for name, edges := range knots(n) {
		b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
			for b.Loop() {
				breakCycles(n, edges)
			}
		})
	}
}
