package classicprovider

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// toAPI is a value of the SDK in the API's form, or nil where it is not sent:
// zero values that nobody wrote and that have no default.
func (d definition) toAPI(name string, s *schema.Schema, value any, written bool) (any, error) {
	if !written && !s.Required && s.Default == nil && isZero(value) {
		return nil, nil
	}
	if set, ok := value.(*schema.Set); ok {
		value = set.List()
	}
	switch {
	case d.documents[name]:
		var doc any
		return doc, json.Unmarshal([]byte(value.(string)), &doc)
	case s.Type == schema.TypeList || s.Type == schema.TypeSet:
		return d.listToAPI(name, s, value.([]any))
	}
	return value, nil
}

func isZero(value any) bool {
	switch v := value.(type) {
	case *schema.Set:
		return v.Len() == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return value == nil || reflect.ValueOf(value).IsZero()
}

func (d definition) listToAPI(name string, s *schema.Schema, elems []any) (any, error) {
	block, ok := s.Elem.(*schema.Resource)
	if !ok {
		return elems, nil
	}
	if len(elems) == 0 {
		return nil, nil
	}
	var objects []any
	for _, elem := range elems {
		object, err := d.blockToAPI(block, elem)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	if key := d.keyed[name]; key != "" {
		keyed := estateapi.Object{}
		for _, object := range objects {
			object := object.(estateapi.Object)
			keyName := fmt.Sprint(object[key])
			if _, repeated := keyed[keyName]; repeated {
				return nil, fmt.Errorf("%s %q stands twice", key, keyName)
			}
			delete(object, key)
			keyed[keyName] = object
		}
		return keyed, nil
	}
	if s.MaxItems == 1 && !d.lists[name] {
		return objects[0], nil
	}
	return objects, nil
}

func (d definition) blockToAPI(block *schema.Resource, elem any) (any, error) {
	members, _ := elem.(map[string]any) // an empty block is nil
	out := estateapi.Object{}
	for name, s := range block.Schema {
		if s.Computed && !s.Optional {
			continue
		}
		value, present := members[name]
		if !present {
			continue
		}
		converted, err := d.toAPI(name, s, value, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if converted != nil {
			out[d.field(name)] = converted
		}
	}
	return out, nil
}

// fromAPI is the API's value in the SDK's form; nil stays nil.
func (d definition) fromAPI(name string, s *schema.Schema, value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	if d.documents[name] {
		text, err := json.Marshal(value)
		return string(text), err
	}
	switch s.Type {
	case schema.TypeInt:
		n, err := value.(json.Number).Int64()
		return int(n), err
	case schema.TypeFloat:
		return value.(json.Number).Float64()
	case schema.TypeList, schema.TypeSet:
		return d.listFromAPI(name, s, value)
	}
	return value, nil
}

func (d definition) listFromAPI(name string, s *schema.Schema, value any) (any, error) {
	block, ok := s.Elem.(*schema.Resource)
	if !ok {
		return value, nil
	}
	var out []any
	for _, object := range objectsOf(value, d.keyed[name]) {
		converted := map[string]any{}
		for member, memberSchema := range block.Schema {
			v, err := d.fromAPI(member, memberSchema, object[d.field(member)])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", member, err)
			}
			converted[member] = v
		}
		out = append(out, converted)
	}
	return out, nil
}

// objectsOf is a list of objects, whichever of its three forms the API has: an
// array, one object, or an object of objects whose keys belong in key.
func objectsOf(value any, key string) []estateapi.Object {
	var out []estateapi.Object
	switch v := value.(type) {
	case []any:
		for _, elem := range v {
			object, _ := elem.(estateapi.Object)
			out = append(out, object)
		}
	case estateapi.Object:
		if key == "" {
			return []estateapi.Object{v}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			object, _ := v[name].(estateapi.Object)
			object = maps.Clone(object)
			object[key] = name
			out = append(out, object)
		}
	}
	return out
}
