package ctyx

import (
	"encoding/binary"
	"math"

	"github.com/zclconf/go-cty/cty"
)

// unpacker decodes msgpack in the forms that encoders of values use. It stops
// at whatever else there is, malformed bytes included: cty's decoder judges
// that. It makes room for no more elements than there are bytes.
type unpacker struct{ rest []byte }

// unpack decodes the first value of data; ok is false where cty must.
func unpack(data []byte, ty cty.Type) (v cty.Value, ok bool) {
	u := unpacker{rest: data}
	return u.value(ty)
}

func (u *unpacker) value(ty cty.Type) (v cty.Value, ok bool) {
	switch {
	case len(u.rest) == 0 || ty == cty.DynamicPseudoType:
		return cty.NilVal, false
	case u.rest[0] == 0xc0:
		u.rest = u.rest[1:]
		return cty.NullVal(ty), true
	case ty == cty.String:
		s, ok := u.text()
		return cty.StringVal(s), ok
	case ty == cty.Number:
		return u.number()
	case ty == cty.Bool:
		b := u.rest[0]
		u.rest = u.rest[1:]
		return cty.BoolVal(b == 0xc3), b == 0xc2 || b == 0xc3
	case ty.IsObjectType():
		return u.object(ty.AttributeTypes())
	case ty.IsMapType():
		return u.mapping(ty.ElementType())
	case ty.IsListType(), ty.IsSetType():
		return u.sequence(ty)
	default:
		return cty.NilVal, false
	}
}

// take returns the next n bytes.
func (u *unpacker) take(n int) (out []byte, ok bool) {
	if n > len(u.rest) {
		return nil, false
	}
	out, u.rest = u.rest[:n], u.rest[n:]
	return out, true
}

// length reads a big-endian number of that many bytes.
func (u *unpacker) length(bytes int) (n uint64, ok bool) {
	data, ok := u.take(bytes)
	if !ok {
		return 0, false
	}
	for _, b := range data {
		n = n<<8 | uint64(b)
	}
	return n, true
}

func (u *unpacker) text() (s string, ok bool) {
	head, ok := u.take(1)
	if !ok {
		return "", false
	}
	n := uint64(head[0] & 0x1f)
	switch b := head[0]; {
	case b >= 0xa0 && b <= 0xbf:
	case b >= 0xd9 && b <= 0xdb:
		if n, ok = u.length(1 << (b - 0xd9)); !ok {
			return "", false
		}
	default:
		return "", false
	}
	if n > uint64(len(u.rest)) {
		return "", false
	}
	data, ok := u.take(int(n))
	return string(data), ok
}

func (u *unpacker) number() (v cty.Value, ok bool) {
	switch b := u.rest[0]; {
	case b <= 0x7f || b >= 0xe0:
		u.rest = u.rest[1:]
		return cty.NumberIntVal(int64(int8(b))), true
	case b == 0xcb:
		data, ok := u.take(9)
		if !ok {
			return cty.NilVal, false
		}
		f := math.Float64frombits(binary.BigEndian.Uint64(data[1:]))
		if math.IsNaN(f) {
			return cty.NilVal, false
		}
		return cty.NumberFloatVal(f), true
	case b >= 0xcc && b <= 0xcf:
		u.rest = u.rest[1:]
		n, ok := u.length(1 << (b - 0xcc))
		return cty.NumberUIntVal(n), ok
	case b >= 0xd0 && b <= 0xd3:
		u.rest = u.rest[1:]
		n, ok := u.length(1 << (b - 0xd0))
		shift := 64 - 8<<(b-0xd0)
		return cty.NumberIntVal(int64(n<<shift) >> shift), ok
	default:
		return u.digits()
	}
}

// digits is a number too large or too precise for the other forms.
func (u *unpacker) digits() (v cty.Value, ok bool) {
	s, ok := u.text()
	if !ok {
		return cty.NilVal, false
	}
	v, err := cty.ParseNumberVal(s)
	return v, err == nil
}

// members reads how many members an array or map has; few and many are as
// [packHead] has them.
func (u *unpacker) members(few, many byte) (n int, ok bool) {
	head, ok := u.take(1)
	if !ok {
		return 0, false
	}
	length := uint64(head[0] & 0x0f)
	switch b := head[0]; {
	case b&0xf0 == few:
	case b == many, b == many+1:
		if length, ok = u.length(2 << (b - many)); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	return int(length), length <= uint64(len(u.rest))
}

func (u *unpacker) object(types map[string]cty.Type) (v cty.Value, ok bool) {
	n, ok := u.members(0x80, 0xde)
	if !ok || n != len(types) {
		return cty.NilVal, false
	}
	vals := make(map[string]cty.Value, n)
	for range n {
		name, ok := u.text()
		if !ok {
			return cty.NilVal, false
		}
		ty, known := types[name]
		if !known {
			return cty.NilVal, false
		}
		if vals[name], ok = u.value(ty); !ok {
			return cty.NilVal, false
		}
	}
	return cty.ObjectVal(vals), len(vals) == n // none came twice
}

func (u *unpacker) mapping(elem cty.Type) (v cty.Value, ok bool) {
	n, ok := u.members(0x80, 0xde)
	if !ok {
		return cty.NilVal, false
	}
	vals := make(map[string]cty.Value, n)
	for range n {
		key, ok := u.text()
		if !ok {
			return cty.NilVal, false
		}
		if vals[key], ok = u.value(elem); !ok {
			return cty.NilVal, false
		}
	}
	return mapOf(vals, elem), true
}

// sequence reads a list or a set.
func (u *unpacker) sequence(ty cty.Type) (v cty.Value, ok bool) {
	n, ok := u.members(0x90, 0xdc)
	if !ok {
		return cty.NilVal, false
	}
	vals := make([]cty.Value, 0, n)
	for range n {
		val, ok := u.value(ty.ElementType())
		if !ok {
			return cty.NilVal, false
		}
		vals = append(vals, val)
	}
	return sequenceOf(vals, ty), true
}

// mapOf is a map, which may be empty: cty cannot tell its type then.
func mapOf(vals map[string]cty.Value, elem cty.Type) cty.Value {
	if len(vals) == 0 {
		return cty.MapValEmpty(elem)
	}
	return cty.MapVal(vals)
}

// sequenceOf is a list or a set of type ty, as mapOf is a map.
func sequenceOf(vals []cty.Value, ty cty.Type) cty.Value {
	switch {
	case ty.IsSetType() && len(vals) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(vals)
	case len(vals) == 0:
		return cty.ListValEmpty(ty.ElementType())
	default:
		return cty.ListVal(vals)
	}
}
