// Package ctyx holds what this project needs of cty beyond the library:
// readable paths and the wire encodings shared by every protocol.
package ctyx

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// PathString renders a path the way HCL writes a traversal, without a
// leading dot: `rule[0].ports`, `tags["a b"]`. Keys that are marked, or are
// neither string nor number, are `[*]`. That a string or number is an element
// of a set cannot be told from the path alone: pass paths that may lead into
// sets of those through [HideSetElements]. A nil or empty path is "".
func PathString(path cty.Path) string {
	var b strings.Builder
	for _, step := range path {
		switch s := step.(type) {
		case cty.GetAttrStep:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name)
		case cty.IndexStep:
			b.WriteString("[" + keyString(s.Key) + "]")
		}
	}
	return b.String()
}

func keyString(key cty.Value) string {
	if !key.IsMarked() && key.IsKnown() && !key.IsNull() && (key.Type() == cty.String || key.Type() == cty.Number) {
		return string(hclwrite.TokensForValue(key).Bytes())
	}
	return "*"
}
