package minimise

import (
	"context"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// standIn chooses a value for each attribute that must be written although
// the provider cannot read it, and has the plan ignore it.
func (s *solver) standIn(ctx context.Context) {
	s.probe.ignore.Paths = nil
	s.standing, s.given = map[string]bool{}, map[string]cty.Value{}
	for _, g := range s.gaps {
		if g.attribute.Required {
			s.stand(ctx, g)
		}
	}
}

// stand gives a gap a value: where it is optional the one that a plan gives it,
// if that is known, and otherwise a stand-in. There is none for a gap in a set:
// no path leads there, and the provider will say what is missing.
func (s *solver) stand(ctx context.Context, g gap) {
	if g.inSet {
		return
	}
	path := ctyx.PathString(g.path)
	if !g.attribute.Required {
		if v := s.proposal(ctx, g); v != cty.NilVal {
			s.standing[path], s.given[path] = true, v
			return
		}
	}
	s.standing[path] = true
	s.probe.ignore.Paths = append(s.probe.ignore.Paths, g.path)
	if s.fill(g).IsNull() {
		s.chooseStandIn(ctx, g)
	}
}

// withdraw takes back the values of optional attributes that are not kept.
func (s *solver) withdraw(kept map[string]bool) {
	standing := maps.Clone(s.standing)
	for _, g := range s.gaps {
		if path := ctyx.PathString(g.path); !g.attribute.Required && !kept[path] {
			delete(standing, path)
		}
	}
	s.reinstate(standing)
}

// reinstate has those gaps have values that had them before.
func (s *solver) reinstate(standing map[string]bool) {
	s.standing, s.probe.ignore.Paths = standing, nil
	for _, g := range s.gaps {
		if path := ctyx.PathString(g.path); standing[path] && s.given[path] == cty.NilVal {
			s.probe.ignore.Paths = append(s.probe.ignore.Paths, g.path)
		}
	}
}

// fill gives the value of a gap in configuration: its stand-in, or null.
func (s *solver) fill(g gap) cty.Value {
	if len(s.standing) == 0 {
		return cty.NullVal(g.attribute.Type)
	}
	path := ctyx.PathString(g.path)
	if !s.standing[path] {
		return cty.NullVal(g.attribute.Type)
	}
	if v := s.given[path]; v != cty.NilVal {
		return v
	}
	if v, ok := s.found.fillers[g.schema]; ok {
		return v
	}
	if v, ok := s.known.fillers[g.schema]; ok {
		return v
	}
	return cty.NullVal(g.attribute.Type)
}

// chooseStandIn takes the first candidate that the provider's validation
// does not object to.
func (s *solver) chooseStandIn(ctx context.Context, g gap) {
	candidates := standIns(g.attribute.Type)
	for _, candidate := range candidates {
		s.found.fillers[g.schema] = candidate
		refused := s.probe.validate(ctx, s.config(keepAll(len(s.units))))
		objected := slices.ContainsFunc(refused, func(d *diag.Diagnostic) bool {
			return len(d.Path) > 0 && overlap(schemaPlace(d.Path), g.schema)
		})
		if !objected {
			return
		}
	}
	if len(candidates) > 0 {
		s.found.fillers[g.schema] = candidates[0]
	}
}

// standIns lists values of a type that say that they are none.
func standIns(ty cty.Type) []cty.Value {
	switch {
	case ty == cty.String || ty == cty.DynamicPseudoType:
		return []cty.Value{cty.StringVal("REPLACE_ME"), cty.StringVal("replace-me-0"), cty.StringVal("Replace-Me-0-Replace-Me-0"), cty.StringVal("")}
	case ty == cty.Number:
		return []cty.Value{cty.Zero, cty.NumberIntVal(1)}
	case ty == cty.Bool:
		return []cty.Value{cty.False, cty.True}
	case ty.IsListType():
		return collections(ty, cty.ListVal, cty.ListValEmpty)
	case ty.IsSetType():
		return collections(ty, cty.SetVal, cty.SetValEmpty)
	case ty.IsMapType():
		return []cty.Value{cty.MapValEmpty(ty.ElementType())}
	case ty.IsObjectType():
		return []cty.Value{objectStandIn(ty)}
	default:
		return nil
	}
}

func collections(ty cty.Type, of func([]cty.Value) cty.Value, empty func(cty.Type) cty.Value) []cty.Value {
	elem := ty.ElementType()
	out := []cty.Value{}
	if !elem.HasDynamicTypes() {
		out = append(out, empty(elem))
	}
	if one := standIns(elem); len(one) > 0 && one[0].Type().Equals(elem) {
		out = append(out, of(one[:1]))
	}
	return out
}

func objectStandIn(ty cty.Type) cty.Value {
	vals := map[string]cty.Value{}
	for name, attr := range ty.AttributeTypes() {
		vals[name] = cty.NullVal(attr)
		if one := standIns(attr); len(one) > 0 {
			vals[name] = one[0]
		}
	}
	return cty.ObjectVal(vals)
}

// unreadable lists the gaps inside what is kept, with their stand-ins.
func (s *solver) unreadable(c choice) []Unreadable {
	if len(s.standing) == 0 {
		return nil
	}
	var out []Unreadable
	rebuild(s.probe.block, s.start, s.units, func(id int) bool { return c[id] }, func(g gap) cty.Value {
		v := s.fill(g)
		if !v.IsNull() && s.given[ctyx.PathString(g.path)] == cty.NilVal {
			out = append(out, Unreadable{
				Path: g.path, StandIn: v,
				Sensitive: g.attribute.Sensitive, WriteOnly: g.attribute.WriteOnly,
			})
		}
		return v
	})
	return out
}
