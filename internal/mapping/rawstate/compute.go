package rawstate

import (
	"math"
	"math/big"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// deltaOf says how v becomes s, which is of type t. What does not correspond
// is replaced.
func deltaOf(t *mapping.Type, v property.Value, s cty.Value) delta {
	s, _ = s.Unmark()
	if t.Terraform == cty.DynamicPseudoType {
		return dynamicDelta(v, s)
	}
	if s.IsNull() {
		if v.IsNull() {
			return natural{}
		}
		return replaced(t.Terraform, s)
	}
	if !s.IsKnown() {
		return replace{[]byte("null")}
	}
	var d delta
	switch {
	case t.Flat && !v.IsArray():
		d = flatDelta(t, v, s)
	case t.Flat:
		d = arrayDelta(func(int) *mapping.Type { return translate.FlatElement(t) }, v, s)
	case t.Kind == mapping.KindArray:
		d = arrayDelta(func(i int) *mapping.Type { return translate.ElementType(t, i) }, v, s)
	case t.Kind == mapping.KindMap:
		d = mapDelta(t.Elem, v, s)
	case t.Kind == mapping.KindObject && v.IsMap():
		d = objectDelta(t.Object, v.AsMap(), s)
	default:
		d = scalarDelta(v, s)
	}
	if d == nil {
		return replaced(t.Terraform, s)
	}
	return d
}

func isNatural(d delta) bool {
	_, ok := d.(natural)
	return ok
}

// replaced keeps the state itself.
func replaced(ty cty.Type, s cty.Value) delta {
	text, err := ctyx.EncodeJSON(s, ty)
	if err != nil { // JSON has no infinity, nor has Terraform's state
		return replace{[]byte("null")}
	}
	return replace{text}
}

// dynamicDelta keeps the type, which the properties do not have.
func dynamicDelta(v property.Value, s cty.Value) delta {
	if v.IsNull() && s.IsNull() && s.Type() == cty.DynamicPseudoType {
		return natural{}
	}
	return replaced(cty.DynamicPseudoType, s)
}

// The functions below return nil where v does not correspond to s.

func flatDelta(t *mapping.Type, v property.Value, s cty.Value) delta {
	elements := s.AsValueSlice()
	switch {
	case len(elements) == 0 && v.IsNull():
		return plural{natural{}}
	case len(elements) == 1 && !v.IsNull():
		return plural{deltaOf(translate.FlatElement(t), v, elements[0])}
	default:
		return nil
	}
}

func arrayDelta(typeAt func(int) *mapping.Type, v property.Value, s cty.Value) delta {
	if !v.IsArray() || v.AsArray().Len() != s.LengthInt() {
		return nil
	}
	d := array{}
	for i, element := range s.AsValueSlice() {
		inner := deltaOf(typeAt(i), v.AsArray().Get(i), element)
		if isNatural(inner) {
			continue
		}
		if d.elements == nil {
			d.elements = map[int]delta{}
		}
		d.elements[i] = inner
	}
	return d
}

func mapDelta(elem *mapping.Type, v property.Value, s cty.Value) delta {
	if !v.IsMap() || v.AsMap().Len() != s.LengthInt() {
		return nil
	}
	d := members{}
	for key, element := range s.AsValueMap() {
		member, ok := v.AsMap().GetOk(key)
		if !ok {
			return nil
		}
		inner := deltaOf(elem, member, element)
		if isNatural(inner) {
			continue
		}
		if d.elements == nil {
			d.elements = map[string]delta{}
		}
		d.elements[key] = inner
	}
	return d
}

// objectDelta has a delta for every attribute that is not natural, and for
// the null ones: their properties are missing.
func objectDelta(o *mapping.Object, v property.Map, s cty.Value) delta {
	d := object{properties: map[string]delta{}}
	renamed := make(fields, len(o.Properties))
	met := 0
	for _, p := range o.Properties {
		read, ok := v.GetOk(p.Name)
		if ok {
			met++
		}
		inner := deltaOf(p.Type, read, s.GetAttr(p.Terraform))
		if !ok || !isNatural(inner) {
			d.properties[p.Name] = inner
		}
		if !isSnake(p.Terraform, p.Name) {
			renamed[p.Name] = property.New(p.Terraform)
		}
	}
	d.renamed = property.NewMap(renamed)
	if met < v.Len() {
		d.ignored = strangers(o, v)
	}
	return d
}

// strangers are the properties that o does not have.
func strangers(o *mapping.Object, v property.Map) []string {
	var out []string
	for name := range v.AllStable {
		if o.Property(name) == nil && !reserved(name) {
			out = append(out, name)
		}
	}
	return out
}

func scalarDelta(v property.Value, s cty.Value) delta {
	switch s.Type() {
	case cty.String:
		if v.IsString() && v.AsString() == s.AsString() {
			return natural{}
		}
	case cty.Bool:
		if v.IsBool() && v.AsBool() == s.True() {
			return natural{}
		}
	case cty.Number:
		return numberDelta(v, s)
	}
	return nil
}

// maxExponent bounds powers of two: what is beyond would be gigabytes of
// digits, and infinity has none at all. Terraform's own state has neither.
const maxExponent = 1 << 16

func numberDelta(v property.Value, s cty.Value) delta {
	if n := s.AsBigFloat(); n.IsInf() || max(n.MantExp(nil), -n.MantExp(nil)) > maxExponent {
		return replace{[]byte("null")}
	}
	text, d := "", delta(nil)
	switch {
	case v.IsNumber() && isInteger(s.AsBigFloat(), v.AsNumber()):
		return natural{}
	case v.IsNumber():
		text, _ = numberText(v.AsNumber())
		d = natural{}
	case v.IsString() && isNumber(v.AsString()):
		text, d = v.AsString(), number{}
	}
	if written, err := cty.ParseNumberVal(text); err != nil || !written.RawEquals(s) {
		return nil
	}
	return d
}

// isInteger reports whether n is f, and an integer of which a float64 holds
// every digit.
func isInteger(n *big.Float, f float64) bool {
	i, accuracy := n.Int64()
	return accuracy == big.Exact && float64(i) == f && -exactIntegers < i && i < exactIntegers && !(i == 0 && math.Signbit(f))
}
