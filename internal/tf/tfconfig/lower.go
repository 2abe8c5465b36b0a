package tfconfig

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Lower turns a configuration value into the body of a block. config is an
// object of block's implied type; marks on it are dropped. Null attributes
// and what configuration may not set are left out. Required attributes come
// first, then optional ones, then nested blocks, each by name; members of
// sets come in an order that their content decides.
//
// What no text can say is left out and reported as an error on its path; the
// body is usable all the same.
func Lower(block *tfschema.Block, config cty.Value) (*Body, diag.List) {
	var l lowering
	config = ctyx.Unmark(config)
	return l.body(block, config, nil), l.diags
}

// lowering gathers what cannot be written.
type lowering struct{ diags diag.List }

func (l *lowering) report(d *diag.Diagnostic) { l.diags = append(l.diags, d) }

// body lowers one block's object. A null object is an empty body.
func (l *lowering) body(block *tfschema.Block, v cty.Value, path cty.Path) *Body {
	body := &Body{}
	if !l.isObject(v, path) {
		return body
	}
	for _, a := range printOrder(block.Attributes) {
		at := path.GetAttr(a.Name)
		if expr := l.attribute(a, member(v, a.Name), at); expr != nil && l.isName(a.Name, at) {
			body.Attributes = append(body.Attributes, Attribute{Name: a.Name, Expr: expr})
		}
	}
	for _, n := range block.Blocks {
		at := path.GetAttr(n.Name)
		if blocks := l.blocks(n, member(v, n.Name), at); len(blocks) > 0 && l.isName(n.Name, at) {
			body.Blocks = append(body.Blocks, blocks...)
		}
	}
	return body
}

// printOrder is the configurable attributes, required ones first.
func printOrder(sorted []*tfschema.Attribute) []*tfschema.Attribute {
	out := slices.DeleteFunc(slices.Clone(sorted), func(a *tfschema.Attribute) bool { return !a.Configurable() })
	slices.SortStableFunc(out, func(a, b *tfschema.Attribute) int {
		return cmp.Compare(rank(a.Required), rank(b.Required))
	})
	return out
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// blocks lowers all blocks of one type.
func (l *lowering) blocks(n *tfschema.NestedBlock, v cty.Value, path cty.Path) []*Block {
	switch {
	case v.IsNull():
		return nil
	case !v.IsKnown():
		l.report(unknownValue(path))
		return nil
	}
	switch n.Nesting {
	case tfschema.NestingSingle:
		return []*Block{{Type: n.Name, Body: l.body(n.Block, v, path)}}
	case tfschema.NestingGroup:
		if v.RawEquals(n.EmptyValue()) {
			return nil
		}
		return []*Block{{Type: n.Name, Body: l.body(n.Block, v, path)}}
	}
	if !v.CanIterateElements() {
		l.report(unwritableValue(v.Type().FriendlyName(), path))
		return nil
	}
	return l.repeated(n, v, path)
}

func (l *lowering) repeated(n *tfschema.NestedBlock, v cty.Value, path cty.Path) []*Block {
	var out []*Block
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		b := &Block{Type: n.Name, Body: l.body(n.Block, elem, path.Index(key))}
		if n.Nesting == tfschema.NestingMap {
			b.Labels = []string{key.AsString()}
		}
		out = append(out, b)
	}
	if n.Nesting == tfschema.NestingSet {
		slices.SortStableFunc(out, func(a, b *Block) int { return compareBodies(a.Body, b.Body) })
	}
	return out
}

// isObject reports whether v has members to write, and says so if it should.
func (l *lowering) isObject(v cty.Value, path cty.Path) bool {
	switch {
	case v == cty.NilVal || v.IsNull():
		return false
	case !v.IsKnown():
		l.report(unknownValue(path))
		return false
	case !v.Type().IsObjectType() && !v.Type().IsMapType():
		l.report(unwritableValue(v.Type().FriendlyName(), path))
		return false
	}
	return true
}

func (l *lowering) isName(name string, path cty.Path) bool {
	if !isIdentifier(name) {
		l.report(unwritableName(name, path))
		return false
	}
	return true
}

// member returns an attribute of an object, null where it has none.
func member(v cty.Value, name string) cty.Value {
	if v.Type().IsObjectType() {
		if v.Type().HasAttribute(name) {
			return v.GetAttr(name)
		}
	} else if key := cty.StringVal(name); v.HasIndex(key).True() {
		return v.Index(key)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}
