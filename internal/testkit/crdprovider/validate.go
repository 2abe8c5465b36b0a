package crdprovider

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// failure is why an input is refused, and which.
type failure struct{ path, reason string }

// validate holds a value to a schema. What is not known yet is not judged.
func (s *schema) validate(v property.Value, path string) []failure {
	switch {
	case v.IsNull(), v.IsComputed(), s.PreserveUnknown && len(s.Properties) == 0:
		return nil
	case s.IntOrString:
		return wrongUnless(v.IsNumber() || v.IsString(), path, "an integer or a string")
	}
	if found := s.wrongEnum(v, path); found != nil {
		return found
	}
	switch s.Type {
	case "object":
		return s.validateObject(v, path)
	case "array":
		return s.validateArray(v, path)
	case "string":
		return wrongUnless(v.IsString(), path, "a string")
	case "boolean":
		return wrongUnless(v.IsBool(), path, "a boolean")
	case "number":
		return wrongUnless(v.IsNumber(), path, "a number")
	case "integer":
		return wrongUnless(v.IsNumber() && v.AsNumber() == float64(int64(v.AsNumber())), path, "an integer")
	default:
		return nil
	}
}

func wrongUnless(right bool, path, want string) []failure {
	if right {
		return nil
	}
	return []failure{{path, "has to be " + want}}
}

func (s *schema) wrongEnum(v property.Value, path string) []failure {
	if len(s.Enum) == 0 || !v.IsString() {
		return nil
	}
	return wrongUnless(slices.Contains(s.Enum, any(v.AsString())), path, fmt.Sprintf("one of %v", s.Enum))
}

func (s *schema) validateObject(v property.Value, path string) []failure {
	if !v.IsMap() {
		return wrongUnless(false, path, "an object")
	}
	var out []failure
	members := v.AsMap()
	for _, name := range s.Required {
		if members.Get(name).IsNull() {
			out = append(out, failure{join(path, name), "is required"})
		}
	}
	all := members.AsMap()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, s.validateMember(name, all[name], join(path, name))...)
	}
	return out
}

func (s *schema) validateMember(name string, v property.Value, path string) []failure {
	switch member := s.Properties[name]; {
	case member != nil:
		return member.validate(v, path)
	case s.AdditionalProperties != nil && s.AdditionalProperties.schema != nil:
		return s.AdditionalProperties.schema.validate(v, path)
	case s.PreserveUnknown, s.AdditionalProperties != nil && s.AdditionalProperties.allowed, len(s.Properties) == 0:
		return nil
	default:
		return []failure{{path, "is not in the definition"}}
	}
}

func (s *schema) validateArray(v property.Value, path string) []failure {
	if !v.IsArray() {
		return wrongUnless(false, path, "an array")
	}
	var out []failure
	for i, item := range v.AsArray().All {
		out = append(out, s.Items.orAny().validate(item, fmt.Sprintf("%s[%d]", path, i))...)
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
