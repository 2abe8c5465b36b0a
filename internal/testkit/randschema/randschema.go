// Package randschema makes random provider schemas, and random values that a
// provider with such a schema may send. The same seed makes the same.
package randschema

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Options bound what is made. The zero value makes flat schemas.
type Options struct {
	Depth   int  // how deep blocks, nested attributes and types nest
	Dynamic bool // dynamic types too
	// WriteOnly attributes too, which no state has.
	WriteOnly bool
}

// Maker makes schemas and values.
type Maker struct {
	*rand.Rand
	opts Options
}

// New returns a maker.
func New(seed uint64, opts Options) *Maker {
	return &Maker{Rand: rand.New(rand.NewPCG(seed, 0)), opts: opts}
}

// oneIn is true once in n.
func (m *Maker) oneIn(n int) bool { return m.IntN(n) == 0 }

// Block makes the schema of a resource type.
func (m *Maker) Block() *tfschema.Block { return m.block(m.opts.Depth, false) }

// block makes a block, or one inside a set, where nothing is dynamic or
// write-only.
func (m *Maker) block(depth int, inSet bool) *tfschema.Block {
	names := m.names(1 + m.IntN(5))
	b := &tfschema.Block{}
	for _, name := range names {
		if depth > 0 && m.oneIn(3) {
			b.Blocks = append(b.Blocks, m.nestedBlock(name, depth-1, inSet))
		} else {
			b.Attributes = append(b.Attributes, m.attribute(name, depth, inSet))
		}
	}
	return b
}

func (m *Maker) nestedBlock(name string, depth int, inSet bool) *tfschema.NestedBlock {
	n := &tfschema.NestedBlock{Name: name, Nesting: nestings()[m.IntN(5)]}
	if n.Nesting == tfschema.NestingList || n.Nesting == tfschema.NestingSet {
		n.Max = []int64{0, 1, 3}[m.IntN(3)]
	}
	n.Block = m.block(depth, inSet || n.Nesting == tfschema.NestingSet)
	return n
}

func nestings() []tfschema.Nesting {
	return []tfschema.Nesting{
		tfschema.NestingSingle, tfschema.NestingGroup, tfschema.NestingList, tfschema.NestingSet, tfschema.NestingMap,
	}
}

func (m *Maker) attribute(name string, depth int, inSet bool) *tfschema.Attribute {
	a := &tfschema.Attribute{Name: name, Sensitive: m.oneIn(5)}
	switch m.IntN(4) {
	case 0:
		a.Required = true
	case 1:
		a.Optional = true
	case 2:
		a.Computed = true
	default:
		a.Optional, a.Computed = true, true
	}
	if a.Configurable() && !a.Computed && !inSet && m.opts.WriteOnly {
		a.WriteOnly = m.oneIn(5)
	}
	if depth > 0 && m.oneIn(4) {
		a.Nested = m.object(depth-1, inSet)
		a.Type = a.Nested.ImpliedType()
		return a
	}
	a.Type = m.attributeType(depth, inSet)
	return a
}

func (m *Maker) object(depth int, inSet bool) *tfschema.Object {
	o := &tfschema.Object{Nesting: nestings()[m.IntN(5)]}
	if o.Nesting == tfschema.NestingGroup {
		o.Nesting = tfschema.NestingSingle
	}
	for _, name := range m.names(1 + m.IntN(4)) {
		// In a collection, dynamic types would make elements differ in type.
		o.Attributes = append(o.Attributes, m.attribute(name, depth, inSet || o.Nesting != tfschema.NestingSingle))
	}
	return o
}

func (m *Maker) attributeType(depth int, inSet bool) cty.Type {
	if m.opts.Dynamic && !inSet && m.oneIn(6) {
		return cty.DynamicPseudoType
	}
	return m.typ(depth)
}

func (m *Maker) typ(depth int) cty.Type {
	if depth <= 0 || m.oneIn(2) {
		return []cty.Type{cty.String, cty.Number, cty.Bool}[m.IntN(3)]
	}
	switch m.IntN(5) {
	case 0:
		return cty.List(m.typ(depth - 1))
	case 1:
		return cty.Set(m.typ(depth - 1))
	case 2:
		return cty.Map(m.typ(depth - 1))
	case 3:
		return cty.Tuple(m.types(m.IntN(3), depth-1))
	default:
		attrs := map[string]cty.Type{}
		for _, name := range m.names(m.IntN(4)) {
			attrs[name] = m.typ(depth - 1)
		}
		return cty.Object(attrs)
	}
}

func (m *Maker) types(n, depth int) []cty.Type {
	out := make([]cty.Type, n)
	for i := range out {
		out[i] = m.typ(depth)
	}
	return out
}

// names are different, sorted, and what providers call attributes: some
// collide once they are in camel case or in the plural.
func (m *Maker) names(n int) []string {
	words := []string{"disk", "disks", "size_gb", "id", "urn", "ipv4", "_leading", "trailing_", "two__bars", "x", "policy", "bus", "data"}
	out := make([]string, 0, n)
	for range n {
		name := words[m.IntN(len(words))]
		if m.oneIn(3) {
			name = strings.TrimPrefix(fmt.Sprintf("%s_%d", name, m.IntN(3)), "_")
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
