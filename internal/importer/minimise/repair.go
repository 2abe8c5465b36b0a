package minimise

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// repair changes a choice by what the provider objects to until it is
// accepted. Where that leads nowhere everything is kept, once.
func (s *solver) repair(ctx context.Context, c choice) (choice, trial) {
	seen := map[string]bool{}
	wholly := false
	for {
		t := s.try(ctx, c)
		if t.ok() || ctx.Err() != nil {
			return c, t
		}
		seen[s.key(c)] = true
		next := s.mend(ctx, c, t)
		if next == nil || seen[s.key(next)] {
			if wholly {
				return c, t
			}
			wholly = true
			next = keepAll(len(s.units))
			s.leaveOutConflicting(next)
			if seen[s.key(next)] && !s.goBlind(t) {
				return c, t
			}
		}
		c = next
	}
}

// key is a string equal for equal configurations.
func (s *solver) key(c choice) string {
	return c.key() + strings.Join(slices.Sorted(maps.Keys(s.standing)), "\x00")
}

// goBlind gives up plans for creation where such a plan fails even with
// everything written. It reports whether it was one that failed.
func (s *solver) goBlind(t trial) bool {
	if s.blind || t.by != byCreate {
		return false
	}
	s.blind = true
	return true
}

// mend returns a better choice, or nil where there is nothing to change.
func (s *solver) mend(ctx context.Context, c choice, t trial) choice {
	next := slices.Clone(c)
	changed := false
	switch {
	case len(t.refused) > 0:
		return s.mendRefused(ctx, c, t)
	case len(t.changed) > 0:
		changed = s.addChanged(next, t.changed)
	default:
		for _, u := range t.lost {
			changed = next.add(s.units, u.id) || changed
		}
	}
	if !changed {
		return nil
	}
	return next
}

// addChanged keeps what the update plan would change.
func (s *solver) addChanged(c choice, changes []tfplan.Change) bool {
	changed := false
	for _, change := range changes {
		at := schemaPlace(change.Path)
		for i := range s.units {
			u := &s.units[i]
			if !c[i] && !s.conflicting[i] && overlap(at, u.schema) {
				changed = c.add(s.units, i) || changed
			}
		}
	}
	return changed
}

// vacant lists the optional gaps that the objections name, those first that
// every client can write and that the provider does not choose itself.
func (s *solver) vacant(refused diag.List) []gap {
	var out []gap
	for _, g := range s.gaps {
		u := unit{schema: g.schema}
		if !g.attribute.Required && !g.inSet && !s.standing[ctyx.PathString(g.path)] && slices.ContainsFunc(refused, u.namedBy) {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b gap) int { return cmp.Compare(a.reluctance(), b.reluctance()) })
	return out
}

func (g gap) reluctance() int {
	score := 0
	if g.attribute.Deprecated {
		score += 4
	}
	if g.attribute.WriteOnly {
		score += 2
	}
	if g.attribute.Computed {
		score++
	}
	return score
}

// better reports whether the provider objects to less than in an earlier trial,
// when asked the same: to fewer things, or to none of those it objected to.
func (s *solver) better(ctx context.Context, c choice, than trial) bool {
	config := s.config(c)
	now := s.probe.validate(ctx, config)
	if now == nil {
		s.valid = s.key(c)
	}
	switch {
	case now != nil && than.by != byValidate:
		return false
	case than.by == byUpdate:
		_, now = s.probe.update(ctx, config)
	case than.by == byCreate:
		_, now = s.probe.create(ctx, config)
	}
	if len(now) < len(than.refused) {
		return true
	}
	return !slices.ContainsFunc(than.refused, func(d *diag.Diagnostic) bool {
		return slices.ContainsFunc(now, func(other *diag.Diagnostic) bool { return sameObjection(d, other) })
	})
}

// sameObjection goes by the place of an objection where it has one: its words
// may count up what is written.
func sameObjection(a, b *diag.Diagnostic) bool {
	return a.Summary == b.Summary && a.Path.Equals(b.Path) && (len(a.Path) > 0 || a.Detail == b.Detail)
}

// named lists the units that the objections speak of, by their path or in
// their words; those most worth keeping first.
func (s *solver) named(refused diag.List) []*unit {
	var out []*unit
	for i := range s.units {
		u := &s.units[i]
		if slices.ContainsFunc(refused, u.namedBy) {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b *unit) int { return cmp.Compare(a.disposability(), b.disposability()) })
	return out
}

func (u *unit) namedBy(d *diag.Diagnostic) bool {
	if len(d.Path) > 0 && overlap(schemaPlace(d.Path), u.schema) {
		return true
	}
	return u.mentions(d.Summary + "\n" + d.Detail)
}

// disposability orders units: deprecated ones go first, then those with
// nothing in them, then those that the provider could choose itself.
func (u *unit) disposability() int {
	score := 0
	if u.deprecated {
		score += 4
	}
	if zero(u.value) {
		score += 2
	}
	if u.computed() {
		score++
	}
	return score
}

// schemaPlace drops the keys of a path: "rule.ports" for rule[0].ports.
func schemaPlace(path cty.Path) string {
	var names []string
	for _, step := range path {
		if s, ok := step.(cty.GetAttrStep); ok {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ".")
}

// overlap reports whether one schema place is, or lies within, the other.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || a == "" || strings.HasPrefix(b, a+".")
}
