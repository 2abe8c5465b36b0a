package tfschema

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// MarshalJSON writes s as `terraform providers schema -json` does: version
// and block. Source: that command's documented output, format 1.0.
func (s *Schema) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Version int64     `json:"version"`
		Block   jsonBlock `json:"block"`
	}{s.Version, toJSONBlock(s.Block)})
}

type jsonBlock struct {
	Attributes map[string]jsonAttribute `json:"attributes,omitempty"`
	BlockTypes map[string]jsonNested    `json:"block_types,omitempty"`
	jsonProse
}

// jsonProse is what blocks and attributes say for people.
type jsonProse struct {
	Description        string `json:"description,omitempty"`
	DescriptionKind    string `json:"description_kind"`
	Deprecated         bool   `json:"deprecated,omitempty"`
	DeprecationMessage string `json:"deprecation_message,omitempty"`
}

func toJSONProse(description string, markdown, deprecated bool, message string) jsonProse {
	kind := "plain"
	if markdown {
		kind = "markdown"
	}
	return jsonProse{description, kind, deprecated, message}
}

type jsonAttribute struct {
	Type       json.RawMessage `json:"type,omitempty"`
	NestedType *jsonObject     `json:"nested_type,omitempty"`
	jsonProse
	Required  bool `json:"required,omitempty"`
	Optional  bool `json:"optional,omitempty"`
	Computed  bool `json:"computed,omitempty"`
	Sensitive bool `json:"sensitive,omitempty"`
	WriteOnly bool `json:"write_only,omitempty"`
}

type jsonObject struct {
	Attributes  map[string]jsonAttribute `json:"attributes,omitempty"`
	NestingMode string                   `json:"nesting_mode"`
}

type jsonNested struct {
	NestingMode string    `json:"nesting_mode"`
	Block       jsonBlock `json:"block"`
	MinItems    int64     `json:"min_items,omitempty"`
	MaxItems    int64     `json:"max_items,omitempty"`
}

// String names the mode as Terraform's JSON does.
func (n Nesting) String() string {
	return [...]string{"invalid", "single", "group", "list", "set", "map"}[min(n, NestingMap)]
}

func toJSONBlock(b *Block) jsonBlock {
	out := jsonBlock{
		Attributes: toJSONAttributes(b.Attributes),
		jsonProse:  toJSONProse(b.Description, b.Markdown, b.Deprecated, b.DeprecationMessage),
	}
	for _, n := range b.Blocks {
		if out.BlockTypes == nil {
			out.BlockTypes = map[string]jsonNested{}
		}
		out.BlockTypes[n.Name] = jsonNested{
			NestingMode: n.Nesting.String(), Block: toJSONBlock(n.Block), MinItems: n.Min, MaxItems: n.Max,
		}
	}
	return out
}

func toJSONAttributes(attributes []*Attribute) map[string]jsonAttribute {
	out := make(map[string]jsonAttribute, len(attributes))
	for _, a := range attributes {
		out[a.Name] = toJSONAttribute(a)
	}
	return out
}

func toJSONAttribute(a *Attribute) jsonAttribute {
	out := jsonAttribute{
		jsonProse: toJSONProse(a.Description, a.Markdown, a.Deprecated, a.DeprecationMessage),
		Required:  a.Required, Optional: a.Optional, Computed: a.Computed,
		Sensitive: a.Sensitive, WriteOnly: a.WriteOnly,
	}
	if a.Nested != nil {
		out.NestedType = &jsonObject{Attributes: toJSONAttributes(a.Nested.Attributes), NestingMode: a.Nested.Nesting.String()}
		return out
	}
	out.Type = typeJSON(a.Type)
	return out
}

// typeJSON is cty's JSON form of a type. Types here came from that form.
func typeJSON(ty cty.Type) json.RawMessage {
	data, err := ctyjson.MarshalType(ty)
	if err != nil {
		return json.RawMessage(`"dynamic"`)
	}
	return data
}
