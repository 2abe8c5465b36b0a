package minimise

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// reconsider writes a unit again that was left out because of an objection,
// where the provider has none any more. It reports whether there was one.
func (s *solver) reconsider(ctx context.Context, c choice) (choice, bool) {
	beside := s.beside()
	if len(beside) == 0 {
		return c, false
	}
	key := s.besideKey(c, beside)
	if s.known.beside[key] && s.stillRefused(ctx, c, beside) {
		return c, false
	}
	for _, u := range beside {
		next := slices.Clone(c)
		next.add(s.units, u.id)
		delete(s.conflicting, u.id)
		if s.try(ctx, next).ok() {
			return next, true
		}
		s.conflicting[u.id] = true
		s.found.learn(u.schema, lesson{beside: true})
	}
	s.found.beside[key] = true
	return c, false
}

// beside lists the units that were left out because of objections, and that
// mean something.
func (s *solver) beside() []*unit {
	var out []*unit
	for _, id := range slices.Sorted(maps.Keys(s.conflicting)) {
		if u := &s.units[id]; !u.legacyID() && !(s.probe.legacy && zero(u.value)) {
			out = append(out, u)
		}
	}
	return out
}

// besideKey is a string equal for choices of one form without the same places.
func (s *solver) besideKey(c choice, beside []*unit) string {
	var out strings.Builder
	out.WriteString(s.form(c))
	for _, u := range beside {
		out.WriteString("\x00\x00" + u.schema)
	}
	return out.String()
}

// stillRefused asks about several units at once, where others of the form were
// asked about one by one. It reports whether there is an objection to each.
func (s *solver) stillRefused(ctx context.Context, c choice, beside []*unit) bool {
	refused := s.probe.validate(ctx, s.config(s.written(c, beside)))
	return !slices.ContainsFunc(beside, func(u *unit) bool { return !slices.ContainsFunc(refused, u.namedBy) })
}
