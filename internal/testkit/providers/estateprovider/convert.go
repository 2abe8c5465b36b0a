package estateprovider

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// toJSON is a Terraform value in the API's form, or nil where it is null,
// unknown or set by the API alone. Numbers become json.Number.
func toJSON(sh *shape, v tftypes.Value) (any, error) {
	if v.IsNull() || !v.IsKnown() || sh != nil && sh.answered {
		return nil, nil
	}
	switch {
	case v.Type().Is(tftypes.String):
		return as[string](v)
	case v.Type().Is(tftypes.Bool):
		return as[bool](v)
	case v.Type().Is(tftypes.Number):
		n, err := as[big.Float](v)
		return json.Number(n.Text('f', -1)), err
	case v.Type().Is(tftypes.Object{}), v.Type().Is(tftypes.Map{}):
		return membersToJSON(sh, v)
	}
	elems, err := as[[]tftypes.Value](v)
	if err != nil {
		return nil, err
	}
	if len(elems) == 0 && sh != nil && sh.repeated {
		return nil, nil
	}
	out := make([]any, len(elems))
	for i, elem := range elems {
		if out[i], err = toJSON(elementShape(sh), elem); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func membersToJSON(sh *shape, v tftypes.Value) (any, error) {
	members, err := as[map[string]tftypes.Value](v)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for name, member := range members {
		inner := elementShape(sh)
		if v.Type().Is(tftypes.Object{}) && sh != nil {
			inner = sh.members[name]
		}
		value, err := toJSON(inner, member)
		if err != nil {
			return nil, err
		}
		if value != nil {
			out[name] = value
		}
	}
	return out, nil
}

// elementShape is the shape of a collection's elements: the same members, and
// none of what applies to the collection itself.
func elementShape(sh *shape) *shape {
	if sh == nil {
		return nil
	}
	return &shape{members: sh.members}
}

func as[T any](v tftypes.Value) (T, error) {
	var out T
	err := v.As(&out)
	return out, err
}

// fromJSON is the API's value as a Terraform value of type t. Members that the
// API left out are null, or empty where they are repeated blocks.
func fromJSON(sh *shape, t tftypes.Type, value any) (tftypes.Value, error) {
	if value == nil && (sh == nil || !sh.repeated) {
		return tftypes.NewValue(t, nil), nil
	}
	if t.Is(tftypes.DynamicPseudoType) {
		return inferred(value)
	}
	switch t := t.(type) {
	case tftypes.Object:
		return objectFromJSON(sh, t, value)
	case tftypes.Map:
		members, err := fromMembers(elementShape(sh), t.ElementType, value)
		return tftypes.NewValue(t, members), err
	case tftypes.List:
		elems, err := fromElements(elementShape(sh), t.ElementType, value)
		return tftypes.NewValue(t, elems), err
	case tftypes.Set:
		elems, err := fromElements(elementShape(sh), t.ElementType, value)
		return tftypes.NewValue(t, elems), err
	}
	return scalarFromJSON(t, value)
}

func scalarFromJSON(t tftypes.Type, value any) (tftypes.Value, error) {
	if n, ok := value.(json.Number); ok {
		f, _, err := big.ParseFloat(n.String(), 10, 512, big.ToNearestEven)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("number %q: %w", n, err)
		}
		value = f
	}
	if err := tftypes.ValidateValue(t, value); err != nil {
		return tftypes.Value{}, fmt.Errorf("the API answered %T where %s was expected: %w", value, t, err)
	}
	return tftypes.NewValue(t, value), nil
}

func objectFromJSON(sh *shape, t tftypes.Object, value any) (tftypes.Value, error) {
	in, ok := value.(map[string]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("the API answered %T where an object was expected", value)
	}
	members := map[string]tftypes.Value{}
	for name, memberType := range t.AttributeTypes {
		var inner *shape
		if sh != nil {
			inner = sh.members[name]
		}
		member, err := fromJSON(inner, memberType, in[name])
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
		}
		members[name] = member
	}
	return tftypes.NewValue(t, members), nil
}

func fromMembers(sh *shape, t tftypes.Type, value any) (map[string]tftypes.Value, error) {
	in, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the API answered %T where an object was expected", value)
	}
	out := map[string]tftypes.Value{}
	for name, member := range in {
		converted, err := fromJSON(sh, t, member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = converted
	}
	return out, nil
}

func fromElements(sh *shape, t tftypes.Type, value any) ([]tftypes.Value, error) {
	in, ok := value.([]any)
	if !ok && value != nil {
		return nil, fmt.Errorf("the API answered %T where an array was expected", value)
	}
	out := make([]tftypes.Value, len(in))
	for i, elem := range in {
		converted, err := fromJSON(sh, t, elem)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		out[i] = converted
	}
	return out, nil
}

// inferred gives a JSON value the type that Terraform's own literals have:
// objects and tuples.
func inferred(value any) (tftypes.Value, error) {
	switch v := value.(type) {
	case string:
		return tftypes.NewValue(tftypes.String, v), nil
	case bool:
		return tftypes.NewValue(tftypes.Bool, v), nil
	case json.Number:
		return scalarFromJSON(tftypes.Number, v)
	case []any:
		types, elems := make([]tftypes.Type, len(v)), make([]tftypes.Value, len(v))
		for i, elem := range v {
			converted, err := inferred(elem)
			if err != nil {
				return tftypes.Value{}, err
			}
			types[i], elems[i] = converted.Type(), converted
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, elems), nil
	case map[string]any:
		types, members := map[string]tftypes.Type{}, map[string]tftypes.Value{}
		for name, member := range v {
			converted, err := inferred(member)
			if err != nil {
				return tftypes.Value{}, err
			}
			types[name], members[name] = converted.Type(), converted
		}
		return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, members), nil
	}
	return tftypes.NewValue(tftypes.DynamicPseudoType, nil), nil
}
