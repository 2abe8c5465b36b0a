package tfconfig

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
)

func (r *reader) moduleBlock(b *hcl.Block) {
	content, remain, diags := b.Body.PartialContent(&hcl.BodySchema{
		Attributes: attributes("source", "version", "count", "for_each", "depends_on", "providers"),
		Blocks: []hcl.BlockHeaderSchema{
			{Type: "_"}, {Type: "lifecycle"}, {Type: "locals"}, {Type: "provider", LabelNames: []string{"type"}},
		},
	})
	r.hcl(diags)
	r.blocksOf(content, "locals", "provider")
	remain = withoutBlocks(remain, "_", "lifecycle", "locals", "provider")
	call := &ModuleCall{
		Name: b.Labels[0], Count: expression(content, "count"), ForEach: expression(content, "for_each"),
		DependsOn: r.dependsOn(content), Config: escaped(content, remain), Range: b.DefRange, SourceRange: b.DefRange,
	}
	for _, life := range content.Blocks.OfType("lifecycle") {
		inner, diags := life.Body.Content(&hcl.BodySchema{Attributes: attributes("enabled")})
		r.hcl(diags)
		call.Enabled = expression(inner, "enabled")
	}
	if !r.oneRepetition(b.DefRange, call.Count, call.ForEach, call.Enabled) {
		return
	}
	if attr := content.Attributes["source"]; attr != nil {
		call.SourceRange = attr.Expr.Range()
		call.Source, _ = r.literalString(attr.Expr)
	}
	if attr := content.Attributes["version"]; attr != nil {
		call.Version, _ = r.constraint(attr.Expr)
	}
	if attr := content.Attributes["providers"]; attr != nil {
		call.Providers = r.passedProviders(attr.Expr)
	}
	r.addCall(call)
}

func (r *reader) passedProviders(expr hcl.Expression) map[string]ProviderRef {
	pairs, diags := hcl.ExprMap(expr)
	r.hcl(diags)
	out := map[string]ProviderRef{}
	for _, pair := range pairs {
		inner, ok := r.providerRef(pair.Key)
		outer, ok2 := r.providerRef(pair.Value)
		if !ok || !ok2 {
			continue
		}
		if first, twice := out[inner.String()]; twice {
			r.report(duplicate("provider configuration "+inner.String(), first.Range, inner.Range))
		}
		out[inner.String()] = *outer
	}
	return out
}

func (r *reader) addCall(call *ModuleCall) {
	old := r.module.Calls[call.Name]
	switch {
	case old == nil && r.overriding:
		r.report(nothingToOverride("module "+call.Name, call.Range))
		return
	case old != nil && !r.overriding:
		r.report(duplicate("module "+call.Name, old.Range, call.Range))
		return
	case old != nil:
		call = old.overriddenBy(call)
	}
	switch {
	case call.Source == "":
		r.report(missingArgument("source", "module "+call.Name, call.Range))
	case call.Version != "" && isLocal(call.Source):
		r.report(versionOfLocal(call.SourceRange))
	}
	r.module.Calls[call.Name] = call
}

// overriddenBy takes from over what is written there.
func (c *ModuleCall) overriddenBy(over *ModuleCall) *ModuleCall {
	out := *c
	out.Config = overrideBody{c.Config, over.Config}
	if over.Source != "" {
		out.Source, out.SourceRange = over.Source, over.SourceRange
	}
	if over.Version != "" {
		out.Version = over.Version
	}
	out.Count, out.ForEach, out.Enabled = overriddenRepetition(out.Count, out.ForEach, out.Enabled, over.Count, over.ForEach)
	if out.ForEach != nil {
		out.Enabled = nil
	}
	if len(over.Providers) > 0 {
		out.Providers = maps.Clone(over.Providers)
	}
	return &out
}
