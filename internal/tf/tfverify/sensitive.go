package tfverify

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// hasSensitive reports whether a schema has a sensitive attribute anywhere.
func hasSensitive(b *tfschema.Block) bool {
	for _, n := range b.Blocks {
		if hasSensitive(n.Block) {
			return true
		}
	}
	return anySensitive(b.Attributes)
}

func anySensitive(attrs []*tfschema.Attribute) bool {
	for _, a := range attrs {
		if a.Sensitive || (a.Nested != nil && anySensitive(a.Nested.Attributes)) {
			return true
		}
	}
	return false
}

// sensitivePaths are the places in v that the schema calls sensitive and
// that hold something.
func sensitivePaths(b *tfschema.Block, v cty.Value) []cty.Path {
	var out []cty.Path
	walkBlock(b, v, nil, &out)
	return out
}

func walkBlock(b *tfschema.Block, v cty.Value, path cty.Path, out *[]cty.Path) {
	if v == cty.NilVal || v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() {
		return
	}
	walkAttributes(b.Attributes, v, path, out)
	for _, n := range b.Blocks {
		if !hasSensitive(n.Block) || !v.Type().HasAttribute(n.Name) {
			continue
		}
		inner := v.GetAttr(n.Name)
		at := extend(path, cty.GetAttrStep{Name: n.Name})
		if n.Nesting == tfschema.NestingSingle || n.Nesting == tfschema.NestingGroup {
			walkBlock(n.Block, inner, at, out)
			continue
		}
		eachElement(inner, at, func(elem cty.Value, path cty.Path) { walkBlock(n.Block, elem, path, out) })
	}
}

func walkAttributes(attrs []*tfschema.Attribute, v cty.Value, path cty.Path, out *[]cty.Path) {
	for _, a := range attrs {
		if !v.Type().HasAttribute(a.Name) {
			continue
		}
		inner, at := v.GetAttr(a.Name), extend(path, cty.GetAttrStep{Name: a.Name})
		switch {
		case a.Sensitive:
			*out = append(*out, at)
		case a.Nested == nil || inner.IsNull() || !inner.IsKnown():
		case a.Nested.Nesting == tfschema.NestingSingle:
			walkAttributes(a.Nested.Attributes, inner, at, out)
		default:
			eachElement(inner, at, func(elem cty.Value, path cty.Path) {
				if !elem.IsNull() && elem.IsKnown() {
					walkAttributes(a.Nested.Attributes, elem, path, out)
				}
			})
		}
	}
}

func eachElement(v cty.Value, path cty.Path, f func(cty.Value, cty.Path)) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		f(elem, extend(path, cty.IndexStep{Key: key}))
	}
}

func extend(path cty.Path, step cty.PathStep) cty.Path {
	out := make(cty.Path, len(path), len(path)+1)
	copy(out, path)
	return append(out, step)
}
