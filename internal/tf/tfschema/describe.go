package tfschema

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
)

// Describe renders a schema for reading: an attribute to a line with its type
// and what may be done with it, nested blocks indented.
func (s *Schema) Describe() string {
	var b strings.Builder
	describeBlock(&b, s.Block, "")
	return b.String()
}

func describeBlock(b *strings.Builder, block *Block, indent string) {
	describeAttributes(b, block.Attributes, indent)
	for _, n := range block.Blocks {
		fmt.Fprintf(b, "%s%s {  # %s\n", indent, n.Name, describeNesting(n))
		describeBlock(b, n.Block, indent+"  ")
		fmt.Fprintf(b, "%s}\n", indent)
	}
}

func describeAttributes(b *strings.Builder, attributes []*Attribute, indent string) {
	names, types := 0, 0
	for _, a := range attributes {
		names, types = max(names, len(a.Name)), max(types, len(describeType(a)))
	}
	for _, a := range attributes {
		line := fmt.Sprintf("%s%-*s  %-*s  %s", indent, names, a.Name, types, describeType(a), strings.Join(traits(a), ", "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		if a.Nested != nil {
			describeAttributes(b, a.Nested.Attributes, indent+"  ")
		}
	}
}

func describeType(a *Attribute) string {
	if a.Nested != nil {
		if a.Nested.Nesting == NestingSingle {
			return "object"
		}
		return a.Nested.Nesting.String() + " of objects"
	}
	return typeexpr.TypeString(a.Type)
}

func traits(a *Attribute) []string {
	var out []string
	for _, t := range []struct {
		has  bool
		name string
	}{
		{a.Required, "required"}, {a.Optional, "optional"}, {a.Computed, "computed"},
		{a.Sensitive, "sensitive"}, {a.WriteOnly, "write-only"}, {a.Deprecated, "deprecated"},
	} {
		if t.has {
			out = append(out, t.name)
		}
	}
	return out
}

func describeNesting(n *NestedBlock) string {
	out := n.Nesting.String()
	if n.Min > 0 {
		out += fmt.Sprintf(", at least %d", n.Min)
	}
	if n.Max > 0 {
		out += fmt.Sprintf(", at most %d", n.Max)
	}
	return out
}
