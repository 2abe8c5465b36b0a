package ctyx

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// pack appends the msgpack form of v under ty, marks dropped. It knows what
// nearly every value is made of, and does without what cty's encoder spends on
// paths for errors that do not happen; ok is false where v has anything else,
// which is cty's to encode or to refuse.
func pack(b []byte, v cty.Value, ty cty.Type) (out []byte, ok bool) {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	switch {
	case ty == cty.DynamicPseudoType || !v.IsKnown():
		return b, false
	case v.IsNull():
		return append(b, 0xc0), v.Type().Equals(ty)
	case ty.IsPrimitiveType():
		if v.Type() != ty {
			return b, false
		}
		return packPrimitive(b, v, ty), true
	case ty.IsObjectType():
		return packObject(b, v, ty.AttributeTypes())
	case ty.IsCollectionType():
		return packCollection(b, v, ty)
	default:
		return b, false
	}
}

func packPrimitive(b []byte, v cty.Value, ty cty.Type) []byte {
	switch {
	case ty == cty.String:
		return packString(b, v.AsString())
	case ty == cty.Number:
		return packNumber(b, v.AsBigFloat())
	case v.True():
		return append(b, 0xc3)
	default:
		return append(b, 0xc2)
	}
}

func packObject(b []byte, v cty.Value, types map[string]cty.Type) (out []byte, ok bool) {
	var room [32]string
	names, ok := attributes(room[:0], v, types)
	if !ok {
		return b, false
	}
	b = packHead(b, len(names), 0x80, 0xde)
	for _, name := range names {
		b = packString(b, name)
		if b, ok = pack(b, v.GetAttr(name), types[name]); !ok {
			return b, false
		}
	}
	return b, true
}

// packCollection packs a list, set or map of the very type.
func packCollection(b []byte, v cty.Value, ty cty.Type) (out []byte, ok bool) {
	if !v.Type().Equals(ty) {
		return b, false
	}
	elem := ty.ElementType()
	if ty.IsMapType() {
		b = packHead(b, v.LengthInt(), 0x80, 0xde)
	} else {
		b = packHead(b, v.LengthInt(), 0x90, 0xdc)
	}
	for it := v.ElementIterator(); it.Next(); {
		key, val := it.Element()
		if ty.IsMapType() {
			b = packString(b, key.AsString())
		}
		if b, ok = pack(b, val, elem); !ok {
			return b, false
		}
	}
	return b, true
}

// packNumber writes an integer or a float where that is exact, else digits.
func packNumber(b []byte, f *big.Float) []byte {
	if i, accuracy := f.Int64(); accuracy == big.Exact {
		return packInt(b, i)
	}
	if float, accuracy := f.Float64(); f.IsInf() || accuracy == big.Exact && !f.IsInt() {
		return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(float))
	}
	return packString(b, f.Text('f', -1))
}

func packInt(b []byte, i int64) []byte {
	switch {
	case i >= -32 && i <= math.MaxInt8:
		return append(b, byte(i))
	case i >= 0 && i <= math.MaxUint8:
		return append(b, 0xcc, byte(i))
	case i >= 0 && i <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(i))
	case i >= 0 && i <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(i))
	case i >= 0:
		return binary.BigEndian.AppendUint64(append(b, 0xcf), uint64(i))
	case i >= math.MinInt8:
		return append(b, 0xd0, byte(i))
	case i >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(i))
	case i >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(i))
	default:
		return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(i))
	}
}

func packString(b []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		b = append(b, 0xa0|byte(n))
	case n <= math.MaxUint8:
		b = append(b, 0xd9, byte(n))
	case n <= math.MaxUint16:
		b = binary.BigEndian.AppendUint16(append(b, 0xda), uint16(n))
	default:
		b = binary.BigEndian.AppendUint32(append(b, 0xdb), uint32(n))
	}
	return append(b, s...)
}

// packHead begins an array or a map: few is the first byte of a short one,
// many that of one with a length of two bytes.
func packHead(b []byte, n int, few, many byte) []byte {
	switch {
	case n < 16:
		return append(b, few|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, many), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(b, many+1), uint32(n))
	}
}
