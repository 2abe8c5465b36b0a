package minimise

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// shrink leaves out what can still go, place by place, until nothing can:
// the result is 1-minimal. Units that a lesson calls necessary are not tried.
func (s *solver) shrink(ctx context.Context, c choice) choice {
	if s.blind {
		return c
	}
	for again := true; again && ctx.Err() == nil; {
		before := c.key()
		for _, group := range s.places(c) {
			c = s.shrinkGroup(ctx, c, group)
		}
		again = c.key() != before
	}
	return c
}

// places groups the kept units by schema place, in order.
func (s *solver) places(c choice) [][]*unit {
	at := map[string]int{}
	var out [][]*unit
	c.keptUnits(s.units, func(u *unit) {
		i, ok := at[u.schema]
		if !ok {
			i = len(out)
			at[u.schema] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], u)
	})
	return out
}

// shrinkGroup leaves out as many units of one place as it can: all of them
// at once if possible, else those that one failed try did not speak
// against, else each half.
func (s *solver) shrinkGroup(ctx context.Context, c choice, group []*unit) choice {
	group = s.open(c, group)
	if len(group) == 0 || ctx.Err() != nil {
		return c
	}
	next := c
	for _, u := range group {
		next = next.without(u.id)
	}
	ok, lost := s.shrinkable(ctx, next, group)
	switch {
	case ok:
		return next
	case len(group) == 1:
		return c
	case len(lost) > 0 && len(lost) < len(group):
		return s.shrinkGroup(ctx, c, except(group, lost))
	case group[0].inSet:
		// One alone teaches what a creation gives; the rest may follow from that.
		c = s.shrinkGroup(ctx, c, group[:1])
		return s.shrinkGroup(ctx, c, group[1:])
	default:
		c = s.shrinkGroup(ctx, c, group[:len(group)/2])
		return s.shrinkGroup(ctx, c, group[len(group)/2:])
	}
}

// open returns the units of a group that are still kept and may go.
func (s *solver) open(c choice, group []*unit) []*unit {
	var out []*unit
	for _, u := range group {
		if c.has(s.units, u.id) && s.verdict(u) != necessary && !s.refusedWithout(c, u) {
			out = append(out, u)
		}
	}
	return out
}

// refusedWithout reports whether the provider has refused what c would be
// without u, as far as the form says.
func (s *solver) refusedWithout(c choice, u *unit) bool {
	refused := s.about(u).refused
	return len(refused) > 0 && refused[s.form(c.without(u.id))]
}

func except(group, lost []*unit) []*unit {
	var out []*unit
	for _, u := range group {
		if !slices.Contains(lost, u) {
			out = append(out, u)
		}
	}
	return out
}

// shrinkable asks the three conditions about a choice without a group of one
// place, first the one that usually fails, and learns from the answer. lost
// names members of the group that a creation would not bring back.
func (s *solver) shrinkable(ctx context.Context, c choice, group []*unit) (ok bool, lost []*unit) {
	alone := len(group) == 1
	teach := func(l lesson) {
		if alone {
			s.found.learn(group[0].schema, l)
		}
	}
	config := s.config(c)
	t := s.tryCreate(ctx, c, config)
	switch {
	case len(t.refused) > 0:
		teach(s.refusedLesson(c, group[0]))
		return false, nil
	case len(t.lost) > 0:
		return false, s.learnLost(group, t)
	}
	result, refused := s.probe.update(ctx, config)
	switch {
	case refused != nil:
		teach(s.refusedLesson(c, group[0]))
		return false, nil
	case result.Action != tfplan.NoOp:
		teach(s.neededLesson(group[0], result.Planned))
		return false, nil
	}
	if refused := s.probe.validate(ctx, config); refused != nil {
		teach(s.refusedLesson(c, group[0]))
		return false, nil
	}
	return true, nil
}

// refusedLesson says that the provider refuses c, which lacks u. Where another
// unit is at the same place, the form does not tell the two apart.
func (s *solver) refusedLesson(c choice, u *unit) lesson {
	with, without := slices.Clone(c), s.form(c)
	if with.add(s.units, u.id); s.form(with) == without {
		return neededValue(u)
	}
	return lesson{refused: map[string]bool{without: true}}
}

// neededLesson says that the update plan wants u. Without the third condition
// only the value that this plan gives instead can be left out.
func (s *solver) neededLesson(u *unit, planned cty.Value) lesson {
	now, ok := follow(u.path, planned)
	if !s.smallest || u.inSet || !ok || !now.IsWhollyKnown() || same(now, u.value, s.probe.legacy) {
		return neededValue(u)
	}
	return lesson{value: now}
}

// learnLost notes what a creation gives in place of the members of a group,
// and returns those that it does not bring back.
func (s *solver) learnLost(group []*unit, t trial) []*unit {
	var lost []*unit
	for _, u := range group {
		switch now, ok := follow(u.path, t.created); {
		case u.inSet && len(group) > 1: // cannot be told apart
			continue
		case u.inSet:
			s.learnLostInSet(u, t)
		case ok && s.recreated(u, t.created):
			continue
		case !ok:
			s.found.learn(u.schema, neededValue(u))
		default:
			s.learnGiven(u, now)
		}
		lost = append(lost, u)
	}
	if len(lost) == 0 && len(group) == 1 { // another unit went with it
		s.found.learn(group[0].schema, neededValue(group[0]))
	}
	return lost
}

// learnGiven notes what a plan for creation has where u was left out, in vain.
func (s *solver) learnGiven(u *unit, now cty.Value) {
	given := lesson{value: now}
	if !now.IsWhollyKnown() {
		given = lesson{unknown: true}
	}
	s.found.learn(u.schema, given)
	if s.found.places[u.schema].varies { // within this object
		s.found.learn(u.schema, neededValue(u))
	}
}

func neededValue(u *unit) lesson {
	return lesson{needed: map[string]bool{valueKey(u.value): true}}
}

// learnLostInSet finds the element that took the place of the one u is in:
// the only one that the state does not have.
func (s *solver) learnLostInSet(u *unit, t trial) {
	needed := neededValue(u)
	planned, ok := follow(u.home, t.created)
	state, found := follow(u.home, s.probe.state)
	inside := u.path[len(u.home)+1:]
	if !ok || !found || !planned.IsKnown() || planned.IsNull() || state.IsNull() {
		s.found.learn(u.schema, needed)
		return
	}
	fresh := onlyIn(u.homeShape.written(planned), u.homeShape.written(state))
	if len(fresh) != 1 {
		s.found.learn(u.schema, needed)
		return
	}
	switch now, ok := follow(inside, fresh[0]); {
	case !ok:
		s.found.learn(u.schema, needed)
	default:
		s.learnGiven(u, now)
	}
}

// onlyIn returns the elements of set a that set b has not.
func onlyIn(a, b cty.Value) []cty.Value {
	has := map[int][]cty.Value{}
	for _, elem := range b.AsValueSlice() {
		has[elem.Hash()] = append(has[elem.Hash()], elem)
	}
	var out []cty.Value
next:
	for _, elem := range a.AsValueSlice() {
		for _, other := range has[elem.Hash()] {
			if elem.RawEquals(other) {
				continue next
			}
		}
		out = append(out, elem)
	}
	return out
}
