package minimise

import (
	"maps"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/importer/read"
)

// lesson is what one object taught about leaving out the attribute or block
// type at one schema place.
type lesson struct {
	// value is what a plan for creation gives in its place; NilVal where
	// that is not known yet.
	value cty.Value
	// unknown: a plan for creation cannot know it.
	unknown bool
	// objects is how many said so, of either; varies: they did not say the same,
	// so that it follows from what else they are.
	objects int
	varies  bool
	// refused are the forms of configurations without it that the provider
	// refuses; see [solver.form].
	refused map[string]bool
	// beside: the provider has refused it beside others.
	beside bool
	// needed holds values that must be written although a plan for creation
	// gives the same, or gave nothing to compare.
	needed map[string]bool
	// spare holds values inside sets that a creation has brought back.
	spare map[string]bool
}

// lessons is what the objects of one type have taught, by schema place. It
// is not changed while objects are worked on: each object's own findings are
// merged in between, in the order of objects, so that results never depend
// on who finished first.
type lessons struct {
	places map[string]lesson
	// settled holds what the states of earlier objects lacked, by root attribute.
	settled map[string]settlement
	legacy  bool
	// generates is what the provider's generated configurations are like.
	generates generation
	// fillers holds accepted stand-ins, by schema place.
	fillers map[string]cty.Value
	// remedies are what the provider took instead of what it refused, by the tenor
	// of that; see [solver.tenor].
	remedies map[string]remedy
	// taken are the tenors that the provider took, of the types that have refused
	// some.
	taken map[string]bool
	// beside are forms beside which certain places are refused.
	beside map[string]bool
	// creatable are the forms of whole configurations that a plan for
	// creation took; see [solver.form].
	creatable map[string]bool
	// verbatim are places whose JSON documents the provider wants as they are.
	verbatim map[string]bool
	// trusted are the places where one object alone was believed; see [witnesses].
	trusted map[string]bool
}

func newLessons() *lessons {
	return &lessons{
		places: map[string]lesson{}, settled: map[string]settlement{}, fillers: map[string]cty.Value{},
		remedies: map[string]remedy{}, taken: map[string]bool{}, beside: map[string]bool{},
		creatable: map[string]bool{}, verbatim: map[string]bool{}, trusted: map[string]bool{},
	}
}

// anything reports whether one object taught more than what kind of provider
// it has.
func (l *lessons) anything() bool {
	return len(l.places)+len(l.settled)+len(l.fillers)+len(l.remedies)+len(l.taken)+len(l.beside)+len(l.creatable)+len(l.verbatim) > 0
}

// merge adds what one object taught.
func (l *lessons) merge(found *lessons) {
	for schema, more := range found.places {
		l.places[schema] = l.places[schema].with(more)
	}
	for name, more := range found.settled {
		l.settled[name] = l.settled[name].with(more)
	}
	maps.Copy(l.fillers, found.fillers)
	maps.Copy(l.remedies, found.remedies)
	maps.Copy(l.taken, found.taken)
	maps.Copy(l.beside, found.beside)
	maps.Copy(l.creatable, found.creatable)
	maps.Copy(l.verbatim, found.verbatim)
	maps.Copy(l.trusted, found.trusted)
	l.legacy = l.legacy || found.legacy
	l.generates = max(l.generates, found.generates)
}

// withoutSettled is what is known but for the states of earlier objects.
func (l *lessons) withoutSettled() *lessons {
	out := *l
	out.settled = map[string]settlement{}
	return &out
}

// customary are the values that other objects can adopt: several came to them
// on their own, and none to another.
func (l *lessons) customary() map[string]cty.Value {
	var out map[string]cty.Value
	for name, s := range l.settled {
		if s.objects < read.Witnesses || s.value == cty.NilVal {
			continue
		}
		if out == nil {
			out = map[string]cty.Value{}
		}
		out[name] = s.value
	}
	return out
}

// settlement is a value that objects were settled with on their own; NilVal
// where it was not the same for all of them.
type settlement struct {
	value   cty.Value
	objects int
}

func (s settlement) with(more settlement) settlement {
	if s.objects > 0 && (s.value == cty.NilVal || more.value == cty.NilVal || !s.value.RawEquals(more.value)) {
		more.value = cty.NilVal
	}
	more.objects += s.objects
	return more
}

// with joins two lessons about one place; the later value wins.
func (l lesson) with(more lesson) lesson {
	out := lesson{
		value: l.value, unknown: l.unknown || more.unknown, beside: l.beside || more.beside,
		objects: l.objects + more.objects, varies: l.varies || more.varies || l.contradicts(more),
		refused: union(l.refused, more.refused), needed: union(l.needed, more.needed), spare: union(l.spare, more.spare),
	}
	if more.value != cty.NilVal {
		out.value = more.value
	}
	return out
}

// given reports whether the lesson says what a plan for creation gives.
func (l lesson) given() bool { return l.unknown || l.value != cty.NilVal }

// contradicts reports whether a plan for creation gives one thing by l and
// another by m. Null and zero are one here, as they are to the legacy SDK.
func (l lesson) contradicts(m lesson) bool {
	switch {
	case !l.given() || !m.given():
		return false
	case l.value == cty.NilVal || m.value == cty.NilVal:
		return l.unknown != m.unknown
	default:
		return !same(l.value, m.value, true)
	}
}

// union does not change a, which others may hold.
func union(a, b map[string]bool) map[string]bool {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(b)
	maps.Copy(out, a)
	return out
}

// learn records a lesson of one object, for this and later ones.
func (l *lessons) learn(schema string, more lesson) {
	all := l.places[schema].with(more)
	if all.given() {
		all.objects = 1
	}
	l.places[schema] = all
}

// verdict is what lessons say of a unit before anything is asked.
type verdict uint8

const (
	unheard verdict = iota
	droppable
	// wanted: the provider has refused some configurations without it, or with
	// it, and nothing else is known.
	wanted
	// doubtful: one object alone says that it is necessary.
	doubtful
	necessary
)

func (l *lessons) about(u *unit, legacy bool) verdict {
	known, ok := l.places[u.schema]
	switch {
	case !ok:
		return unheard
	case holds(known.needed, u.value):
		return necessary
	case holds(known.spare, u.value):
		return droppable
	case known.varies:
		return unheard
	case !known.given() && (known.beside || len(known.refused) > 0):
		return wanted
	case !known.given():
		return unheard
	case !known.unknown && same(known.value, u.value, legacy):
		return droppable
	case known.objects < read.Witnesses:
		return doubtful
	default:
		return necessary
	}
}

// holds reports whether a value is among those of a lesson.
func holds(values map[string]bool, v cty.Value) bool { return len(values) > 0 && values[valueKey(v)] }

// valueKey is a string equal for equal values of one type.
func valueKey(v cty.Value) string {
	data, err := ctyx.EncodeMsgpack(v, v.Type())
	if err != nil { // a value that came off the wire goes back
		return err.Error()
	}
	return string(data)
}
