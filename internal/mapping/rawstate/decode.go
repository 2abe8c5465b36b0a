package rawstate

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

var errTag = errors.New("a tag is not known or has another form")

// decodeDelta reads a stored delta. Marks of secrecy are passed over.
func decodeDelta(v property.Value) (delta, error) {
	if v.IsNull() {
		return natural{}, nil
	}
	if !v.IsMap() {
		return nil, errTag
	}
	for tag, body := range v.AsMap().AllStable {
		if body.IsNull() {
			continue
		}
		if !body.IsMap() {
			return nil, errTag
		}
		return decodeTagged(tag, body.AsMap())
	}
	return natural{}, nil
}

func decodeTagged(tag string, body property.Map) (delta, error) {
	switch tag {
	case tagPlural:
		inner, err := decodeDelta(body.Get("i"))
		return plural{inner}, err
	case tagMap:
		elements, err := decodeAll(body.Get("el"))
		return members{elements}, err
	case tagObject:
		return decodeObject(body)
	case tagArray:
		return decodeArray(body)
	case tagAsset:
		return decodeAsset(body)
	case tagNumber:
		return number{}, nil
	case tagReplace:
		return decodeReplace(body)
	default:
		return nil, errTag
	}
}

func decodeAll(v property.Value) (map[string]delta, error) {
	if v.IsNull() {
		return nil, nil
	}
	if !v.IsMap() {
		return nil, errTag
	}
	out := make(map[string]delta, v.AsMap().Len())
	for key, encoded := range v.AsMap().AllStable {
		d, err := decodeDelta(encoded)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		out[key] = d
	}
	return out, nil
}

func decodeObject(body property.Map) (delta, error) {
	properties, err := decodeAll(body.Get("ps"))
	if err != nil {
		return nil, err
	}
	d := object{properties: properties}
	if ignored := body.Get("ignored"); ignored.IsArray() {
		for _, name := range ignored.AsArray().All {
			if !name.IsString() {
				return nil, errTag
			}
			d.ignored = append(d.ignored, name.AsString())
		}
	}
	if renamed := body.Get("renamed"); renamed.IsMap() {
		d.renamed = renamed.AsMap()
		for _, attribute := range d.renamed.All {
			if !attribute.IsString() {
				return nil, errTag
			}
		}
	}
	return d, nil
}

func decodeArray(body property.Map) (delta, error) {
	elements, err := decodeAll(body.Get("el"))
	if err != nil {
		return nil, err
	}
	d := array{elements: make(map[int]delta, len(elements))}
	for key, element := range elements {
		i, err := strconv.Atoi(key)
		if err != nil {
			return nil, errTag
		}
		d.elements[i] = element
	}
	return d, nil
}

func decodeAsset(body property.Map) (delta, error) {
	kind := body.Get("kind")
	if !kind.IsNumber() {
		return nil, errTag
	}
	return asset{kind.AsNumber()}, nil
}

func decodeReplace(body property.Map) (delta, error) {
	if text := body.Get("text"); text.IsString() {
		return newReplace([]byte(text.AsString()))
	}
	var w jsonWriter
	if err := (plain{}).write(&w, body.Get("raw")); err != nil {
		return nil, err
	}
	return newReplace(w.bytes)
}
