package estate

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// decode reads one JSON object, numbers kept as written.
func decode(r io.Reader) (Object, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	var obj Object
	if err := d.Decode(&obj); err != nil {
		return nil, invalid("the body is not a JSON object: %v", err)
	}
	return obj, nil
}

// acceptScalar checks one leaf and brings it into the form that is stored.
func acceptScalar(shape Shape, value any, path string) (any, error) {
	switch shape {
	case String:
		if s, ok := value.(string); ok {
			return s, nil
		}
		return nil, invalid("%s: must be a string", path)
	case Bool:
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, invalid("%s: must be true or false", path)
	case Number:
		if n, ok := canonicalNumber(value); ok {
			return n, nil
		}
		return nil, invalid("%s: must be a number", path)
	case Policy:
		s, ok := value.(string)
		if !ok {
			return nil, invalid("%s: must be a string that holds JSON", path)
		}
		doc, err := canonicalJSON(s)
		if err != nil {
			return nil, invalid("%s: is not valid JSON: %v", path, err)
		}
		return doc, nil
	}
	return canonicalDocument(value), nil
}

// canonicalNumber writes whole numbers without a point, others shortest.
func canonicalNumber(value any) (json.Number, bool) {
	var written string
	switch v := value.(type) {
	case json.Number:
		written = v.String()
	case int:
		return json.Number(strconv.Itoa(v)), true
	case float64:
		written = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return "", false
	}
	f, _, err := big.ParseFloat(written, 10, 512, big.ToNearestEven)
	if err != nil {
		return "", false
	}
	const tooLarge = 4096 // bits; written out, larger numbers are a nuisance
	switch exponent := f.MantExp(nil); {
	case f.Sign() == 0:
		return "0", true
	case exponent > tooLarge || exponent < -tooLarge:
		return "", false
	case f.IsInt():
		return json.Number(f.Text('f', 0)), true
	}
	return json.Number(f.Text('g', -1)), true
}

func canonicalDefault(value any) any {
	if n, ok := canonicalNumber(value); ok {
		return n
	}
	return value
}

func canonicalDocument(value any) any {
	switch v := value.(type) {
	case Object:
		out := make(Object, len(v))
		for name, elem := range v {
			out[name] = canonicalDocument(elem)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, elem := range v {
			out[i] = canonicalDocument(elem)
		}
		return out
	}
	return canonicalDefault(value)
}

// canonicalJSON rewrites a JSON text: compact, keys sorted.
func canonicalJSON(text string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return "", err
	}
	if _, err := d.Token(); err != io.EOF {
		return "", invalid("text after the document")
	}
	return encode(value), nil
}

// canonicalSet sorts by JSON text and drops what repeats.
func canonicalSet(elems []any) []any {
	slices.SortFunc(elems, func(a, b any) int { return strings.Compare(encode(a), encode(b)) })
	return slices.CompactFunc(elems, func(a, b any) bool { return encode(a) == encode(b) })
}

// encode is compact JSON with sorted keys. It leaves <, > and & as they are.
// Values come from decode, so encoding cannot fail.
func encode(value any) string {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return strings.TrimSuffix(buf.String(), "\n")
}

// clone copies an object down to its leaves.
func clone(obj Object) Object {
	out := make(Object, len(obj))
	for name, value := range obj {
		out[name] = cloneValue(value)
	}
	return out
}

func cloneValue(value any) any {
	switch v := value.(type) {
	case Object:
		return clone(v)
	case []any:
		out := make([]any, len(v))
		for i, elem := range v {
			out[i] = cloneValue(elem)
		}
		return out
	}
	return value
}

// str is value as a string, or "" where it is none.
func str(value any) string {
	s, _ := value.(string)
	return s
}
