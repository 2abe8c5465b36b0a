package mappingtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func compare(a, b string) int { return strings.Compare(a, b) }

// Random draws the schemas of a provider. Names are few, so that those in
// Pulumi's spelling meet; all shapes of types, attributes and blocks occur.
func Random(r *rand.Rand) *Schemas {
	d := &drawer{r}
	s := &Schemas{
		Provider:  d.block(2),
		Resources: d.blocks("thing"), Data: d.blocks("thing"), Ephemeral: d.blocks("thing"), Lists: d.blocks("thing"),
		Functions: map[string]*tfschema.Function{},
	}
	for range r.IntN(4) {
		name := d.name()
		s.Functions[name] = d.function(name)
	}
	return s
}

// RandomBlock draws a block at most depth deep.
func RandomBlock(r *rand.Rand, depth int) *tfschema.Block { return (&drawer{r}).block(depth) }

type drawer struct{ *rand.Rand }

func (d *drawer) blocks(prefix string) map[string]*tfschema.Block {
	all := map[string]*tfschema.Block{}
	for range d.IntN(6) {
		all[prefix+"_"+d.name()] = d.block(3)
	}
	return all
}

// name draws a name of one to three parts.
func (d *drawer) name() string {
	parts := []string{"id", "urn", "pulumi", "name", "rule", "rules", "status", "index", "1", "A", "a", "b", ""}
	name := parts[d.IntN(len(parts))]
	for d.IntN(2) == 0 {
		name += "_" + parts[d.IntN(len(parts))]
	}
	if strings.Trim(name, "_") == "" {
		return "plain"
	}
	return name
}

func (d *drawer) block(depth int) *tfschema.Block {
	attributes := d.attributes(depth)
	var blocks []*tfschema.NestedBlock
	for range d.IntN(4) {
		name := d.name()
		taken := slices.ContainsFunc(attributes, func(a *tfschema.Attribute) bool { return a.Name == name }) ||
			slices.ContainsFunc(blocks, func(b *tfschema.NestedBlock) bool { return b.Name == name })
		if depth > 0 && !taken {
			blocks = append(blocks, d.nestedBlock(name, depth))
		}
	}
	b := Block(attributes, blocks...)
	b.Deprecated = d.IntN(4) == 0
	return b
}

func (d *drawer) nestedBlock(name string, depth int) *tfschema.NestedBlock {
	n := &tfschema.NestedBlock{Name: name, Nesting: d.nesting(), Block: d.block(depth - 1)}
	if n.Nesting == tfschema.NestingSet && n.Block.ImpliedType().HasDynamicTypes() {
		n.Nesting = tfschema.NestingList
	}
	n.Max = d.Int64N(3)
	n.Min = d.Int64N(n.Max + 1)
	return n
}

func (d *drawer) nesting() tfschema.Nesting {
	return tfschema.NestingSingle + tfschema.Nesting(d.IntN(5))
}

func (d *drawer) attributes(depth int) []*tfschema.Attribute {
	named := map[string]*tfschema.Attribute{}
	for range d.IntN(6) {
		a := d.attribute(d.name(), depth)
		named[a.Name] = a
	}
	var all []*tfschema.Attribute
	for _, a := range named {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *tfschema.Attribute) int { return compare(a.Name, b.Name) })
	return all
}

func (d *drawer) attribute(name string, depth int) *tfschema.Attribute {
	a := &tfschema.Attribute{
		Name: name, Sensitive: d.IntN(5) == 0, Deprecated: d.IntN(5) == 0,
		Description: fmt.Sprintf("The `%s` of [it](/x).", d.name()),
	}
	switch d.IntN(4) {
	case 0:
		a.Required = true
	case 1:
		a.Optional = true
		a.WriteOnly = d.IntN(4) == 0
	case 2:
		a.Optional, a.Computed = true, true
	default:
		a.Computed = true
	}
	if depth > 0 && d.IntN(3) == 0 {
		a.Nested = &tfschema.Object{Nesting: d.nesting(), Attributes: d.attributes(depth - 1)}
		if a.Nested.Nesting == tfschema.NestingGroup { // for blocks only
			a.Nested.Nesting = tfschema.NestingSingle
		}
		a.Type = a.Nested.ImpliedType()
		return a
	}
	a.Type = d.Type(depth)
	return a
}

// Type draws a type at most depth deep.
func (d *drawer) Type(depth int) cty.Type {
	if depth == 0 {
		return []cty.Type{cty.String, cty.Number, cty.Bool}[d.IntN(3)]
	}
	switch d.IntN(8) {
	case 0:
		return cty.List(d.Type(depth - 1))
	case 1:
		return cty.Set(d.Type(depth - 1))
	case 2:
		return cty.Map(d.Type(depth - 1))
	case 3:
		attributes := map[string]cty.Type{}
		for range d.IntN(4) {
			attributes[d.name()] = d.Type(depth - 1)
		}
		return cty.Object(attributes)
	case 4:
		return cty.Tuple([]cty.Type{d.Type(depth - 1), d.Type(depth - 1)})
	case 5:
		return cty.DynamicPseudoType
	default:
		return d.Type(0)
	}
}

func (d *drawer) function(name string) *tfschema.Function {
	f := &tfschema.Function{Name: name, Return: d.Type(2), Summary: "It works."}
	for range d.IntN(4) {
		f.Parameters = append(f.Parameters, &tfschema.Parameter{Name: d.name(), Type: d.Type(2), AllowNull: d.IntN(2) == 0})
	}
	if d.IntN(2) == 0 {
		f.Variadic = &tfschema.Parameter{Name: d.name(), Type: d.Type(1)}
	}
	return f
}
