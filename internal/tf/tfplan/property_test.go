package tfplan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// generator draws schemas and values that fit them.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 7))}
}

var leafTypes = []cty.Type{
	cty.String, cty.Number, cty.Bool, cty.List(cty.String), cty.Set(cty.String), cty.Map(cty.Number),
	cty.Object(map[string]cty.Type{"x": cty.String}), cty.DynamicPseudoType,
}

func (g generator) block(depth int, inSet bool) *tfschema.Block {
	b := &tfschema.Block{Attributes: g.attributes(depth, inSet)} // no dynamic types in sets
	if depth == 0 {
		return b
	}
	for i := range g.IntN(3) {
		nesting := tfschema.Nesting(1 + g.IntN(5))
		b.Blocks = append(b.Blocks, &tfschema.NestedBlock{
			Name: fmt.Sprintf("b%d", i), Nesting: nesting, Block: g.block(depth-1, inSet || nesting == tfschema.NestingSet),
		})
	}
	return b
}

// attributes draws no dynamic types where uniform, as inside of collections.
func (g generator) attributes(depth int, uniform bool) []*tfschema.Attribute {
	var out []*tfschema.Attribute
	for i := range 1 + g.IntN(4) {
		a := &tfschema.Attribute{Name: fmt.Sprintf("a%d", i), Type: leafTypes[g.IntN(len(leafTypes))]}
		if uniform && a.Type == cty.DynamicPseudoType {
			a.Type = cty.String
		}
		switch g.IntN(4) {
		case 0:
			a.Required = true
		case 1:
			a.Optional = true
		case 2:
			a.Computed = true
		case 3:
			a.Optional, a.Computed = true, true
		}
		if depth > 0 && g.IntN(3) == 0 {
			nesting := []tfschema.Nesting{tfschema.NestingSingle, tfschema.NestingList, tfschema.NestingSet, tfschema.NestingMap}[g.IntN(4)]
			a.Nested = &tfschema.Object{Nesting: nesting, Attributes: g.attributes(depth-1, true)}
			a.Type = a.Nested.ImpliedType()
		}
		out = append(out, a)
	}
	return out
}

// shape says what values may hold beside the known.
type shape struct {
	unknown bool // unknown leaves
	written bool // configuration: computed-only attributes are null
}

func (g generator) blockValue(b *tfschema.Block, s shape) cty.Value {
	vals := g.attributeValues(b.Attributes, s)
	for _, n := range b.Blocks {
		vals[n.Name] = g.nested(n.Nesting, n.Block.ImpliedType(), n.Nesting == tfschema.NestingSingle && g.IntN(4) == 0,
			func() cty.Value { return g.blockValue(n.Block, s) })
	}
	return cty.ObjectVal(vals)
}

func (g generator) attributeValues(attrs []*tfschema.Attribute, s shape) map[string]cty.Value {
	vals := map[string]cty.Value{}
	for _, a := range attrs {
		vals[a.Name] = g.attributeValue(a, s)
	}
	return vals
}

func (g generator) attributeValue(a *tfschema.Attribute, s shape) cty.Value {
	switch {
	case s.written && !a.Configurable(), !a.Required && g.IntN(3) == 0:
		return cty.NullVal(a.Type)
	case s.unknown && g.IntN(8) == 0:
		return cty.UnknownVal(a.Type)
	case a.Nested != nil:
		elem := map[string]cty.Type{}
		for _, inner := range a.Nested.Attributes {
			elem[inner.Name] = inner.Type
		}
		return g.nested(a.Nested.Nesting, cty.Object(elem), false, func() cty.Value {
			return cty.ObjectVal(g.attributeValues(a.Nested.Attributes, s))
		})
	default:
		return g.leaf(a.Type)
	}
}

func (g generator) nested(nesting tfschema.Nesting, elem cty.Type, null bool, make func() cty.Value) cty.Value {
	if null {
		return cty.NullVal(elem)
	}
	var vals []cty.Value
	keyed := map[string]cty.Value{}
	for i := range g.IntN(3) {
		v := make()
		vals, keyed[fmt.Sprintf("k%d", i)] = append(vals, v), v
	}
	dynamic := elem.HasDynamicTypes()
	switch {
	case nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup:
		return make()
	case nesting == tfschema.NestingList && dynamic:
		return cty.TupleVal(vals)
	case nesting == tfschema.NestingMap && dynamic:
		return cty.ObjectVal(keyed)
	case nesting == tfschema.NestingMap && len(vals) == 0:
		return cty.MapValEmpty(elem)
	case nesting == tfschema.NestingMap:
		return cty.MapVal(keyed)
	case nesting == tfschema.NestingSet && len(vals) == 0:
		return cty.SetValEmpty(elem)
	case nesting == tfschema.NestingSet:
		return cty.SetVal(vals)
	case len(vals) == 0:
		return cty.ListValEmpty(elem)
	default:
		return cty.ListVal(vals)
	}
}

func (g generator) leaf(ty cty.Type) cty.Value {
	s := cty.StringVal(fmt.Sprintf("s%d", g.IntN(3)))
	switch {
	case ty == cty.Number:
		return cty.NumberIntVal(g.Int64N(3))
	case ty == cty.Bool:
		return cty.BoolVal(g.IntN(2) == 0)
	case ty == cty.DynamicPseudoType && g.IntN(2) == 0:
		return cty.TupleVal([]cty.Value{s, cty.True})
	case ty.IsListType():
		return cty.ListVal([]cty.Value{s})
	case ty.IsSetType():
		return cty.SetVal([]cty.Value{s, cty.StringVal("t")})
	case ty.IsMapType():
		return cty.MapVal(map[string]cty.Value{"k": cty.NumberIntVal(g.Int64N(3))})
	case ty.IsObjectType():
		return cty.ObjectVal(map[string]cty.Value{"x": s})
	default:
		return s
	}
}

// writtenBlock is the part of a state object that configuration can set.
func writtenBlock(b *tfschema.Block, v cty.Value) cty.Value {
	if v.IsNull() {
		return v
	}
	vals := writtenAttributes(b.Attributes, v)
	for _, n := range b.Blocks {
		vals[n.Name] = rebuild(n.Nesting, v.GetAttr(n.Name), func(e cty.Value) cty.Value { return writtenBlock(n.Block, e) })
	}
	return cty.ObjectVal(vals)
}

func writtenAttributes(attrs []*tfschema.Attribute, v cty.Value) map[string]cty.Value {
	vals := map[string]cty.Value{}
	for _, a := range attrs {
		val := v.GetAttr(a.Name)
		switch {
		case !a.Configurable():
			val = cty.NullVal(a.Type)
		case a.Nested != nil:
			val = rebuild(a.Nested.Nesting, val, func(e cty.Value) cty.Value {
				if e.IsNull() {
					return e
				}
				return cty.ObjectVal(writtenAttributes(a.Nested.Attributes, e))
			})
		}
		vals[a.Name] = val
	}
	return vals
}

func rebuild(nesting tfschema.Nesting, v cty.Value, f func(cty.Value) cty.Value) cty.Value {
	if v.IsNull() || !v.IsKnown() {
		return v
	}
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		return f(v)
	}
	if v.LengthInt() == 0 {
		return v
	}
	var vals []cty.Value
	keyed := map[string]cty.Value{}
	for step, e := range elements(v) {
		vals = append(vals, f(e))
		if nesting == tfschema.NestingMap {
			keyed[stepKey(step)] = f(e)
		}
	}
	switch {
	case nesting == tfschema.NestingSet:
		return cty.SetVal(vals)
	case nesting == tfschema.NestingMap && v.Type().IsObjectType():
		return cty.ObjectVal(keyed)
	case nesting == tfschema.NestingMap:
		return cty.MapVal(keyed)
	case v.Type().IsTupleType():
		return cty.TupleVal(vals)
	default:
		return cty.ListVal(vals)
	}
}

func hasSet(v cty.Value) bool {
	found := false
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		found = found || v.Type().IsSetType() && v.Type().ElementType().IsObjectType()
		return !found, nil
	})
	return found
}

// checkProperties holds the rules against each other on one drawn schema.
func checkProperties(t *testing.T, seed uint64) {
	g := newGenerator(seed)
	b := g.block(2, false)
	prior, config := g.blockValue(b, shape{}), g.blockValue(b, shape{unknown: true, written: true})

	proposed := ProposedNew(b, prior, config)
	if errs := proposed.Type().TestConformance(b.ImpliedType()); len(errs) > 0 {
		t.Errorf("seed %d: proposal does not conform: %v", seed, errs)
	}
	if !ProposedNew(b, cty.NilVal, config).RawEquals(config) {
		t.Errorf("seed %d: on create the proposal is not the configuration", seed)
	}
	if diags := CheckPlanned(b, prior, config, proposed, false); len(diags) > 0 {
		t.Errorf("seed %d: the proposal is not a valid plan: %v", seed, diags.Err())
	}
	if own := writtenBlock(b, prior); !hasSet(prior) && !ProposedNew(b, prior, own).RawEquals(prior) {
		t.Errorf("seed %d: own configuration loses computed values\nprior    %#v\nproposed %#v", seed, prior, ProposedNew(b, prior, own))
	}
	if (Changes(prior, proposed) == nil) != IsNoOp(prior, proposed) || !IsNoOp(prior, prior) {
		t.Errorf("seed %d: Changes and IsNoOp disagree", seed)
	}
	if diags := CheckApplied(b, config, config, false, tfprovider.Kept{}); config.IsWhollyKnown() && len(diags) > 0 {
		t.Errorf("seed %d: a value is not a result of itself: %v", seed, diags.Err())
	}
	if diags := CheckApplied(b, proposed, cty.UnknownAsNull(proposed), false, tfprovider.Kept{}); !hasSet(proposed) && len(diags) > 0 {
		t.Errorf("seed %d: filling unknowns breaks the plan: %v", seed, diags.Err())
	}
	normal := NormalizeLegacy(b, prior)
	if !NormalizeLegacy(b, normal).RawEquals(normal) {
		t.Errorf("seed %d: normalizing twice differs", seed)
	}
	checkUnknownPrior(t, seed, b, config)
	checkProposesPrior(t, seed, b, prior, config)
}

// checkProposesPrior writes what there is, and then each thing differently.
func checkProposesPrior(t *testing.T, seed uint64, b *tfschema.Block, prior, config cty.Value) {
	own := writtenBlock(b, prior)
	candidates := []cty.Value{config, prior, own}
	for name, val := range config.AsValueMap() {
		for _, base := range []cty.Value{prior, own} {
			vals := base.AsValueMap()
			vals[name] = val
			candidates = append(candidates, cty.ObjectVal(vals))
		}
	}
	for _, written := range candidates {
		if proposesPrior(b, prior, written) && !ProposedNew(b, prior, written).RawEquals(prior) {
			t.Errorf("seed %d: prior is not proposed\nprior    %#v\nproposed %#v", seed, prior, ProposedNew(b, prior, written))
		}
	}
	if !proposesPrior(b, prior, prior) {
		t.Errorf("seed %d: prior as it is does not propose prior", seed)
	}
}

func checkUnknownPrior(t *testing.T, seed uint64, b *tfschema.Block, config cty.Value) {
	placeholder := ProposedNew(b, cty.UnknownVal(b.ImpliedType()), config)
	if errs := placeholder.Type().TestConformance(b.ImpliedType()); len(errs) > 0 {
		t.Errorf("seed %d: placeholder does not conform: %v", seed, errs)
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	for seed := range uint64(800) {
		checkProperties(t, seed)
	}
}

func FuzzProperties(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkProperties(t, seed) })
}
