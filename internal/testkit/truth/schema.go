package truth

import (
	"encoding/json"
	"fmt"
)

// Schemas are a provider's resource types.
type Schemas map[string]block

// block is a block of a provider's schema, as `providers schema -json` has it.
type block struct {
	Attributes map[string]attribute   `json:"attributes"`
	Blocks     map[string]nestedBlock `json:"block_types"`
}

type attribute struct {
	Required, Optional, Computed bool
	Nested                       *block `json:"nested_type"`
}

type nestedBlock struct{ Block block }

// DecodeSchemas reads the module's provider out of what a client prints for
// `providers schema -json`.
func (m Module) DecodeSchemas(text []byte) (Schemas, error) {
	var all struct {
		Schemas map[string]struct {
			Resources map[string]struct{ Block block } `json:"resource_schemas"`
		} `json:"provider_schemas"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	out := Schemas{}
	for name, schema := range all.Schemas[m.Provider].Resources {
		out[name] = schema.Block
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no schema of %s", m.Provider)
	}
	return out, nil
}

// computedOnly lists what an object sets and nobody may set.
func (b block) computedOnly(path string, value any) []string {
	var out []string
	switch v := value.(type) {
	case []any:
		for _, elem := range v {
			out = append(out, b.computedOnly(path+"[]", elem)...)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			a, isAttribute := b.Attributes[name]
			nested, isBlock := b.Blocks[name]
			switch {
			case isBlock:
				out = append(out, nested.Block.computedOnly(path+"."+name, v[name])...)
			case !isAttribute:
				out = append(out, b.computedOnly(path+"[]", v[name])...) // the key of a map of objects
			case a.Computed && !a.Optional && !a.Required:
				out = append(out, path+"."+name)
			case a.Nested != nil:
				out = append(out, a.Nested.computedOnly(path+"."+name, v[name])...)
			}
		}
	}
	return out
}
