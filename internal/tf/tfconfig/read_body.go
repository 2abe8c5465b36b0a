package tfconfig

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/hcltext"
)

// overrideBody is a body with another laid over it: arguments of the second
// hide those of the same name, and its blocks of a type, dynamic ones of that
// type included, hide all of that type.
type overrideBody struct{ base, over hcl.Body }

// Layers returns the two bodies, for those who look into syntax.
func (o overrideBody) Layers() []hcl.Body { return []hcl.Body{o.base, o.over} }

// Content is PartialContent that warns of what the schema does not name.
// Terraform and OpenTofu overlook that in overridden blocks, so that it is no
// error here.
func (o overrideBody) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	content, remain, diags := o.PartialContent(schema)
	for _, layer := range remain.(overrideBody).Layers() {
		_, stray := layer.Content(&hcl.BodySchema{})
		for _, d := range stray {
			d.Severity = hcl.DiagWarning
			diags = append(diags, d)
		}
	}
	return content, diags
}

// PartialContent implements hcl.Body.
func (o overrideBody) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	base, baseRemain, diags := o.base.PartialContent(relaxed(schema))
	over, overRemain, more := o.over.PartialContent(relaxed(schema))
	content, diags := o.merge(schema, base, over, append(diags, more...))
	return content, overrideBody{baseRemain, overRemain}, diags
}

// JustAttributes implements hcl.Body.
func (o overrideBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	base, diags := o.base.JustAttributes()
	over, more := o.over.JustAttributes()
	out := maps.Clone(base)
	maps.Copy(out, over)
	return out, append(diags, more...)
}

// MissingItemRange implements hcl.Body.
func (o overrideBody) MissingItemRange() hcl.Range { return o.base.MissingItemRange() }

// relaxed requires nothing: the other body may have it.
func relaxed(schema *hcl.BodySchema) *hcl.BodySchema {
	out := &hcl.BodySchema{Blocks: schema.Blocks}
	for _, attr := range schema.Attributes {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: attr.Name})
	}
	return out
}

func (o overrideBody) merge(schema *hcl.BodySchema, base, over *hcl.BodyContent, diags hcl.Diagnostics) (*hcl.BodyContent, hcl.Diagnostics) {
	out := &hcl.BodyContent{Attributes: maps.Clone(base.Attributes), MissingItemRange: o.base.MissingItemRange()}
	if out.Attributes == nil {
		out.Attributes = hcl.Attributes{}
	}
	maps.Copy(out.Attributes, over.Attributes)
	replaced := map[string]bool{}
	for _, b := range over.Blocks {
		replaced[shownType(b)] = true
	}
	for _, b := range base.Blocks {
		if !replaced[shownType(b)] {
			out.Blocks = append(out.Blocks, b)
		}
	}
	out.Blocks = append(out.Blocks, over.Blocks...)
	for _, attr := range schema.Attributes {
		if attr.Required && out.Attributes[attr.Name] == nil {
			at := o.base.MissingItemRange()
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Missing required argument",
				Detail: "The argument \"" + attr.Name + "\" is required, but neither the block nor its override sets it.", Subject: &at,
			})
		}
	}
	return out, diags
}

// shownType is the type of the blocks that b makes.
func shownType(b *hcl.Block) string {
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// escaped adds the content of "_" blocks, in which arguments that have the
// name of a meta-argument are written.
func escaped(content *hcl.BodyContent, remain hcl.Body) hcl.Body {
	bodies := []hcl.Body{remain}
	for _, b := range content.Blocks.OfType("_") {
		bodies = append(bodies, b.Body)
	}
	if len(bodies) == 1 {
		return remain
	}
	return escapedBody{hcl.MergeBodies(bodies), bodies}
}

// escapedBody is a body with its escape blocks.
type escapedBody struct {
	hcl.Body
	layers []hcl.Body
}

// Layers returns the bodies that it is made of.
func (e escapedBody) Layers() []hcl.Body { return e.layers }

// withoutBlocks is what remains of a body whose blocks of some types were
// read. Native bodies know that, but for JustAttributes.
func withoutBlocks(remain hcl.Body, types ...string) hcl.Body {
	native, ok := remain.(*hclsyntax.Body)
	if !ok {
		return remain
	}
	out := *native
	out.Blocks = slices.DeleteFunc(slices.Clone(native.Blocks), func(b *hclsyntax.Block) bool { return slices.Contains(types, b.Type) })
	return &out
}

// refTraversal reads a reference given as such or, as in JSON and in old
// configuration, as a string.
func refTraversal(expr hcl.Expression) (hcl.Traversal, hcl.Diagnostics) {
	return hcl.AbsTraversalForExpr(unquoted(expr))
}

// unquoted parses a reference out of a native string literal. JSON strings
// are references already.
func unquoted(expr hcl.Expression) hcl.Expression {
	if key, ok := expr.(*hclsyntax.ObjectConsKeyExpr); ok {
		expr = key.Wrapped
	}
	template, ok := expr.(*hclsyntax.TemplateExpr)
	if !ok || !template.IsStringLiteral() {
		return expr
	}
	v, diags := template.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String {
		return expr
	}
	inner, diags := hcltext.ParseExpression([]byte(v.AsString()), expr.Range().Filename, expr.Range().Start)
	if diags.HasErrors() {
		return expr
	}
	return inner
}

// splitIndex takes `x[key]` apart, where key is no constant.
func splitIndex(expr hcl.Expression) (collection, key hcl.Expression) {
	if index, ok := expr.(*hclsyntax.IndexExpr); ok {
		return index.Collection, index.Key
	}
	return nil, nil
}

func sortedNames[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
