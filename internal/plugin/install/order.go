package install

// inOrder lists the nodes that are wanted such that each comes after what it
// links. Where nodes link each other in a ring, it returns one such instead,
// first node again at its end.
func inOrder(wants []*want) (order []*node, cycle []*node) {
	s := sorter{state: map[*node]mark{}}
	for _, w := range wants {
		if cycle := s.visit(w.node); cycle != nil {
			return s.order, cycle
		}
	}
	return s.order, nil
}

type mark uint8

const (
	unvisited mark = iota
	open           // on the way from a want to here
	placed
)

type sorter struct {
	state map[*node]mark
	path  []*node
	order []*node
}

func (s *sorter) visit(n *node) (cycle []*node) {
	if n == nil || s.state[n] == placed {
		return nil
	}
	if s.state[n] == open {
		start := len(s.path) - 1
		for s.path[start] != n {
			start--
		}
		return append(append(cycle, s.path[start:]...), n)
	}
	s.state[n] = open
	s.path = append(s.path, n)
	for _, w := range n.links {
		if cycle := s.visit(w.node); cycle != nil {
			return cycle
		}
	}
	s.path = s.path[:len(s.path)-1]
	s.state[n] = placed
	s.order = append(s.order, n)
	return nil
}

// sealingOrder lists nodes such that each comes after what it links and
// requires. Where nodes require each other, one of them comes first.
func sealingOrder(nodes []*node) []*node {
	var order []*node
	seen := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, wants := range [][]*want{n.links, n.late, n.required} {
			for _, w := range wants {
				visit(w.node)
			}
		}
		order = append(order, n)
	}
	for _, n := range nodes {
		visit(n)
	}
	return order
}
