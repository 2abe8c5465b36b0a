package read

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// looks are how often an object is read again where one of its type was
// answered otherwise. A list of two that comes in any order looks the same all
// the time once in sixteen objects.
const looks = 4

// Steady holds what was read to what the next read says, which is what a client
// plans with. Some providers need a second read to fill in all of an object, and
// some services give a list in another order each time. A few objects of each
// type are read again; where one of them differs, all of the type are. Their
// states are then the last that was read, and what was never twice the same is
// named in [Object.Wavering].
func Steady(ctx context.Context, p tfprovider.Provider, outcomes []Outcome, concurrency int) []Outcome {
	catalog, diags := p.Schema(ctx)
	if diags.HasErrors() {
		return outcomes // reading has said so
	}
	out := slices.Clone(outcomes)
	l := &looker{provider: p, catalog: catalog, outcomes: out, ofType: map[string][]*sighting{}}
	l.gather()
	witnesses := l.witnesses()
	l.look(ctx, concurrency, witnesses)
	l.look(ctx, concurrency, slices.DeleteFunc(witnesses, (*sighting).settledAtOnce))
	for range looks {
		l.look(ctx, concurrency, l.doubtful())
	}
	l.conclude()
	return out
}

// looker reads objects again.
type looker struct {
	provider tfprovider.Provider
	catalog  *tfschema.Catalog
	outcomes []Outcome
	ofType   map[string][]*sighting
}

// sighting is an object and what became of it by being read again.
type sighting struct {
	outcome, place int
	block          *tfschema.Block
	object         Object
	looks          int
	// first and later are the root attributes and blocks that differed in the
	// first look and in those after it.
	first, later []string
}

func (l *looker) gather() {
	for i, o := range l.outcomes {
		for j, object := range o.Objects {
			schema, err := l.catalog.Resource(object.Type)
			if err != nil {
				continue
			}
			s := &sighting{outcome: i, place: j, block: schema.Block, object: object}
			l.ofType[object.Type] = append(l.ofType[object.Type], s)
		}
	}
}

// witnesses are those of each type that have most to say, and for each list that
// an order can be seen in one that has it.
func (l *looker) witnesses() []*sighting {
	var out []*sighting
	for _, sightings := range l.ofType {
		if len(sightings) > Witnesses {
			sightings = telling(sightings)
		}
		out = append(out, sightings...)
	}
	return out
}

// sample is about how many objects of a type are weighed.
const sample = 50

// telling are the witnesses of one type.
func telling(sightings []*sighting) []*sighting {
	type weighed struct {
		*sighting
		weight int
	}
	var some []weighed
	for i := 0; i < len(sightings); i += 1 + len(sightings)/sample {
		weight, _ := weigh(sightings[i].object.State)
		some = append(some, weighed{sightings[i], weight})
	}
	slices.SortStableFunc(some, func(a, b weighed) int { return b.weight - a.weight })
	var out []*sighting
	for _, w := range some[:Witnesses] {
		out = append(out, w.sighting)
	}
	for _, name := range listing(sightings[0].object.State.Type()) {
		orders := func(s *sighting) bool { return s.orders(name) }
		if slices.ContainsFunc(out, orders) {
			continue
		}
		if i := slices.IndexFunc(sightings, orders); i >= 0 {
			out = append(out, sightings[i])
		}
	}
	return out
}

// listing are the attributes of an object type that can have a list, sorted.
func listing(object cty.Type) []string {
	var out []string
	for name, ty := range object.AttributeTypes() {
		if hasList(ty) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func hasList(ty cty.Type) bool {
	switch {
	case ty.IsListType():
		return true
	case ty.IsCollectionType():
		return hasList(ty.ElementType())
	case ty.IsObjectType():
		return len(listing(ty)) > 0
	}
	return false
}

// orders reports whether an order can be seen in a root attribute or block.
func (s *sighting) orders(name string) bool {
	_, lists := weigh(s.object.State.GetAttr(name))
	return lists
}

// settledAtOnce are objects that one look is enough for. Two lists of the same
// two elements have the same order every other time.
func (s *sighting) settledAtOnce() bool {
	_, lists := weigh(s.object.State)
	return !lists || s.differed()
}

// weigh says about how much a value says, and whether there is a list in it of
// more than one element.
func weigh(v cty.Value) (weight int, lists bool) {
	switch {
	case v.IsNull() || !v.IsKnown():
		return 0, false
	case v.Type() == cty.String:
		return 1 + len(v.AsString()), false
	case !v.CanIterateElements():
		return 1, false
	}
	lists = v.Type().IsListType() && v.LengthInt() > 1
	for it := v.ElementIterator(); it.Next(); {
		_, element := it.Element()
		more, nested := weigh(element)
		weight, lists = weight+more, lists || nested
	}
	return weight + 1, lists
}

// doubtful are the objects of the types of which one differed.
func (l *looker) doubtful() []*sighting {
	var out []*sighting
	for _, sightings := range l.ofType {
		if slices.ContainsFunc(sightings, (*sighting).differed) {
			out = append(out, sightings...)
		}
	}
	return out
}

func (s *sighting) differed() bool { return len(s.first)+len(s.later) > 0 }

func (l *looker) look(ctx context.Context, concurrency int, at []*sighting) {
	parallel.Map(ctx, concurrency, at, func(ctx context.Context, s *sighting) struct{} {
		s.again(ctx, l.provider)
		return struct{}{}
	})
}

// again reads once more. What cannot be read now was read before, and counts.
func (s *sighting) again(ctx context.Context, p tfprovider.Provider) {
	resp, diags := readState(ctx, p, s.object.Found, tfprovider.ReadRequest{
		TypeName: s.object.Type, State: s.object.State, Private: s.object.Private, Identity: s.object.Identity,
	})
	if diags.HasErrors() {
		return
	}
	state := asPlanned(s.block, resp.State)
	differing := s.differing(state)
	if s.looks++; s.looks == 1 {
		s.first = differing
	} else {
		s.later = append(s.later, differing...)
	}
	if len(differing) == 0 {
		return
	}
	s.object.Filled = kept(s.object.Filled, s.object.State, state)
	s.object.State, s.object.Private, s.object.Identity = state, resp.Private, resp.Identity
}

// differing are the root attributes and blocks that another state has otherwise
// and that configuration can set: what it cannot, no plan is changed by.
func (s *sighting) differing(state cty.Value) []string {
	if state.RawEquals(s.object.State) {
		return nil
	}
	var out []string
	for name := range state.Type().AttributeTypes() {
		if a := s.block.Attribute(name); a != nil && !a.Required && !a.Optional {
			continue
		}
		if !state.GetAttr(name).RawEquals(s.object.State.GetAttr(name)) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// conclude puts what was read last in the place of what was read first. What
// differed at the first look alone has settled, unless others of the type show
// that it does not.
func (l *looker) conclude() {
	for _, sightings := range l.ofType {
		wavering := map[string]bool{}
		for _, s := range sightings {
			for _, name := range s.later {
				wavering[name] = true
			}
		}
		for _, s := range sightings {
			if !s.differed() {
				continue
			}
			s.object.Wavering = s.among(wavering)
			l.put(s)
		}
	}
}

// among are those of names that differed, sorted.
func (s *sighting) among(names map[string]bool) []string {
	var out []string
	for _, name := range slices.Concat(s.first, s.later) {
		if names[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// put replaces an object in an outcome of our own.
func (l *looker) put(s *sighting) {
	o := &l.outcomes[s.outcome]
	o.Objects = slices.Clone(o.Objects)
	o.Objects[s.place] = s.object
}
