package ctyx

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

// writeJSON appends the JSON form of v under ty, marks dropped, as [pack] does
// with the msgpack form; ok is false where cty must encode or refuse.
func writeJSON(b []byte, v cty.Value, ty cty.Type) (out []byte, ok bool) {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	switch {
	case ty == cty.DynamicPseudoType || !v.IsKnown():
		return b, false
	case v.IsNull():
		return append(b, "null"...), v.Type().Equals(ty)
	case ty.IsObjectType():
		return writeObject(b, v, ty.AttributeTypes())
	case !v.Type().Equals(ty):
		return b, false
	case ty == cty.String:
		return AppendJSONText(b, v.AsString()), true
	case ty == cty.Number:
		return writeNumber(b, v.AsBigFloat())
	case ty == cty.Bool:
		return strconv.AppendBool(b, v.True()), true
	case ty.IsCollectionType():
		return writeCollection(b, v, ty)
	default:
		return b, false
	}
}

// AppendJSONText appends a string in quotes, as [json.Marshal] has it.
func AppendJSONText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // it always has a JSON form
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// writeNumber writes the fewest digits that tell the number from its
// neighbours, which are all the digits of an integer that a float64 holds.
func writeNumber(b []byte, f *big.Float) (out []byte, ok bool) {
	const mantissa = 53
	if f.IsInf() {
		return b, false
	}
	i, accuracy := f.Int64()
	if accuracy == big.Exact && f.Prec() >= mantissa && i > -1<<mantissa && i < 1<<mantissa && !(i == 0 && f.Signbit()) {
		return strconv.AppendInt(b, i, 10), true
	}
	return f.Append(b, 'f', -1), true
}

func writeObject(b []byte, v cty.Value, types map[string]cty.Type) (out []byte, ok bool) {
	names, ok := attributes(nil, v, types)
	if !ok {
		return b, false
	}
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendJSONText(b, name), ':')
		if b, ok = writeJSON(b, v.GetAttr(name), types[name]); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// attributes appends the names of an object's attributes, sorted; ok is false
// where v is not an object of just these.
func attributes(names []string, v cty.Value, types map[string]cty.Type) (out []string, ok bool) {
	has := v.Type()
	if !has.IsObjectType() || len(has.AttributeTypes()) != len(types) {
		return nil, false
	}
	for name := range types {
		if !has.HasAttribute(name) {
			return nil, false
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, true
}

func writeCollection(b []byte, v cty.Value, ty cty.Type) (out []byte, ok bool) {
	begin, end := byte('['), byte(']')
	if ty.IsMapType() {
		begin, end = '{', '}'
	}
	b = append(b, begin)
	elem, first := ty.ElementType(), true
	for it := v.ElementIterator(); it.Next(); {
		key, val := it.Element()
		if !first {
			b = append(b, ',')
		}
		first = false
		if ty.IsMapType() {
			b = append(AppendJSONText(b, key.AsString()), ':')
		}
		if b, ok = writeJSON(b, val, elem); !ok {
			return b, false
		}
	}
	return append(b, end), true
}
