package rawstate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

var (
	errUnknown = errors.New("a value is not known")
	errShape   = errors.New("a value is not of the kind that it was")
)

// recoverJSON applies a delta to stored outputs.
func recoverJSON(d delta, stored property.Map) (json.RawMessage, error) {
	var w jsonWriter
	if err := d.write(&w, property.New(stored)); err != nil {
		return nil, err
	}
	return w.bytes, nil
}

// jsonWriter writes JSON, keys sorted.
type jsonWriter struct{ bytes []byte }

func (w *jsonWriter) put(b byte) { w.bytes = append(w.bytes, b) }

func (w *jsonWriter) word(s string) { w.bytes = append(w.bytes, s...) }

func (w *jsonWriter) text(s string) { w.bytes = ctyx.AppendJSONText(w.bytes, s) }

func (w *jsonWriter) number(f float64) error {
	text, ok := numberText(f)
	if !ok {
		return errShape
	}
	w.word(text)
	return nil
}

// exactIntegers is the bound up to which a float64 holds every integer.
const exactIntegers = 1 << 53

// numberText writes a number as Terraform would, or returns false for one
// that is not finite.
func numberText(f float64) (string, bool) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "", false
	case f == math.Trunc(f) && math.Abs(f) < exactIntegers && (f != 0 || !math.Signbit(f)):
		return strconv.FormatInt(int64(f), 10), true
	case f == math.Trunc(f):
		return big.NewFloat(f).Text('f', 0), true
	default:
		return strconv.FormatFloat(f, 'f', -1, 64), true
	}
}

// entry is a member of a JSON object.
type entry struct {
	key   string
	value property.Value
	form  form
}

func (w *jsonWriter) object(entries []entry) error {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	w.put('{')
	for i, e := range entries {
		if i > 0 {
			w.put(',')
		}
		w.text(e.key)
		w.put(':')
		if err := e.form.write(w, e.value); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
	}
	w.put('}')
	return nil
}

// elements writes an array; at gives the form of an element.
func (w *jsonWriter) elements(v property.Array, at func(int) form) error {
	w.put('[')
	for i, element := range v.All {
		if i > 0 {
			w.put(',')
		}
		if err := at(i).write(w, element); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	w.put(']')
	return nil
}

func (natural) write(w *jsonWriter, v property.Value) error {
	switch {
	case v.IsNull():
		w.word("null")
		return nil
	case v.IsString():
		w.text(v.AsString())
		return nil
	case v.IsBool():
		w.word(strconv.FormatBool(v.AsBool()))
		return nil
	case v.IsNumber():
		return w.number(v.AsNumber())
	case v.IsArray():
		return w.elements(v.AsArray(), func(int) form { return natural{} })
	case v.IsComputed():
		return errUnknown
	default:
		return errShape
	}
}

func (d plural) write(w *jsonWriter, v property.Value) error {
	w.put('[')
	if !v.IsNull() {
		if err := d.inner.write(w, v); err != nil {
			return err
		}
	}
	w.put(']')
	return nil
}

func (d members) write(w *jsonWriter, v property.Value) error {
	if !v.IsMap() {
		return errShape
	}
	var entries []entry
	for key, member := range v.AsMap().All {
		entries = append(entries, entry{key, member, orNatural(d.elements[key])})
	}
	return w.object(entries)
}

func orNatural(d delta) form {
	if d == nil {
		return natural{}
	}
	return d
}

func (d object) write(w *jsonWriter, v property.Value) error {
	if !v.IsMap() {
		return errShape
	}
	properties := v.AsMap()
	entries := make([]entry, 0, properties.Len()+len(d.properties))
	for name, p := range properties.All {
		if !reserved(name) && !slices.Contains(d.ignored, name) {
			entries = append(entries, entry{d.attribute(name), p, orNatural(d.properties[name])})
		}
	}
	for name, inner := range d.properties {
		if _, ok := properties.GetOk(name); !ok {
			entries = append(entries, entry{d.attribute(name), property.Value{}, inner})
		}
	}
	return w.object(entries)
}

// attribute is the Terraform name of a property.
func (d object) attribute(name string) string {
	if renamed := d.renamed.Get(name); renamed.IsString() {
		return renamed.AsString()
	}
	return snake(name)
}

// snake is the attribute that a property's name speaks of where nothing says
// otherwise: every capital is a small letter after an underscore.
func snake(name string) string {
	const capitals = 8 // for which there is room at first
	out := make([]byte, 0, len(name)+capitals)
	for i, c := range []byte(name) {
		if isCapital(c) {
			if i > 0 {
				out = append(out, '_')
			}
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return string(out)
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// isSnake reports whether an attribute is the one that snake says.
func isSnake(attribute, name string) bool {
	for i, c := range []byte(name) {
		if isCapital(c) {
			if i > 0 {
				rest, ok := strings.CutPrefix(attribute, "_")
				if !ok {
					return false
				}
				attribute = rest
			}
			c += 'a' - 'A'
		}
		if attribute == "" || attribute[0] != c {
			return false
		}
		attribute = attribute[1:]
	}
	return attribute == ""
}

func (d array) write(w *jsonWriter, v property.Value) error {
	if !v.IsArray() {
		return errShape
	}
	for i := range d.elements {
		if i < 0 || i >= v.AsArray().Len() {
			return errShape
		}
	}
	return w.elements(v.AsArray(), func(i int) form { return orNatural(d.elements[i]) })
}

func (number) write(w *jsonWriter, v property.Value) error {
	if !v.IsString() || !isNumber(v.AsString()) {
		return errShape
	}
	w.word(v.AsString())
	return nil
}

// isNumber reports whether text is a number in JSON.
func isNumber(text string) bool {
	return text != "" && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && json.Valid([]byte(text)) && strings.TrimSpace(text) == text
}

// write gives the asset's path, or its text where Terraform had that.
func (d asset) write(w *jsonWriter, v property.Value) error {
	switch {
	case v.IsAsset() && v.AsAsset().Path != "":
		w.text(v.AsAsset().Path)
	case v.IsAsset() && v.AsAsset().Text != "":
		w.text(v.AsAsset().Text)
	case v.IsArchive() && v.AsArchive().Path != "":
		w.text(v.AsArchive().Path)
	default:
		return errors.New("an asset's contents are not in the state")
	}
	return nil
}

func (d replace) write(w *jsonWriter, _ property.Value) error {
	w.bytes = append(w.bytes, d.text...)
	return nil
}

func newReplace(text []byte) (delta, error) {
	if !json.Valid(text) {
		return nil, errTag
	}
	return replace{text}, nil
}

// plain writes any value as the JSON that it is.
type plain struct{}

func (plain) write(w *jsonWriter, v property.Value) error {
	switch {
	case v.IsArray():
		return w.elements(v.AsArray(), func(int) form { return plain{} })
	case v.IsMap():
		var entries []entry
		for key, member := range v.AsMap().All {
			entries = append(entries, entry{key, member, plain{}})
		}
		return w.object(entries)
	default:
		return natural{}.write(w, v)
	}
}
