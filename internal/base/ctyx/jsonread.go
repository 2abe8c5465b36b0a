package ctyx

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
)

// jsonReader decodes JSON in the forms that encoders of values use, in one
// pass. It stops at whatever else there is, malformed text and conversions
// between types included: cty's decoder judges that.
type jsonReader struct{ rest []byte }

// readJSON decodes a value that is all of data; ok is false where cty must.
func readJSON(data []byte, ty cty.Type) (v cty.Value, ok bool) {
	r := jsonReader{rest: data}
	v, ok = r.value(ty)
	return v, ok && r.next() == 0
}

// next skips white space and returns the byte behind it, or 0 at the end.
func (r *jsonReader) next() byte {
	for i, b := range r.rest {
		if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			r.rest = r.rest[i:]
			return b
		}
	}
	r.rest = nil
	return 0
}

// skip takes a word if it comes next.
func (r *jsonReader) skip(word string) bool {
	if !bytes.HasPrefix(r.rest, []byte(word)) {
		return false
	}
	r.rest = r.rest[len(word):]
	return true
}

func (r *jsonReader) value(ty cty.Type) (v cty.Value, ok bool) {
	b := r.next()
	switch {
	case ty == cty.DynamicPseudoType:
		return cty.NilVal, false
	case b == 'n':
		return cty.NullVal(ty), r.skip("null")
	case ty == cty.String:
		s, ok := r.text()
		return cty.StringVal(s), ok
	case ty == cty.Number:
		return r.number()
	case ty == cty.Bool:
		if b == 't' {
			return cty.True, r.skip("true")
		}
		return cty.False, r.skip("false")
	case ty.IsObjectType():
		return r.object(ty.AttributeTypes())
	case ty.IsMapType():
		return r.mapping(ty.ElementType())
	case ty.IsListType(), ty.IsSetType():
		return r.sequence(ty)
	default:
		return cty.NilVal, false
	}
}

// text reads a string. One with escapes is unquoted by the library.
func (r *jsonReader) text() (s string, ok bool) {
	if r.next() != '"' {
		return "", false
	}
	for i := 1; i < len(r.rest); i++ {
		switch b := r.rest[i]; {
		case b == '"':
			text := r.rest[1:i]
			r.rest = r.rest[i+1:]
			return string(text), utf8.Valid(text)
		case b == '\\':
			return r.escaped(i)
		case b < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads a string whose first escape is at a place.
func (r *jsonReader) escaped(at int) (s string, ok bool) {
	for i := at; i < len(r.rest); i++ {
		switch r.rest[i] {
		case '\\':
			i++
		case '"':
			err := json.Unmarshal(r.rest[:i+1], &s)
			r.rest = r.rest[i+1:]
			return s, err == nil
		}
	}
	return "", false
}

// number reads digits. What is short and whole needs no parsing; the
// precision is that of all numbers read from digits.
func (r *jsonReader) number() (v cty.Value, ok bool) {
	const short, precision = 15, 512
	n := 0
	for n < len(r.rest) && (r.rest[n] >= '0' && r.rest[n] <= '9' || bytes.IndexByte([]byte("+-.eE"), r.rest[n]) >= 0) {
		n++
	}
	digits := r.rest[:n]
	r.rest = r.rest[n:]
	if !json.Valid(digits) {
		return cty.NilVal, false
	}
	if n <= short {
		if i, err := strconv.ParseInt(string(digits), 10, 64); err == nil && (i != 0 || n == 1) { // -0 is a float
			return cty.NumberVal(new(big.Float).SetPrec(precision).SetInt64(i)), true
		}
	}
	v, err := cty.ParseNumberVal(string(digits))
	return v, err == nil
}

// members reads what stands between two brackets, with commas in between.
func (r *jsonReader) members(begin, end byte, member func() bool) bool {
	if r.next() != begin {
		return false
	}
	r.rest = r.rest[1:]
	if r.next() == end {
		r.rest = r.rest[1:]
		return true
	}
	for member() {
		b := r.next()
		if b != end && b != ',' {
			return false
		}
		r.rest = r.rest[1:]
		if b == end {
			return true
		}
	}
	return false
}

// keyed reads the members of a JSON object. None may come twice.
func (r *jsonReader) keyed(room int, typeOf func(key string) (cty.Type, bool)) (vals map[string]cty.Value, ok bool) {
	vals = make(map[string]cty.Value, room)
	ok = r.members('{', '}', func() bool {
		key, ok := r.text()
		if !ok || r.next() != ':' {
			return false
		}
		r.rest = r.rest[1:]
		ty, known := typeOf(key)
		if _, again := vals[key]; again || !known {
			return false
		}
		vals[key], ok = r.value(ty)
		return ok
	})
	return vals, ok
}

func (r *jsonReader) object(types map[string]cty.Type) (v cty.Value, ok bool) {
	vals, ok := r.keyed(len(types), func(key string) (cty.Type, bool) {
		ty, known := types[key]
		return ty, known
	})
	if !ok {
		return cty.NilVal, false
	}
	for name, ty := range types {
		if _, there := vals[name]; !there {
			vals[name] = cty.NullVal(ty)
		}
	}
	return cty.ObjectVal(vals), true
}

func (r *jsonReader) mapping(elem cty.Type) (v cty.Value, ok bool) {
	vals, ok := r.keyed(0, func(string) (cty.Type, bool) { return elem, true })
	if !ok {
		return cty.NilVal, false
	}
	return mapOf(vals, elem), true
}

// sequence reads a list or a set.
func (r *jsonReader) sequence(ty cty.Type) (v cty.Value, ok bool) {
	var vals []cty.Value
	ok = r.members('[', ']', func() bool {
		val, ok := r.value(ty.ElementType())
		vals = append(vals, val)
		return ok
	})
	if !ok {
		return cty.NilVal, false
	}
	return sequenceOf(vals, ty), true
}
