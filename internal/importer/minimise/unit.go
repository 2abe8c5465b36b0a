package minimise

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// unit is one thing that configuration could do without: an optional
// attribute with a value, or an optional nested block type with blocks in
// it. Units nest; those inside one follow it, up to end.
type unit struct {
	id, end int
	// schema is the place without keys, "rule.ports": the same for all
	// elements and all objects of the type.
	schema string
	// path leads to the value in the starting configuration. Past a set it
	// cannot be followed in other values; see home.
	path cty.Path
	// home leads to where the value can be compared in a plan: path itself,
	// or the outermost set around it.
	home       cty.Path
	inSet      bool
	value      cty.Value
	attribute  *tfschema.Attribute   // nil for a block type
	block      *tfschema.NestedBlock // nil for an attribute
	homeShape  shape                 // what is at home
	deprecated bool
}

// computed reports whether the provider may choose the value of u itself.
func (u *unit) computed() bool { return u.attribute != nil && u.attribute.Computed }

// gap is an attribute without a value. A required one, or an optional one
// that the provider asks for in the end, needs a stand-in: the provider
// cannot read what it has.
type gap struct {
	schema    string
	path      cty.Path
	inSet     bool
	attribute *tfschema.Attribute
}

// place is where a walk is.
type place struct {
	schema string
	path   cty.Path
	home   cty.Path // nil outside of sets
	shape  shape    // what is at home
}

func (p place) attr(name string) place {
	schema := name
	if p.schema != "" {
		schema = p.schema + "." + name
	}
	return place{schema: schema, path: extend(p.path, cty.GetAttrStep{Name: name}), home: p.home, shape: p.shape}
}

func (p place) element(key cty.Value, in shape, set bool) place {
	if set { // a path must not hold a value
		key = ctyx.SetElement().Key
	}
	next := place{schema: p.schema, path: extend(p.path, cty.IndexStep{Key: key}), home: p.home, shape: p.shape}
	if set && p.home == nil {
		next.home, next.shape = p.path, in
	}
	return next
}

// extend appends a step without sharing memory with siblings.
func extend(path cty.Path, step cty.PathStep) cty.Path {
	return append(path[:len(path):len(path)], step)
}

// walk goes over a starting configuration, in an order fixed by the schema
// and the value. It gathers units, or leaves out those that keep refuses.
type walk struct {
	units []unit
	gaps  []gap
	next  int
	// keep is nil while gathering.
	keep func(id int) bool
	// fill gives the value of a gap; nil leaves it null.
	fill func(gap) cty.Value
}

// gather returns the units and gaps of a configuration.
func gather(block *tfschema.Block, config cty.Value) ([]unit, []gap) {
	w := &walk{}
	w.block(block, config, place{})
	return w.units, w.gaps
}

// rebuild returns config without the units that keep refuses, what only the
// provider sets, and with gaps filled.
func rebuild(block *tfschema.Block, config cty.Value, units []unit, keep func(id int) bool, fill func(gap) cty.Value) cty.Value {
	w := &walk{units: units, keep: keep, fill: fill}
	return w.block(block, config, place{})
}

// begin registers a unit and reports whether its value is kept; if so,
// finish must be called after what is inside it.
func (w *walk) begin(u unit, at place) (id int, kept bool) {
	id = w.next
	if w.gathering() {
		u.id, u.schema, u.path, u.home, u.inSet = id, at.schema, at.path, at.path, at.home != nil
		if u.inSet {
			u.home, u.homeShape = at.home, at.shape
		}
		w.units = append(w.units, u)
		w.next++
		return id, true
	}
	if !w.keep(id) {
		w.next = w.units[id].end
		return id, false
	}
	w.next++
	return id, true
}

func (w *walk) finish(id int) {
	if w.gathering() {
		w.units[id].end = w.next
	}
}

// gathering walks leave values as they are; others make new ones.
func (w *walk) gathering() bool { return w.keep == nil }

// members makes room for the attributes of a new object, or none.
func (w *walk) members(n int) map[string]cty.Value {
	if w.gathering() {
		return nil
	}
	return make(map[string]cty.Value, n)
}

func put(vals map[string]cty.Value, name string, v cty.Value) {
	if vals != nil {
		vals[name] = v
	}
}

// instead is the object of vals in the place of v, or v where none was made.
func instead(v cty.Value, vals map[string]cty.Value) cty.Value {
	if vals == nil {
		return v
	}
	return cty.ObjectVal(vals)
}

func (w *walk) block(b *tfschema.Block, v cty.Value, at place) cty.Value {
	if v.IsNull() {
		return v
	}
	vals := w.members(len(b.Attributes) + len(b.Blocks))
	w.attributes(vals, b.Attributes, v, at)
	for _, n := range b.Blocks {
		put(vals, n.Name, w.nestedBlock(n, v.GetAttr(n.Name), at.attr(n.Name)))
	}
	return instead(v, vals)
}

func (w *walk) attributes(vals map[string]cty.Value, attrs []*tfschema.Attribute, v cty.Value, at place) {
	for _, a := range attrs {
		if a.Configurable() {
			put(vals, a.Name, w.attribute(a, v.GetAttr(a.Name), at.attr(a.Name)))
		} else {
			put(vals, a.Name, cty.NullVal(a.Type))
		}
	}
}

func (w *walk) attribute(a *tfschema.Attribute, v cty.Value, at place) cty.Value {
	switch {
	case v.IsNull():
		return w.gap(a, at)
	case a.Required:
		return w.inside(a, v, at)
	}
	id, kept := w.begin(unit{value: v, attribute: a, homeShape: attributeShape{a}, deprecated: a.Deprecated}, at)
	if !kept {
		return cty.NullVal(a.Type)
	}
	out := w.inside(a, v, at)
	w.finish(id)
	return out
}

func (w *walk) gap(a *tfschema.Attribute, at place) cty.Value {
	g := gap{schema: at.schema, path: at.path, inSet: at.home != nil, attribute: a}
	if w.gathering() {
		w.gaps = append(w.gaps, g)
	}
	if w.fill == nil {
		return cty.NullVal(a.Type)
	}
	return w.fill(g)
}

// inside goes on into the objects of a nested attribute.
func (w *walk) inside(a *tfschema.Attribute, v cty.Value, at place) cty.Value {
	if a.Nested == nil {
		return v
	}
	return w.elements(a.Nested.Nesting, v, at, attributeShape{a}, func(elem cty.Value, at place) cty.Value {
		return w.object(a.Nested, elem, at)
	})
}

func (w *walk) object(o *tfschema.Object, v cty.Value, at place) cty.Value {
	if v.IsNull() {
		return v
	}
	vals := w.members(len(o.Attributes))
	w.attributes(vals, o.Attributes, v, at)
	return instead(v, vals)
}

func (w *walk) nestedBlock(n *tfschema.NestedBlock, v cty.Value, at place) cty.Value {
	inside := func() cty.Value {
		return w.elements(n.Nesting, v, at, blockShape{n}, func(elem cty.Value, at place) cty.Value {
			return w.block(n.Block, elem, at)
		})
	}
	switch {
	case blockAbsent(n, v):
		return v
	case n.Min > 0 || n.Nesting == tfschema.NestingGroup:
		return inside()
	}
	id, kept := w.begin(unit{value: v, block: n, homeShape: blockShape{n}, deprecated: n.Block.Deprecated}, at)
	if !kept {
		return n.EmptyValue()
	}
	out := inside()
	w.finish(id)
	return out
}

func blockAbsent(n *tfschema.NestedBlock, v cty.Value) bool {
	if v.IsNull() || !v.IsKnown() {
		return true
	}
	return n.Nesting != tfschema.NestingSingle && n.Nesting != tfschema.NestingGroup && v.LengthInt() == 0
}

// elements applies each to the objects that nesting keeps in v.
func (w *walk) elements(nesting tfschema.Nesting, v cty.Value, at place, in shape, each func(cty.Value, place) cty.Value) cty.Value {
	if v.IsNull() {
		return v
	}
	switch nesting {
	case tfschema.NestingSingle, tfschema.NestingGroup:
		return each(v, at)
	case tfschema.NestingMap:
		vals := map[string]cty.Value{}
		for key, elem := range v.Elements() {
			vals[key.AsString()] = each(elem, at.element(key, in, false))
		}
		return w.collection(v, func() cty.Value { return mapLike(v, vals) })
	default:
		var vals []cty.Value
		for key, elem := range v.Elements() {
			vals = append(vals, each(elem, at.element(key, in, nesting == tfschema.NestingSet)))
		}
		return w.collection(v, func() cty.Value { return listLike(v, vals) })
	}
}

// collection is what made makes in the place of v, or v.
func (w *walk) collection(v cty.Value, made func() cty.Value) cty.Value {
	if w.gathering() {
		return v
	}
	return made()
}

// mapLike makes a map or an object of vals, as like is.
func mapLike(like cty.Value, vals map[string]cty.Value) cty.Value {
	switch {
	case like.Type().IsObjectType():
		return cty.ObjectVal(vals)
	case len(vals) == 0:
		return like
	default:
		return cty.MapVal(vals)
	}
}

// listLike makes a list, set or tuple of vals, as like is.
func listLike(like cty.Value, vals []cty.Value) cty.Value {
	switch {
	case like.Type().IsTupleType():
		return cty.TupleVal(vals)
	case len(vals) == 0:
		return like
	case like.Type().IsSetType():
		return cty.SetVal(vals)
	default:
		return cty.ListVal(vals)
	}
}

// mentions reports whether text speaks of the attribute or block of u, as a
// word of its own.
func (u *unit) mentions(text string) bool {
	name := u.schema[strings.LastIndexByte(u.schema, '.')+1:]
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(name):]
		if !endsInWord(before) && !startsInWord(after) {
			return true
		}
		rest = after
	}
}

func endsInWord(s string) bool   { return s != "" && isWord(s[len(s)-1]) }
func startsInWord(s string) bool { return s != "" && isWord(s[0]) }

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
