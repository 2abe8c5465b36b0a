package mapjson

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/mapping"
)

// attributes is what one object of Terraform's has, by name.
type attributes map[string]*attribute

// attribute is an attribute, a block, or a type alone.
type attribute struct {
	Type       valueType `json:"type"`
	Optional   bool      `json:"optional,omitempty"`
	Required   bool      `json:"required,omitempty"`
	Computed   bool      `json:"computed,omitempty"`
	Element    *element  `json:"element,omitempty"`
	MaxItems   int64     `json:"maxItems,omitempty"`
	MinItems   int64     `json:"minItems,omitempty"`
	Deprecated string    `json:"deprecated,omitempty"`
	Sensitive  bool      `json:"sensitive,omitempty"`
}

// valueType is a type without its elements. Sets are lists.
type valueType int

const (
	typeBool    valueType = 1
	typeNumber  valueType = 3
	typeString  valueType = 4
	typeList    valueType = 5
	typeMap     valueType = 6 // with a resource as element: one object
	typeDynamic valueType = 8
)

// element is what a collection holds: values of a type, or objects.
type element struct {
	Schema   *attribute `json:"schema,omitempty"`
	Resource attributes `json:"resource,omitempty"`
}

func newAttributes(o *mapping.Object) attributes {
	all := make(attributes, len(o.Properties))
	for _, p := range o.Properties {
		all[p.Terraform] = newAttribute(p)
	}
	return all
}

func newAttribute(p *mapping.Property) *attribute {
	a := typed(p.Type, p.Nesting != 0)
	a.Optional, a.Required, a.Computed = p.Optional, p.Required, p.Computed
	a.MaxItems, a.MinItems = p.Max, p.Min
	a.Deprecated = p.Deprecated
	a.Sensitive = p.Secret
	return a
}

// typed is an attribute that has a type and nothing else. nested says that
// the type is of blocks or nested attributes, whose lists hold objects
// directly.
func typed(t *mapping.Type, nested bool) *attribute {
	switch t.Kind {
	case mapping.KindBool:
		return &attribute{Type: typeBool}
	case mapping.KindNumber:
		return &attribute{Type: typeNumber}
	case mapping.KindString:
		return &attribute{Type: typeString}
	case mapping.KindArray:
		return &attribute{Type: typeList, Element: listElement(t, nested)}
	case mapping.KindMap:
		return &attribute{Type: typeMap, Element: &element{Schema: typed(t.Elem, false)}}
	case mapping.KindObject:
		if t.Flat {
			return &attribute{Type: typeList, Element: &element{Resource: newAttributes(t.Object)}}
		}
		return &attribute{Type: typeMap, Element: &element{Resource: newAttributes(t.Object)}}
	default:
		return &attribute{Type: typeDynamic}
	}
}

// listElement is what an array holds. Tuples, which the format does not know,
// are lists of anything.
func listElement(t *mapping.Type, nested bool) *element {
	switch {
	case t.Elem == nil:
		return &element{Schema: &attribute{Type: typeDynamic}}
	case nested:
		return &element{Resource: newAttributes(t.Elem.Object)}
	default:
		return &element{Schema: typed(t.Elem, false)}
	}
}

// typeNotation is Terraform's JSON form of a type, which every type here came
// from.
func typeNotation(ty cty.Type) json.RawMessage {
	notation, err := ctyjson.MarshalType(ty)
	if err != nil {
		return json.RawMessage("null")
	}
	return notation
}
