package tfconfig

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func (r *reader) providerBlock(b *hcl.Block) {
	content, remain, diags := b.Body.PartialContent(&hcl.BodySchema{
		Attributes: attributes("alias", "version", "for_each", "count", "depends_on", "source"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "_"}, {Type: "lifecycle"}, {Type: "locals"}},
	})
	r.hcl(diags)
	r.blocksOf(content, "lifecycle", "locals")
	for _, name := range []string{"count", "depends_on", "source"} {
		if attr := content.Attributes[name]; attr != nil {
			r.report(reservedArgument(name, attr.NameRange))
		}
	}
	p := &ProviderBlock{Name: b.Labels[0], Config: escaped(content, remain), Range: b.DefRange, ForEach: expression(content, "for_each")}
	if !r.providerName(p.Name, b.LabelRanges[0]) {
		return
	}
	if attr := content.Attributes["version"]; attr != nil {
		p.Version, _ = r.constraint(attr.Expr)
	}
	if attr := content.Attributes["alias"]; attr != nil {
		text, ok := r.literalString(attr.Expr)
		if !ok {
			return
		}
		if p.Alias = text; !hclsyntax.ValidIdentifier(text) {
			r.report(invalidName(text, attr.Expr.Range()))
		}
	}
	if p.ForEach != nil && p.Alias == "" {
		r.report(missingArgument("an alias beside for_each", "provider "+p.Name, p.ForEach.Range()))
	}
	for i, old := range r.module.Providers {
		if old.Name != p.Name || old.Alias != p.Alias {
			continue
		}
		if !r.overriding {
			r.report(duplicate("provider configuration "+(ProviderRef{Name: p.Name, Alias: p.Alias}).String(), old.Range, p.Range))
			return
		}
		merged := *old
		merged.Config = overrideBody{old.Config, p.Config}
		r.module.Providers[i] = &merged
		return
	}
	if r.overriding && p.Alias != "" { // the default one is there without a block
		r.report(nothingToOverride("provider "+p.Name, p.Range))
		return
	}
	r.module.Providers = append(r.module.Providers, p)
}

// providerRef reads `name`, `name.alias` or `name.alias[key]`, also as a
// string, which old configuration and JSON have.
func (r *reader) providerRef(expr hcl.Expression) (*ProviderRef, bool) {
	ref := &ProviderRef{Range: expr.Range()}
	target := expr
	if indexed, key := splitIndex(expr); indexed != nil {
		target, ref.Key = indexed, key
	}
	traversal, diags := refTraversal(target)
	if diags.HasErrors() || len(traversal) == 0 || len(traversal) > 3 {
		r.report(invalidProviderRef(expr.Range()))
		return nil, false
	}
	if ref.Name = traversal.RootName(); !r.providerName(ref.Name, expr.Range()) {
		return nil, false
	}
	if len(traversal) > 1 {
		attr, ok := traversal[1].(hcl.TraverseAttr)
		if !ok {
			r.report(invalidProviderRef(expr.Range()))
			return nil, false
		}
		ref.Alias = attr.Name
	}
	if len(traversal) > 2 {
		index, ok := traversal[2].(hcl.TraverseIndex)
		if !ok {
			r.report(invalidProviderRef(expr.Range()))
			return nil, false
		}
		ref.Key = hcl.StaticExpr(index.Key, index.SrcRange)
	}
	return ref, true
}
