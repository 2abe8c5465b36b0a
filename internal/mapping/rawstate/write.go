package rawstate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
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
	return w.bytes(), nil
}

// jsonWriter writes JSON, keys sorted.
type jsonWriter struct{ buf bytes.Buffer }

func (w *jsonWriter) bytes() []byte { return w.buf.Bytes() }

func (w *jsonWriter) text(s string) error {
	data, err := json.Marshal(s)
	w.buf.Write(data)
	return err
}

func (w *jsonWriter) number(f float64) error {
	text, ok := numberText(f)
	if !ok {
		return errShape
	}
	w.buf.WriteString(text)
	return nil
}

// numberText writes a number as Terraform would, or returns false for one
// that is not finite.
func numberText(f float64) (string, bool) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "", false
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
	w.buf.WriteByte('{')
	for i, e := range entries {
		if i > 0 {
			w.buf.WriteByte(',')
		}
		if err := w.text(e.key); err != nil {
			return err
		}
		w.buf.WriteByte(':')
		if err := e.form.write(w, e.value); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
	}
	w.buf.WriteByte('}')
	return nil
}

// elements writes an array; at gives the form of an element.
func (w *jsonWriter) elements(v property.Array, at func(int) form) error {
	w.buf.WriteByte('[')
	for i, element := range v.All {
		if i > 0 {
			w.buf.WriteByte(',')
		}
		if err := at(i).write(w, element); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	w.buf.WriteByte(']')
	return nil
}

func (natural) write(w *jsonWriter, v property.Value) error {
	switch {
	case v.IsNull():
		w.buf.WriteString("null")
		return nil
	case v.IsString():
		return w.text(v.AsString())
	case v.IsBool():
		w.buf.WriteString(strconv.FormatBool(v.AsBool()))
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
	w.buf.WriteByte('[')
	if !v.IsNull() {
		if err := d.inner.write(w, v); err != nil {
			return err
		}
	}
	w.buf.WriteByte(']')
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
	if renamed, ok := d.renamed[name]; ok {
		return renamed
	}
	return snake(name)
}

// snake is the attribute that a property's name speaks of where nothing says
// otherwise: every capital is a small letter after an underscore.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return b.String()
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
	w.buf.WriteString(v.AsString())
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
		return w.text(v.AsAsset().Path)
	case v.IsAsset() && v.AsAsset().Text != "":
		return w.text(v.AsAsset().Text)
	case v.IsArchive() && v.AsArchive().Path != "":
		return w.text(v.AsArchive().Path)
	default:
		return errors.New("an asset's contents are not in the state")
	}
}

func (d replace) write(w *jsonWriter, _ property.Value) error {
	w.buf.Write(d.text)
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
