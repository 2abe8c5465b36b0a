package read

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// hollow reports whether a state is the mere shell of an object: all that must
// be written of it is the empty text. Some providers answer that where a query
// of theirs finds nothing, or something of another kind. What they cannot read
// at all is null, and one empty text may be meant.
func hollow(block *tfschema.Block, state cty.Value) bool {
	const several = 2
	empty := 0
	for _, attr := range block.Attributes {
		if !attr.Required || attr.Sensitive {
			continue
		}
		v := state.GetAttr(attr.Name)
		switch {
		case v.IsNull():
		case v.Type() != cty.String || v.AsString() != "":
			return false
		default:
			empty++
		}
	}
	return empty >= several
}
