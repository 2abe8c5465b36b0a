package secret

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Values lists the texts that an object of a schema must not show: all
// strings and numbers in sensitive and write-only attributes, at any depth,
// whether they are configured or computed. What does not fit the schema, or
// is null or unknown, has none. Texts may come twice.
func Values(block *tfschema.Block, object cty.Value) []string {
	var out []string
	inBlock(block, object, &out)
	return out
}

func inBlock(block *tfschema.Block, object cty.Value, out *[]string) {
	object, ok := readable(object)
	if !ok || block == nil || !object.Type().IsObjectType() {
		return
	}
	for _, a := range block.Attributes {
		inAttribute(a, object, out)
	}
	for _, nested := range block.Blocks {
		if object.Type().HasAttribute(nested.Name) {
			eachObject(nested.Nesting, object.GetAttr(nested.Name), func(v cty.Value) { inBlock(nested.Block, v, out) })
		}
	}
}

func inAttribute(a *tfschema.Attribute, object cty.Value, out *[]string) {
	secret := a.Sensitive || a.WriteOnly
	if !secret && a.Nested == nil || !object.Type().HasAttribute(a.Name) {
		return
	}
	v := object.GetAttr(a.Name)
	switch {
	case secret:
		*out = append(*out, Texts(v)...)
	case a.Nested != nil:
		eachObject(a.Nested.Nesting, v, func(v cty.Value) {
			if v, ok := readable(v); ok && v.Type().IsObjectType() {
				for _, inner := range a.Nested.Attributes {
					inAttribute(inner, v, out)
				}
			}
		})
	}
}

// eachObject visits the objects that an attribute or block of a nesting has.
func eachObject(nesting tfschema.Nesting, v cty.Value, visit func(cty.Value)) {
	if nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup {
		visit(v)
		return
	}
	v, ok := readable(v)
	if !ok || !v.CanIterateElements() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		_, element := it.Element()
		visit(element)
	}
}

func readable(v cty.Value) (cty.Value, bool) {
	if v == cty.NilVal {
		return v, false
	}
	v, _ = v.Unmark()
	return v, v.IsKnown() && !v.IsNull()
}

// Texts lists the strings and numbers inside a value as messages write them.
// Empty strings and truth values are none.
func Texts(v cty.Value) []string {
	var out []string
	v = ctyx.Unmark(v)
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if ty := v.Type(); !v.IsKnown() || v.IsNull() || ty != cty.String && ty != cty.Number {
			return true, nil
		}
		if text, err := convert.Convert(v, cty.String); err == nil && text.AsString() != "" {
			out = append(out, text.AsString())
		}
		return true, nil
	})
	return out
}
