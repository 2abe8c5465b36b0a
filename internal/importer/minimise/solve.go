package minimise

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// solver looks for the smallest configuration of one object, from one start.
type solver struct {
	probe    *probe
	smallest bool
	start    cty.Value
	units    []unit
	gaps     []gap
	known    *lessons        // of earlier objects; not changed
	found    *lessons        // of this object
	witness  map[string]bool // places; see [witnesses]

	// standing are the gaps that have a value, by path. Those in given have
	// what a plan gives them, and the others a stand-in.
	standing map[string]bool
	given    map[string]cty.Value
	// proposed is the plan from the object's state with everything written;
	// NilVal before it was asked for, and where there is none.
	proposed cty.Value
	asked    bool
	// conflicting units are left out because the provider refuses them
	// beside others; the third condition does not bind them.
	conflicting map[int]bool
	// valid is the key of the choice that was last seen to be valid while
	// objections were looked into.
	valid string
	// blind: the provider cannot plan a creation of this object at all, so
	// that nothing can be shown to be a default.
	blind   bool
	settled []cty.Path
}

// trial is what the provider said of one choice.
type trial struct {
	refused diag.List       // by Validate or a plan
	by      question        // which of them refused
	changed []tfplan.Change // that the update plan makes
	lost    []*unit         // left out, and a creation would not bring back
	created cty.Value       // the plan for creation
}

// question is one that the provider is asked about a configuration.
type question uint8

const (
	byValidate question = iota
	byUpdate
	byCreate
)

func (t trial) ok() bool { return len(t.refused) == 0 && len(t.changed) == 0 && len(t.lost) == 0 }

func (s *solver) config(c choice) cty.Value {
	return rebuild(s.probe.block, s.start, s.units, func(id int) bool { return c[id] }, s.fill)
}

// try asks about all three conditions, stopping at the first that fails.
func (s *solver) try(ctx context.Context, c choice) trial {
	config := s.config(c)
	if s.valid == "" || s.valid != s.key(c) {
		if refused := s.probe.validate(ctx, config); refused != nil {
			return trial{refused: refused}
		}
	}
	if t := s.tryUpdate(ctx, config); !t.ok() {
		return t
	}
	return s.tryCreate(ctx, c, config)
}

// tryUpdate asks whether the plan from the state is a no-op. A plan that
// only fills in what the state lacks settles it.
func (s *solver) tryUpdate(ctx context.Context, config cty.Value) trial {
	result, refused := s.probe.update(ctx, config)
	if refused != nil {
		return trial{refused: refused, by: byUpdate}
	}
	if result.Action == tfplan.NoOp {
		return trial{}
	}
	filled, paths, ok := settled(s.probe.state, result.Planned)
	if !ok {
		return trial{changed: result.Changes}
	}
	before := s.probe.state
	s.probe.state = tfconfig.AsWritten(filled)
	again, refused := s.probe.update(ctx, config)
	if refused != nil || again.Action != tfplan.NoOp {
		s.probe.state = before
		return trial{changed: result.Changes}
	}
	s.settled = append(s.settled, paths...)
	return trial{}
}

// tryCreate asks what a creation would not bring back. Where nothing is left
// out there is nothing to bring back: then the first configuration of a form
// shows whether the provider takes it, and others of that form are not asked
// about.
func (s *solver) tryCreate(ctx context.Context, c choice, config cty.Value) trial {
	if s.smallest {
		return trial{}
	}
	if s.blind {
		return trial{lost: s.leftOut(c)}
	}
	lacking := s.leftOut(c)
	form := s.form(c)
	if len(lacking) == 0 && s.known.creatable[form] {
		return trial{}
	}
	result, refused := s.probe.create(ctx, config)
	if refused != nil {
		return trial{refused: refused, by: byCreate}
	}
	if len(lacking) == 0 {
		s.found.creatable[form] = true
	}
	t := trial{created: result.Planned}
	for _, u := range lacking {
		if !s.recreated(u, result.Planned) {
			t.lost = append(t.lost, u)
		}
	}
	return t
}

// chosen lists the places that c leaves out and that a creation from config
// would not bring back. Where the provider plans no creation of the object,
// none is known to come back.
func (s *solver) chosen(ctx context.Context, c choice, config cty.Value) []cty.Path {
	lacking := s.leftOut(c)
	if len(lacking) == 0 {
		return nil
	}
	result, refused := s.probe.create(ctx, config)
	var out []cty.Path
	for _, u := range lacking {
		if refused != nil || !s.recreated(u, result.Planned) {
			out = append(out, u.path)
		}
	}
	return out
}

// form says which schema places a choice writes, stand-ins included.
func (s *solver) form(c choice) string {
	places := maps.Clone(s.standing)
	if places == nil {
		places = map[string]bool{}
	}
	c.keptUnits(s.units, func(u *unit) { places[u.schema] = true })
	return strings.Join(slices.Sorted(maps.Keys(places)), "\x00")
}

// tenor is a form that also says which places have a value that means something.
// What is best left out where the provider refuses a form depends on that, since
// false and nothing go first.
func (s *solver) tenor(c choice) string {
	said := map[string]bool{}
	c.keptUnits(s.units, func(u *unit) {
		if !zero(u.value) {
			said[u.schema] = true
		}
	})
	return s.form(c) + "\x00\x00" + strings.Join(slices.Sorted(maps.Keys(said)), "\x00")
}

// leftOut lists the units that condition three speaks of.
func (s *solver) leftOut(c choice) []*unit {
	var out []*unit
	c.leftOut(s.units, func(u *unit) {
		if !s.conflicting[u.id] {
			out = append(out, u)
		}
	})
	return out
}

// recreated reports whether a plan for creation gives what the state has
// where u was left out.
func (s *solver) recreated(u *unit, planned cty.Value) bool {
	now, ok := follow(u.home, planned)
	if !ok {
		return false
	}
	was, ok := follow(u.home, s.probe.state)
	if !ok {
		return false
	}
	return same(u.homeShape.written(now), u.homeShape.written(was), s.probe.legacy)
}

// guess is the first choice: what earlier objects and one bare plan for
// creation say.
func (s *solver) guess(ctx context.Context) choice {
	c := keepAll(len(s.units))
	unheardOf := false
	for i := range s.units {
		switch s.verdict(&s.units[i]) {
		case droppable:
			c[i] = false
		case unheard: // what is in a set cannot be found in a bare plan
			unheardOf = unheardOf || !s.units[i].inSet
		}
	}
	if s.smallest {
		return s.guessSmallest(ctx, c)
	}
	if unheardOf && !s.blind {
		s.guessBare(ctx, c)
	}
	s.leaveOutConflicting(c)
	return s.remedied(ctx, c)
}

// guessSmallest leaves out all but what is known to be asked for.
func (s *solver) guessSmallest(ctx context.Context, c choice) choice {
	for i := range s.units {
		c[i] = len(s.about(&s.units[i]).refused) > 0
	}
	s.leaveOutConflicting(c)
	return s.remedied(ctx, c)
}

// guessBare leaves out what a creation from required attributes alone
// would bring back.
func (s *solver) guessBare(ctx context.Context, c choice) {
	result, refused := s.probe.create(ctx, s.config(make(choice, len(s.units))))
	if refused != nil {
		return
	}
	for i := range s.units {
		u := &s.units[i]
		if s.verdict(u) == unheard && !u.inSet && s.recreated(u, result.Planned) {
			c[i] = false
		}
	}
}

func (s *solver) leaveOutConflicting(c choice) {
	for id := range s.conflicting {
		c[id] = false
	}
}

// verdict trusts what the object itself has taught, and what several before it
// have.
func (s *solver) verdict(u *unit) verdict {
	switch v := s.found.about(u, s.probe.legacy); v {
	case unheard:
	case doubtful:
		return necessary
	default:
		return v
	}
	v := s.known.about(u, s.probe.legacy)
	switch {
	case v != doubtful:
		return v
	case s.witness[u.schema]:
		return wanted
	default:
		s.found.trusted[u.schema] = true
		return necessary
	}
}

func (s *solver) about(u *unit) lesson {
	return s.known.places[u.schema].with(s.found.places[u.schema])
}

// solve returns the smallest choice, or the trial that shows why there is
// none.
func (s *solver) solve(ctx context.Context) (choice, trial) {
	c, t := s.repair(ctx, s.guess(ctx))
	if !t.ok() {
		return c, t
	}
	for again := true; again && ctx.Err() == nil; {
		c = s.shrink(ctx, c)
		s.shrinkGaps(ctx, c)
		c, again = s.reconsider(ctx, c)
	}
	s.remember(c)
	if len(s.known.remedies)+len(s.found.remedies) > 0 {
		s.found.taken[s.tenor(c)] = true
	}
	return c, trial{}
}

// remember keeps what a creation was seen to bring back.
func (s *solver) remember(c choice) {
	if s.smallest {
		return // none was asked for
	}
	for _, u := range s.leftOut(c) {
		switch {
		case !u.inSet:
			s.found.learn(u.schema, lesson{value: u.value})
		case !holds(s.known.places[u.schema].spare, u.value):
			s.found.learn(u.schema, lesson{spare: map[string]bool{valueKey(u.value): true}})
		}
	}
}
