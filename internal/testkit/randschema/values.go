package randschema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// State makes an object as a provider returns it after an apply: all known,
// write-only attributes null.
func (m *Maker) State(b *tfschema.Block) cty.Value { return m.blockValue(b, 0) }

// Planned makes an object as a provider plans it: some of what it computes
// is unknown.
func (m *Maker) Planned(b *tfschema.Block) cty.Value { return m.blockValue(b, 3) }

// blockValue makes an object. One in unknown of what is computed is unknown;
// with 0 nothing is.
func (m *Maker) blockValue(b *tfschema.Block, unknown int) cty.Value {
	vals := m.attributeValues(b.Attributes, unknown)
	for _, n := range b.Blocks {
		vals[n.Name] = m.nestedValue(n, unknown)
	}
	return cty.ObjectVal(vals)
}

func (m *Maker) attributeValues(attributes []*tfschema.Attribute, unknown int) map[string]cty.Value {
	vals := map[string]cty.Value{}
	for _, a := range attributes {
		switch {
		case a.WriteOnly, !a.Required && m.oneIn(4):
			vals[a.Name] = cty.NullVal(a.Type)
		case unknown > 0 && a.Computed && m.oneIn(unknown):
			vals[a.Name] = cty.UnknownVal(a.Type)
		case a.Nested != nil:
			vals[a.Name] = m.collection(a.Nested.Nesting, a.Type, func() cty.Value {
				return cty.ObjectVal(m.attributeValues(a.Nested.Attributes, unknown))
			}, m.IntN(3))
		default:
			vals[a.Name] = m.Value(a.Type)
		}
	}
	return vals
}

func (m *Maker) nestedValue(n *tfschema.NestedBlock, unknown int) cty.Value {
	count := m.IntN(3)
	if n.Max == 1 {
		count = m.IntN(2)
	}
	if n.Nesting == tfschema.NestingSingle && count == 0 {
		return n.EmptyValue()
	}
	ty := n.EmptyValue().Type()
	return m.collection(n.Nesting, ty, func() cty.Value { return m.blockValue(n.Block, unknown) }, count)
}

// collection makes count objects under a nesting; ty is the type of all.
func (m *Maker) collection(nesting tfschema.Nesting, ty cty.Type, object func() cty.Value, count int) cty.Value {
	switch nesting {
	case tfschema.NestingList, tfschema.NestingSet:
		return sequence(ty, repeat(count, object))
	case tfschema.NestingMap:
		vals := map[string]cty.Value{}
		for range count {
			vals[m.text()] = object()
		}
		return dictionary(ty, vals)
	default:
		return object()
	}
}

func repeat(n int, make func() cty.Value) []cty.Value {
	var out []cty.Value
	for range n {
		out = append(out, make())
	}
	return out
}

func sequence(ty cty.Type, vals []cty.Value) cty.Value {
	switch {
	case ty.IsTupleType():
		return cty.TupleVal(vals)
	case ty.IsListType() && len(vals) == 0:
		return cty.ListValEmpty(ty.ElementType())
	case ty.IsListType():
		return cty.ListVal(vals)
	case len(vals) == 0:
		return cty.SetValEmpty(ty.ElementType())
	default:
		return cty.SetVal(vals)
	}
}

func dictionary(ty cty.Type, vals map[string]cty.Value) cty.Value {
	switch {
	case !ty.IsMapType():
		return cty.ObjectVal(vals)
	case len(vals) == 0:
		return cty.MapValEmpty(ty.ElementType())
	default:
		return cty.MapVal(vals)
	}
}

// Value makes a known value of a type, which may hold nulls but is none.
func (m *Maker) Value(ty cty.Type) cty.Value {
	switch {
	case ty == cty.String:
		return cty.StringVal(m.text())
	case ty == cty.Number:
		return m.number()
	case ty == cty.Bool:
		return cty.BoolVal(m.oneIn(2))
	case ty == cty.DynamicPseudoType:
		return m.Value(m.typ(2))
	case ty.IsTupleType():
		vals := make([]cty.Value, ty.Length())
		for i, elem := range ty.TupleElementTypes() {
			vals[i] = m.perhapsNull(elem)
		}
		return cty.TupleVal(vals)
	case ty.IsMapType():
		vals := map[string]cty.Value{}
		for range m.IntN(3) {
			vals[m.text()] = m.perhapsNull(ty.ElementType())
		}
		return dictionary(ty, vals)
	case ty.IsObjectType():
		vals := map[string]cty.Value{}
		attrs := ty.AttributeTypes()
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			vals[name] = m.perhapsNull(attrs[name])
		}
		return cty.ObjectVal(vals)
	default:
		return sequence(ty, repeat(m.IntN(4), func() cty.Value { return m.perhapsNull(ty.ElementType()) }))
	}
}

func (m *Maker) perhapsNull(ty cty.Type) cty.Value {
	if m.oneIn(6) {
		return cty.NullVal(ty)
	}
	return m.Value(ty)
}

// text makes strings that have broken programs before.
func (m *Maker) text() string {
	texts := []string{
		"", "a", "plain text", "true", "1", "-0.5", "null", "é", "日本", "a.b[0]", `"quoted"`, "${x}", "line\nend", "__defaults", "<&>\u2028",
	}
	if m.oneIn(3) {
		return "k" + strconv.Itoa(m.IntN(1000))
	}
	return texts[m.IntN(len(texts))]
}

// number makes numbers on both sides of what a float64 holds, from decimal
// digits and from a float64 itself, as both are on the wire.
func (m *Maker) number() cty.Value {
	digits := []string{
		"0", "1", "-1", "0.1", "-2.5", "1e21", "1e-7", "9007199254740991", "9007199254740992", "9007199254740993",
		"-9223372036854775808", "18446744073709551615", "12345678901234567890123456789", "3.141592653589793238462643383279",
		"0.12345678901234567890123456789", "1e300", "1e-300",
	}
	switch m.IntN(4) {
	case 0:
		return cty.NumberFloatVal(m.Float64() * 1000)
	case 1:
		return cty.NumberIntVal(m.Int64())
	case 2:
		return cty.NumberIntVal(m.Int64N(1000))
	default:
		return cty.MustParseNumberVal(digits[m.IntN(len(digits))])
	}
}
