package minimise

import (
	"context"
	"maps"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// shrinkGaps takes back the values of optional gaps that what is left of the
// configuration does not ask for.
func (s *solver) shrinkGaps(ctx context.Context, c choice) {
	if len(s.standing) == 0 {
		return // most objects have none
	}
	for _, g := range s.gaps {
		path := ctyx.PathString(g.path)
		if g.attribute.Required || !s.standing[path] {
			continue
		}
		before := s.vacate(path)
		form := s.form(c)
		if s.known.places[g.schema].refused[form] || !s.taken(ctx, c, g, form) {
			s.reinstate(before)
		}
	}
}

// vacate takes back the value of one optional gap. It returns which had values
// before.
func (s *solver) vacate(path string) (before map[string]bool) {
	before = s.standing
	without := maps.Clone(before)
	delete(without, path)
	s.reinstate(without)
	return before
}

// taken reports whether the provider takes a choice without the value of a gap,
// and learns where it does not.
func (s *solver) taken(ctx context.Context, c choice, g gap, form string) bool {
	t := s.try(ctx, c)
	if len(t.refused) > 0 {
		s.found.learn(g.schema, lesson{refused: map[string]bool{form: true}})
	}
	return t.ok()
}

// proposal is what a plan gives a gap where nothing is written; or NilVal.
func (s *solver) proposal(ctx context.Context, g gap) cty.Value {
	if _, unproposed := s.known.fillers[g.schema]; unproposed || g.attribute.WriteOnly {
		return cty.NilVal
	}
	if v, ok := follow(g.path, s.probe.state); ok && !v.IsNull() {
		return v
	}
	if !s.asked {
		s.asked = true
		c := keepAll(len(s.units))
		s.leaveOutConflicting(c)
		if result, refused := s.probe.update(ctx, s.config(c)); refused == nil {
			s.proposed = result.Planned
		}
	}
	if s.proposed == cty.NilVal {
		return cty.NilVal
	}
	if v, ok := follow(g.path, s.proposed); ok && !v.IsNull() && v.IsWhollyKnown() {
		return v
	}
	return cty.NilVal
}
