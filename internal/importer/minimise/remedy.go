package minimise

import (
	"context"
	"slices"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// remedy is what the provider took instead of what it refused, by schema
// places: what was written, what left out, and the gaps that got values.
type remedy struct {
	add, leave, fill map[string]bool
}

// remedy is what was done to c.
func (s *solver) remedy(c, next choice, standing map[string]bool) remedy {
	r := remedy{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for i := range s.units {
		switch had, has := c.has(s.units, i), next.has(s.units, i); {
		case has && !had:
			r.add[s.units[i].schema] = true
		case had && !has:
			r.leave[s.units[i].schema] = true
		}
	}
	for _, g := range s.gaps {
		if path := ctyx.PathString(g.path); s.standing[path] && !standing[path] {
			r.fill[g.schema] = true
		}
	}
	return r
}

// remedied does at once what objections to such a form have led to before.
func (s *solver) remedied(ctx context.Context, c choice) choice {
	filled := false
	for range len(s.known.remedies) { // each tenor is refused once
		tenor := s.tenor(c)
		switch r, ok := s.known.remedies[tenor]; {
		case ok:
			c = s.apply(ctx, c, r)
		case filled || s.known.taken[tenor]:
			return c
		default:
			s.fillWanted(ctx)
			filled = true
		}
	}
	return c
}

// fillWanted gives a value to what other forms were refused without.
func (s *solver) fillWanted(ctx context.Context) {
	for _, g := range s.gaps {
		if len(s.known.places[g.schema].refused) > 0 && !s.standing[ctyx.PathString(g.path)] {
			s.stand(ctx, g)
		}
	}
}

func (s *solver) apply(ctx context.Context, c choice, r remedy) choice {
	next := slices.Clone(c)
	for i := range s.units {
		switch u := &s.units[i]; {
		case r.add[u.schema]:
			next.add(s.units, i)
		case r.leave[u.schema] && next[i]:
			next[i], s.conflicting[i] = false, true
		}
	}
	for _, g := range s.gaps {
		if r.fill[g.schema] && !s.standing[ctyx.PathString(g.path)] {
			s.stand(ctx, g)
		}
	}
	return next
}
