package minimise

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// mendRefused looks for the change that the provider's objections ask for. One
// thing to write is tried before several, and leaving something out last: it
// may be lost with that.
func (s *solver) mendRefused(ctx context.Context, c choice, t trial) choice {
	was, tenor := maps.Clone(s.standing), s.tenor(c)
	t.refused = inOrder(t.refused)
	for _, way := range []func(context.Context, choice, trial) choice{
		s.writeOne, s.writeTogether, s.fillOne, s.fillTogether, s.unfill, s.leaveOne, s.leaveAllButOne,
	} {
		if next := way(ctx, c, t); next != nil {
			if t.by == byValidate {
				s.found.remedies[tenor] = s.remedy(c, next, was)
			}
			return next
		}
	}
	return nil
}

// inOrder sorts objections, which some providers make in a random order.
func inOrder(refused diag.List) diag.List {
	return slices.SortedStableFunc(slices.Values(refused), func(a, b *diag.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(ctyx.PathString(a.Path), ctyx.PathString(b.Path)),
			cmp.Compare(a.Summary, b.Summary), cmp.Compare(a.Detail, b.Detail),
		)
	})
}

// writeOne writes one unit again.
func (s *solver) writeOne(ctx context.Context, c choice, t trial) choice {
	for _, u := range s.lacking(c, t.refused) {
		next := slices.Clone(c)
		if next.add(s.units, u.id); s.better(ctx, next, t) {
			return next
		}
	}
	return nil
}

// writeTogether writes all units again that one objection names, for those that
// are accepted together only.
func (s *solver) writeTogether(ctx context.Context, c choice, t trial) choice {
	for i := range t.refused {
		lacking := s.lacking(c, t.refused[i:i+1])
		if len(lacking) < 2 {
			continue
		}
		if next := s.written(c, lacking); s.better(ctx, next, t) {
			return next
		}
	}
	return nil
}

// lacking lists the units left out that objections name, but for those that
// were left out because of objections.
func (s *solver) lacking(c choice, refused diag.List) []*unit {
	return slices.DeleteFunc(s.named(refused), func(u *unit) bool { return c.has(s.units, u.id) || s.conflicting[u.id] })
}

// written is c with some units written that are not deprecated.
func (s *solver) written(c choice, units []*unit) choice {
	next := slices.Clone(c)
	for _, u := range units {
		if !u.deprecated {
			next.add(s.units, u.id)
		}
	}
	return next
}

// fillOne gives a value to one optional attribute that has none.
func (s *solver) fillOne(ctx context.Context, c choice, t trial) choice {
	standing := maps.Clone(s.standing)
	for _, g := range s.vacant(t.refused) {
		s.stand(ctx, g)
		if s.better(ctx, c, t) {
			return c
		}
		s.withdraw(standing)
	}
	return nil
}

// fillTogether writes all that one objection names, whether there is a value or
// not, and takes back the values that are not asked for after all.
func (s *solver) fillTogether(ctx context.Context, c choice, t trial) choice {
	standing := maps.Clone(s.standing)
	for i := range t.refused {
		gaps := slices.DeleteFunc(s.vacant(t.refused[i:i+1]), func(g gap) bool { return g.attribute.Deprecated })
		lacking := s.lacking(c, t.refused[i:i+1])
		if len(gaps) == 0 || len(gaps)+len(lacking) < 2 {
			continue
		}
		for _, g := range gaps {
			s.stand(ctx, g)
		}
		if next := s.written(c, lacking); s.better(ctx, next, t) {
			s.unfillEach(ctx, next, t, gaps)
			return next
		}
		s.withdraw(standing)
	}
	return nil
}

// unfillEach takes back the values of those gaps that are not asked for.
func (s *solver) unfillEach(ctx context.Context, c choice, t trial, gaps []gap) {
	for _, g := range slices.Backward(gaps) {
		if before := s.vacate(ctyx.PathString(g.path)); !s.better(ctx, c, t) {
			s.reinstate(before)
		}
	}
}

// unfill takes back the values of all optional attributes that have none.
func (s *solver) unfill(ctx context.Context, c choice, t trial) choice {
	before := maps.Clone(s.standing)
	if s.withdraw(nil); len(s.standing) == len(before) {
		return nil
	}
	if s.better(ctx, c, t) {
		return c
	}
	s.reinstate(before)
	return nil
}

// leaveOne leaves out one unit beside others.
func (s *solver) leaveOne(ctx context.Context, c choice, t trial) choice {
	for _, u := range slices.Backward(s.kept(c, t.refused)) {
		if next := c.without(u.id); s.better(ctx, next, t) {
			s.conflicting[u.id] = true
			return next
		}
	}
	return nil
}

// leaveAllButOne keeps one of several units that one objection names.
func (s *solver) leaveAllButOne(ctx context.Context, c choice, t trial) choice {
	for i := range t.refused {
		kept := s.kept(c, t.refused[i:i+1])
		if len(kept) < 3 { // two are one and another
			continue
		}
		for _, keep := range kept {
			next := slices.Clone(c)
			for _, u := range kept {
				next[u.id] = u == keep
			}
			if !s.better(ctx, next, t) {
				continue
			}
			for _, u := range kept {
				if u != keep {
					s.conflicting[u.id] = true
				}
			}
			return next
		}
	}
	return nil
}

// kept lists the units written that objections name.
func (s *solver) kept(c choice, refused diag.List) []*unit {
	return slices.DeleteFunc(s.named(refused), func(u *unit) bool { return !c.has(s.units, u.id) })
}
