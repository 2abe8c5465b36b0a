package link

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// site is a literal that a rule is for.
type site struct {
	rule  *Rule
	value cty.Value
	// exact says that a reference must have the type of the literal: in JSON
	// documents and where the schema leaves the type open, 5 is not "5".
	exact bool
	// document says that the place is inside a JSON document.
	document bool
	secret   bool
}

// walker walks a body along the rules of its type, always in the same order.
// visit is called for each site and returns what to write there instead, or
// nil. Bodies are copied where something in them changes.
type walker struct {
	visit    func(site) tfconfig.Expr
	steps    []step
	document int
}

// path is where the walk is, as a reader would write it.
func (w *walker) path() string {
	var b strings.Builder
	for _, s := range w.steps {
		b.WriteString(s.place())
	}
	return strings.TrimPrefix(b.String(), ".")
}

// in does something further down.
func (w *walker) in(do func(), steps ...step) {
	w.steps = append(w.steps, steps...)
	do()
	w.steps = w.steps[:len(w.steps)-len(steps)]
}

func (w *walker) body(body *tfconfig.Body, schema *tfschema.Block, at nodes) *tfconfig.Body {
	if body == nil || len(at) == 0 {
		return body
	}
	out := &tfconfig.Body{Attributes: body.Attributes, Blocks: body.Blocks}
	for i, a := range body.Attributes {
		next := at.named(a.Name)
		if len(next) == 0 {
			continue
		}
		w.in(func() {
			if expr := w.expr(a.Expr, attributeShape(schemaAttribute(schema, a.Name), false), next); expr != nil {
				a.Expr = expr
				out.Attributes = replaced(out.Attributes, body.Attributes, i, a)
			}
		}, step{kind: byName, name: a.Name})
	}
	w.blocks(out, body, schema, at)
	if isSame(out.Attributes, body.Attributes) && isSame(out.Blocks, body.Blocks) {
		return body
	}
	return out
}

func (w *walker) blocks(out, body *tfconfig.Body, schema *tfschema.Block, at nodes) {
	counts := map[string]int{}
	for i, b := range body.Blocks {
		next := at.named(b.Type)
		n := counts[b.Type]
		counts[b.Type]++
		if len(next) == 0 {
			continue
		}
		inner := schemaBlock(schema, b.Type)
		w.in(func() {
			nested := w.body(b.Body, blockSchema(inner), join(next, next.eached()))
			if nested != b.Body {
				changed := *b
				changed.Body = nested
				out.Blocks = replaced(out.Blocks, body.Blocks, i, &changed)
			}
		}, blockSteps(b, inner, n)...)
	}
}

// replaced sets one member of a slice that may still be the original.
func replaced[T any](out, original []T, i int, with T) []T {
	if isSame(out, original) {
		out = slices.Clone(original)
	}
	out[i] = with
	return out
}

// isSame reports whether two slices of one length share their memory.
func isSame[T any](a, b []T) bool { return len(a) == 0 || &a[0] == &b[0] }

// blockSteps are the step to a block and, where there can be several of its
// type, the step that tells them apart.
func blockSteps(b *tfconfig.Block, n *tfschema.NestedBlock, position int) []step {
	name := step{kind: byName, name: b.Type}
	switch {
	case len(b.Labels) > 0:
		return []step{name, {kind: byKey, name: b.Labels[0]}}
	case n != nil && (n.Nesting == tfschema.NestingSingle || n.Nesting == tfschema.NestingGroup):
		return []step{name}
	}
	return []step{name, {kind: byPosition, position: position}}
}

func schemaAttribute(schema *tfschema.Block, name string) *tfschema.Attribute {
	if schema == nil {
		return nil
	}
	return schema.Attribute(name)
}

func schemaBlock(schema *tfschema.Block, name string) *tfschema.NestedBlock {
	if schema == nil {
		return nil
	}
	return schema.NestedBlock(name)
}

func blockSchema(n *tfschema.NestedBlock) *tfschema.Block {
	if n == nil {
		return nil
	}
	return n.Block
}
