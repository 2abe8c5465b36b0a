package tfconfig

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// generator draws schemas and configuration values of them.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 7))} }

func (g generator) block(depth int) *tfschema.Block {
	b := &tfschema.Block{Attributes: g.attributes(depth, 5)}
	if depth == 0 {
		return b
	}
	for i := range g.IntN(4) {
		b.Blocks = append(b.Blocks, &tfschema.NestedBlock{
			Name: fmt.Sprintf("block_%d", i), Nesting: tfschema.Nesting(1 + g.IntN(5)), Block: g.block(depth - 1),
		})
	}
	return b
}

func (g generator) attributes(depth, most int) []*tfschema.Attribute {
	var out []*tfschema.Attribute
	for i := range g.IntN(most + 1) {
		a := &tfschema.Attribute{Name: fmt.Sprintf("attr%s_%d", strings.Repeat("x", g.IntN(6)), i)}
		switch g.IntN(6) {
		case 0:
			a.Required = true
		case 1:
			a.Computed = true
		default:
			a.Optional = true
		}
		if depth > 0 && g.IntN(3) == 0 {
			a.Nested = &tfschema.Object{
				Nesting:    []tfschema.Nesting{tfschema.NestingSingle, tfschema.NestingList, tfschema.NestingSet, tfschema.NestingMap}[g.IntN(4)],
				Attributes: g.attributes(depth-1, 3),
			}
			a.Type = a.Nested.ImpliedType()
		} else {
			a.Type = g.typ(2)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *tfschema.Attribute) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (g generator) typ(depth int) cty.Type {
	n := 8
	if depth == 0 {
		n = 4
	}
	switch g.IntN(n) {
	case 0, 1:
		return cty.String
	case 2:
		return cty.Number
	case 3:
		return cty.Bool
	case 4:
		return cty.List(g.typ(depth - 1))
	case 5:
		return cty.Set(g.typ(depth - 1))
	case 6:
		return cty.Map(g.typ(depth - 1))
	}
	return cty.Object(map[string]cty.Type{"first": g.typ(depth - 1), "for": g.typ(depth - 1)})
}

func (g generator) config(b *tfschema.Block) cty.Value {
	vals := map[string]cty.Value{}
	for _, a := range b.Attributes {
		vals[a.Name] = g.attribute(a)
	}
	for _, n := range b.Blocks {
		vals[n.Name] = g.nestedBlock(n)
	}
	return cty.ObjectVal(vals)
}

func (g generator) attribute(a *tfschema.Attribute) cty.Value {
	switch {
	case !a.Configurable() || !a.Required && g.IntN(4) == 0:
		return cty.NullVal(a.Type)
	case a.Nested == nil:
		return g.value(a.Type)
	}
	object := func() cty.Value {
		vals := map[string]cty.Value{}
		for _, a := range a.Nested.Attributes {
			vals[a.Name] = g.attribute(a)
		}
		return cty.ObjectVal(vals)
	}
	if a.Nested.Nesting == tfschema.NestingSingle {
		return object()
	}
	return g.collection(a.Type, object)
}

func (g generator) nestedBlock(n *tfschema.NestedBlock) cty.Value {
	object := func() cty.Value { return g.config(n.Block) }
	switch {
	case n.Nesting == tfschema.NestingSingle && g.IntN(3) == 0:
		return n.EmptyValue()
	case n.Nesting == tfschema.NestingSingle || n.Nesting == tfschema.NestingGroup:
		return object()
	}
	return g.collection(n.EmptyValue().Type(), object)
}

func (g generator) value(ty cty.Type) cty.Value {
	switch {
	case ty == cty.String:
		return cty.StringVal(g.text())
	case ty == cty.Number:
		return g.number()
	case ty == cty.Bool:
		return cty.BoolVal(g.IntN(2) == 0)
	case ty.IsObjectType():
		vals := map[string]cty.Value{}
		for name, ty := range ty.AttributeTypes() {
			vals[name] = cty.NullVal(ty)
			if g.IntN(4) > 0 {
				vals[name] = g.value(ty)
			}
		}
		return cty.ObjectVal(vals)
	}
	return g.collection(ty, func() cty.Value { return g.value(ty.ElementType()) })
}

func (g generator) collection(ty cty.Type, elem func() cty.Value) cty.Value {
	var list []cty.Value
	keyed := map[string]cty.Value{}
	for range g.IntN(4) {
		list = append(list, elem())
		keyed[g.text()] = elem()
	}
	switch {
	case ty.IsMapType() && len(keyed) > 0:
		return cty.MapVal(keyed)
	case ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsSetType() && len(list) > 0:
		return cty.SetVal(list)
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	case len(list) > 0:
		return cty.ListVal(list)
	}
	return cty.ListValEmpty(ty.ElementType())
}

func (g generator) number() cty.Value {
	switch g.IntN(5) {
	case 0:
		return cty.NumberIntVal(g.Int64() - g.Int64())
	case 1:
		return cty.NumberFloatVal(g.NormFloat64())
	case 2:
		return cty.NumberVal(new(big.Float).SetMantExp(big.NewFloat(g.Float64()), g.IntN(600)-300))
	case 3:
		return cty.MustParseNumberVal(fmt.Sprintf("-%d.%d", g.IntN(10), g.IntN(1000000)))
	}
	return cty.NumberIntVal(int64(g.IntN(100)) - 20)
}

// snippets are pieces of text that trip over quoting, templates, heredocs,
// or the recognition of JSON.
var snippets = []string{
	"a", "web", " ", "  ", "\t", "\n", "\n", "\r\n", "$", "$$", "%", "${", "%{", "}", "{", `"`, `\`, `\n`, "EOT", "EOT\n", "<<EOT\n", "#", "//",
	"ä", "e\u0301", "\u0301", "世界", "\u00a0", "\u2028", "\x00", "\U0001f600", "\U000e0001", "for", "null", "1", "-", ".",
	`{"a":1}`, `[1,"x"]`, `{"b":{"c":["d",null,true,1.5]}}`, "line one\nline two\n", "\ufeff",
}

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteString(snippets[g.IntN(len(snippets))])
	}
	return b.String()
}
