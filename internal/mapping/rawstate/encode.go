package rawstate

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// fields are those of a property value that is an object.
type fields = map[string]property.Value

func tagged(tag string, body fields) property.Value { return member(tag, mapOf(body)) }

// member is an object of one member.
func member(key string, v property.Value) property.Value { return mapOf(fields{key: v}) }

func mapOf(members fields) property.Value { return property.New(property.NewMap(members)) }

func (natural) encode() property.Value { return mapOf(nil) }

// What most deltas are. Values never change.
var (
	plainMembers = tagged(tagMap, nil)
	plainArray   = tagged(tagArray, nil)
)

func (d plural) encode() property.Value { return tagged(tagPlural, fields{"i": d.inner.encode()}) }

func (number) encode() property.Value { return tagged(tagNumber, nil) }

func (d members) encode() property.Value {
	if len(d.elements) == 0 {
		return plainMembers
	}
	return tagged(tagMap, fields{"el": encodeAll(d.elements)})
}

func (d array) encode() property.Value {
	if len(d.elements) == 0 {
		return plainArray
	}
	elements := make(fields, len(d.elements))
	for i, inner := range d.elements {
		elements[strconv.Itoa(i)] = inner.encode()
	}
	return tagged(tagArray, fields{"el": mapOf(elements)})
}

func (d object) encode() property.Value {
	body := fields{}
	if len(d.ignored) > 0 {
		names := make([]property.Value, len(d.ignored))
		for i, name := range d.ignored {
			names[i] = property.New(name)
		}
		body["ignored"] = property.New(names)
	}
	if d.renamed.Len() > 0 {
		body["renamed"] = property.New(d.renamed)
	}
	if len(d.properties) > 0 {
		body["ps"] = encodeAll(d.properties)
	}
	return tagged(tagObject, body)
}

func encodeAll(deltas map[string]delta) property.Value {
	out := make(fields, len(deltas))
	for key, d := range deltas {
		out[key] = d.encode()
	}
	return mapOf(out)
}

func (d asset) encode() property.Value {
	return tagged(tagAsset, fields{"kind": property.New(d.kind)})
}

// encode stores the JSON as a value, which others read, and as text where the
// value has lost digits. It is secret, since nobody knows what is in it.
func (d replace) encode() property.Value {
	value, exact := fromJSON(d.text)
	body := fields{"raw": value}
	if !exact {
		body["text"] = property.New(string(d.text))
	}
	return tagged(tagReplace, body).WithSecret(true)
}

// fromJSON makes a property value of JSON, and reports whether it holds every
// digit of it.
func fromJSON(text json.RawMessage) (property.Value, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var decoded any
	if decoder.Decode(&decoded) != nil {
		return property.Value{}, false
	}
	exact := true
	value := fromDecoded(decoded, &exact)
	return value, exact
}

func fromDecoded(decoded any, exact *bool) property.Value {
	switch d := decoded.(type) {
	case bool:
		return property.New(d)
	case string:
		return property.New(d)
	case json.Number:
		f, err := d.Float64()
		if back, ok := numberText(f); err != nil || !ok || back != d.String() {
			*exact = false
		}
		return property.New(f)
	case []any:
		out := make([]property.Value, len(d))
		for i, element := range d {
			out[i] = fromDecoded(element, exact)
		}
		return property.New(property.NewArray(out))
	case map[string]any:
		out := make(fields, len(d))
		for key, member := range d {
			out[key] = fromDecoded(member, exact)
		}
		return property.New(property.NewMap(out))
	default:
		return property.Value{}
	}
}
