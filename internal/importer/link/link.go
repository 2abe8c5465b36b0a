package link

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// Link writes references wherever rules declare them and exactly one other
// resource has the value. Bodies must hold no references between resources
// yet. The resources given are not changed. Values that were ambiguous, and
// links left out because of a cycle, are warnings; a context that ended is
// an error, and the result is empty then.
func Link(ctx context.Context, resources []Resource, rules *Rules) (Result, diag.List) {
	l := &linker{index: NewIndex(resources, rules), matchers: map[string]*matcher{}}
	for _, name := range rules.Types() {
		l.matchers[name] = newMatcher(rules.For(name))
	}
	for i := range resources {
		if err := ctx.Err(); err != nil {
			return Result{}, diag.FromError("LK0301", "Linking was interrupted", err)
		}
		l.survey(int32(i))
	}
	l.breakCycles()
	return l.result()
}

// linker decides about all places first, and writes references second.
type linker struct {
	index    *Index
	matchers map[string]*matcher // by resource type
	places   []place
}

// place is a site, what was decided about it, and where it is: the sites of a
// resource are counted in the order of the walk.
type place struct {
	from    int32
	site    int
	path    string
	weak    bool
	link    *candidate
	skipped *Skipped // nil where there is a link
}

// walk goes through the sites of a resource.
func (l *linker) walk(i int32, visit func(w *walker, n int, s site) tfconfig.Expr) *tfconfig.Body {
	r := l.index.resources[i]
	m := l.matchers[r.Addr.Type]
	if m == nil {
		return r.Body
	}
	n := -1
	w := &walker{}
	w.visit = func(s site) tfconfig.Expr {
		n++
		return visit(w, n, s)
	}
	return w.body(r.Body, r.Schema, nodes{m})
}

// survey resolves the sites of one resource.
func (l *linker) survey(i int32) {
	l.walk(i, func(w *walker, n int, s site) tfconfig.Expr {
		link, skipped := l.index.resolve(i, s)
		p := place{from: i, site: n, weak: s.document, link: link}
		if link == nil {
			if skipped.Reason == "" {
				return nil
			}
			p.skipped = &skipped
		}
		p.path = w.path()
		l.places = append(l.places, p)
		return nil
	})
}

// breakCycles turns links that would close a cycle into skipped places. All
// links between two resources share one edge, which is as strong as the
// strongest of them.
func (l *linker) breakCycles() {
	var edges []edge
	positions := map[[2]int32]int{}
	for _, p := range l.places {
		if p.link == nil {
			continue
		}
		pair := [2]int32{p.from, p.link.to}
		if at, ok := positions[pair]; ok {
			edges[at].weak = edges[at].weak && p.weak
			continue
		}
		positions[pair] = len(edges)
		edges = append(edges, edge{p.from, p.link.to, p.weak})
	}
	dropped := breakCycles(len(l.index.resources), edges)
	for i := range l.places {
		p := &l.places[i]
		if p.link == nil || !dropped[edges[positions[[2]int32{p.from, p.link.to}]]] {
			continue
		}
		p.skipped = &Skipped{Reason: Cycle, Rule: p.link.target.Range, Candidates: l.index.addresses([]int32{p.link.to})}
		p.link = nil
	}
}

// result writes the references and lists what was done.
func (l *linker) result() (Result, diag.List) {
	out := Result{Resources: make([]Resource, len(l.index.resources))}
	var diags diag.List
	copy(out.Resources, l.index.resources)
	for first := 0; first < len(l.places); {
		from, end := l.places[first].from, first
		exprs := map[int]tfconfig.Expr{}
		for ; end < len(l.places) && l.places[end].from == from; end++ {
			p := &l.places[end]
			if p.link != nil {
				exprs[p.site] = p.link.expr(l.index.resources[p.link.to])
				out.Links = append(out.Links, l.made(p))
				continue
			}
			p.skipped.From, p.skipped.Path = l.index.resources[from].Addr, p.path
			out.Skipped = append(out.Skipped, *p.skipped)
			diags = append(diags, warnSkipped(*p.skipped)...)
		}
		if len(exprs) > 0 {
			out.Resources[from].Body = l.walk(from, func(_ *walker, n int, _ site) tfconfig.Expr { return exprs[n] })
		}
		first = end
	}
	return out, diags
}

func (l *linker) made(p *place) Made {
	return Made{
		From: l.index.resources[p.from].Addr, Path: p.path,
		To: l.index.resources[p.link.to].Addr, Attribute: p.link.attribute, Rule: p.link.target.Range,
	}
}
