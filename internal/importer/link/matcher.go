package link

// matcher is the rules of one type as a tree of steps. A walk holds several
// nodes at a time, because brackets may be left out.
type matcher struct {
	rule   *Rule
	byName map[string]*matcher
	each   *matcher
	all    bool // matches every step
}

func newMatcher(rules []*Rule) *matcher {
	root := &matcher{}
	for _, rule := range rules {
		at := root
		for _, step := range rule.Path {
			at = at.child(step.Name)
			if step.Each {
				at = at.elements()
			}
		}
		if at.rule == nil {
			at.rule = rule
		}
	}
	return root
}

func (m *matcher) child(name string) *matcher {
	if m.byName == nil {
		m.byName = map[string]*matcher{}
	}
	if m.byName[name] == nil {
		m.byName[name] = &matcher{}
	}
	return m.byName[name]
}

func (m *matcher) elements() *matcher {
	if m.each == nil {
		m.each = &matcher{}
	}
	return m.each
}

// nodes are the matchers that a place in a body has reached.
type nodes []*matcher

// named follows a name.
func (ns nodes) named(name string) nodes {
	var out nodes
	for _, n := range ns {
		if next := n.byName[name]; next != nil {
			out = append(out, next)
		} else if n.all {
			out = append(out, n)
		}
	}
	return out
}

// eached follows brackets.
func (ns nodes) eached() nodes {
	var out nodes
	for _, n := range ns {
		if n.each != nil {
			out = append(out, n.each)
		}
	}
	return out
}

// rule is the rule for values at this place, or nil.
func (ns nodes) rule() *Rule {
	for _, n := range ns {
		if n.rule != nil {
			return n.rule
		}
	}
	return nil
}

// join is all nodes of both.
func join(a, b nodes) nodes {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	return append(append(make(nodes, 0, len(a)+len(b)), a...), b...)
}
