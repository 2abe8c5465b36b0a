package lifecycle

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// shapes is an object with every sort of collection, some inside others.
func shapes() *mapping.Object {
	inner := cty.Object(map[string]cty.Type{"a": cty.String, "s": cty.Set(cty.String)})
	return mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "any", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "given", Type: cty.String, Optional: true, Computed: true},
		{Name: "items", Type: cty.List(inner), Optional: true},
		{Name: "made", Type: cty.String, Computed: true},
		{Name: "map", Type: cty.Map(cty.Set(inner)), Optional: true},
		{Name: "sets", Type: cty.Set(inner), Optional: true},
		{Name: "text", Type: cty.String, Required: true},
	}}, "")
}

// randomObject fills an object at random, with few different values so that
// some agree.
func randomObject(r *rand.Rand, o *mapping.Object) property.Value {
	members := map[string]property.Value{}
	for _, p := range o.Properties {
		if r.IntN(4) > 0 {
			members[p.Name] = randomValue(r, p.Type)
		}
	}
	return property.New(property.NewMap(members))
}

func randomValue(r *rand.Rand, t *mapping.Type) property.Value {
	switch t.Kind {
	case mapping.KindObject:
		return randomObject(r, t.Object)
	case mapping.KindMap:
		members := map[string]property.Value{}
		for range r.IntN(3) {
			members["k "+strconv.Itoa(r.IntN(3))] = randomValue(r, t.Elem)
		}
		return property.New(property.NewMap(members))
	case mapping.KindArray:
		var elems []property.Value
		for range r.IntN(4) {
			if e := randomValue(r, t.Elem); !t.Terraform.IsSetType() || !hasElement(elems, e) {
				elems = append(elems, e)
			}
		}
		return property.New(property.NewArray(elems))
	case mapping.KindAny:
		return property.New(property.NewArray([]property.Value{property.New(strconv.Itoa(r.IntN(2)))}))
	default:
		return property.New(strconv.Itoa(r.IntN(2)))
	}
}

func hasElement(elems []property.Value, e property.Value) bool {
	_, found := (&pool{all: elems, used: make([]bool, len(elems))}).take(e, equal)
	return found
}

// shuffled is v with its sets in another order. Sets inside of sets stay, as
// elements would not be the same any more.
func shuffled(r *rand.Rand, t *mapping.Type, v property.Value) property.Value {
	switch {
	case v.IsArray() && t.Terraform.IsSetType():
		elems := elements(v)
		r.Shuffle(len(elems), func(i, j int) { elems[i], elems[j] = elems[j], elems[i] })
		return property.New(property.NewArray(elems))
	case v.IsArray() && t.Kind == mapping.KindArray:
		elems := elements(v)
		for i := range elems {
			elems[i] = shuffled(r, t.Elem, elems[i])
		}
		return property.New(property.NewArray(elems))
	case v.IsMap():
		members := v.AsMap().AsMap()
		for key := range members {
			inner := t.Elem
			if t.Object != nil {
				inner = t.Object.Property(key).Type
			}
			members[key] = shuffled(r, inner, members[key])
		}
		return property.New(property.NewMap(members))
	default:
		return v
	}
}

// TestDetailOfRandomStates compares states at random: the order of sets is no
// difference, anything else is one, and every path leads somewhere.
func TestDetailOfRandomStates(t *testing.T) {
	t.Parallel()
	o := shapes()
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		before, after := randomObject(r, o), randomObject(r, o)
		var d detail
		d.object(o, views{before: before, after: shuffled(r, objectType(o), before), stored: before, oldInput: before, input: before}, property.Path{}, false)
		if len(d.shown)+len(d.hidden) > 0 {
			t.Fatalf("only the order differs, and so do %v", d.response())
		}
		d.object(o, views{before: before, after: after, stored: before, oldInput: before, input: after}, property.Path{}, false)
		if (len(d.shown)+len(d.hidden) == 0) != sameButForOrder(objectType(o), before, after) {
			t.Fatalf("%#v and %#v differ in %v", before, after, d.response())
		}
		for _, e := range append(d.shown, d.hidden...) {
			old, oldErr := e.path.Get(before)
			now, nowErr := e.path.Get(after)
			isAdd, isDelete := e.diff.Kind == DiffAdd, e.diff.Kind == DiffDelete
			if !isAdd && (oldErr != nil || old.IsNull()) || !isDelete && (nowErr != nil || now.IsNull()) {
				t.Fatalf("%v of %v leads nowhere in %#v or %#v", e.diff, d.response(), before, after)
			}
		}
	}
}

// sameButForOrder compares with the order of sets aside.
func sameButForOrder(t *mapping.Type, a, b property.Value) bool {
	switch {
	case a.IsArray() && b.IsArray():
		if t.Kind == mapping.KindArray && t.Terraform.IsSetType() {
			gone, come := unpaired(elements(a), elements(b), equal)
			return len(gone)+len(come) == 0
		}
		if a.AsArray().Len() != b.AsArray().Len() {
			return false
		}
		for i, e := range elements(a) {
			if !sameButForOrder(translate.ElementType(t, i), e, b.AsArray().Get(i)) {
				return false
			}
		}
		return true
	case a.IsMap() && b.IsMap():
		for _, key := range keys(a, b) {
			inner := translate.ElementType(t, 0)
			if t.Object != nil {
				inner = t.Object.Property(key).Type
			}
			if !sameButForOrder(inner, a.AsMap().Get(key), b.AsMap().Get(key)) {
				return false
			}
		}
		return true
	default:
		return a.Equals(b)
	}
}
