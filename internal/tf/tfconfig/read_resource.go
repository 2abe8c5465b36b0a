package tfconfig

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func (r *reader) resourceBlock(b parsedBlock) {
	res := b.resource
	if res == nil {
		return
	}
	group, what := r.module.Resources, res.Addr.String()
	if b.Type == "ephemeral" {
		group, what = r.module.Ephemerals, "ephemeral."+res.Addr.String()
	}
	old := group[res.Addr]
	switch {
	case old == nil && r.overriding:
		r.report(nothingToOverride(what, b.DefRange))
		return
	case old != nil && !r.overriding:
		r.report(duplicate(what, old.Range, b.DefRange))
		return
	case old != nil:
		res = old.overriddenBy(res)
		r.oneRepetition(b.DefRange, res.ForEach, res.Enabled) // the clients, too, get lost in both
	}
	group[res.Addr] = res
}

// resource reads a block, without the others of the module; nil where it cannot
// be read.
func (r *reader) resource(b *hcl.Block) *ResourceBlock {
	schema := &hcl.BodySchema{
		Attributes: attributes("count", "for_each", "provider", "depends_on"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "locals"}, {Type: "_"}},
	}
	mode := map[string]tfaddr.Mode{"resource": tfaddr.Managed, "data": tfaddr.Data}[b.Type]
	if b.Type != "data" {
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: "connection"}, hcl.BlockHeaderSchema{Type: "provisioner", LabelNames: []string{"type"}})
	}
	content, remain, diags := b.Body.PartialContent(schema)
	r.hcl(diags)
	r.blocksOf(content, "locals")
	res := &ResourceBlock{
		Addr:      tfaddr.Resource{Mode: mode, Type: b.Labels[0], Name: b.Labels[1]},
		DependsOn: r.dependsOn(content), Config: escaped(content, remain), Range: b.DefRange,
	}
	for _, inner := range content.Blocks {
		switch {
		case inner.Type == "lifecycle":
			r.lifecycle(res, inner, b.Type)
		case inner.Type == "provisioner" && b.Type == "resource":
			res.Provisioners = append(res.Provisioners, r.provisioner(inner))
		case inner.Type == "connection" && b.Type == "resource":
			res.Connection = inner.Body
		case inner.Type == "provisioner", inner.Type == "connection":
			r.report(onlyManaged(inner.Type+" block", inner.DefRange))
		}
	}
	res.Count, res.ForEach = expression(content, "count"), expression(content, "for_each")
	if !r.oneRepetition(b.DefRange, res.Count, res.ForEach, res.Enabled) {
		return nil
	}
	if attr := content.Attributes["provider"]; attr != nil {
		ref, ok := r.providerRef(attr.Expr)
		if !ok {
			return nil
		}
		res.Provider = ref
	}
	return res
}

func expression(content *hcl.BodyContent, name string) hcl.Expression {
	if attr := content.Attributes[name]; attr != nil {
		return attr.Expr
	}
	return nil
}

func (r *reader) oneRepetition(at hcl.Range, exprs ...hcl.Expression) bool {
	set := 0
	for _, e := range exprs {
		if e != nil {
			set++
		}
	}
	if set > 1 {
		r.report(severalRepetitions(at))
	}
	return set <= 1
}

// lifecycle reads a lifecycle block of a resource, data or ephemeral block.
func (r *reader) lifecycle(res *ResourceBlock, b *hcl.Block, of string) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: attributes("create_before_destroy", "prevent_destroy", "destroy", "ignore_changes", "replace_triggered_by", "enabled"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}},
	})
	r.hcl(diags)
	for _, name := range sortedNames(content.Attributes) {
		if of != "resource" && name != "enabled" {
			r.report(onlyManaged("lifecycle argument "+name, content.Attributes[name].NameRange))
		}
	}
	life := &res.Lifecycle
	if attr := content.Attributes["create_before_destroy"]; attr != nil {
		life.CreateBeforeDestroy = r.literalBool(attr.Expr)
	}
	life.PreventDestroy, res.Enabled = expression(content, "prevent_destroy"), expression(content, "enabled")
	if attr := content.Attributes["ignore_changes"]; attr != nil {
		r.ignoreChanges(life, attr.Expr)
	}
	if attr := content.Attributes["replace_triggered_by"]; attr != nil {
		exprs, diags := hcl.ExprList(attr.Expr)
		r.hcl(diags)
		life.ReplaceTriggeredBy = exprs
	}
	life.Preconditions = r.rules(content.Blocks.OfType("precondition"))
	life.Postconditions = r.rules(content.Blocks.OfType("postcondition"))
}

// ignoreChanges reads `all`, or a list of relative traversals; in JSON and in
// old configuration also as strings.
func (r *reader) ignoreChanges(life *LifecycleBlock, expr hcl.Expression) {
	if hcl.ExprAsKeyword(expr) == "all" {
		life.IgnoreAll = true
		return
	}
	exprs, diags := hcl.ExprList(expr)
	r.hcl(diags)
	for _, e := range exprs {
		if isStar(e) {
			r.report(ignoreStar(e.Range()))
			continue
		}
		t, diags := hcl.RelTraversalForExpr(unquoted(e))
		r.hcl(diags)
		if !diags.HasErrors() {
			life.IgnoreChanges = append(life.IgnoreChanges, t)
		}
	}
}

// isStar reports whether an expression is the text that stood for everything
// once.
func isStar(expr hcl.Expression) bool {
	if len(expr.Variables()) > 0 {
		return false
	}
	v, diags := expr.Value(nil)
	return !diags.HasErrors() && v.RawEquals(cty.StringVal("*"))
}

// overriddenRepetition is what is left of the repetition of a block that an
// override says another one for. OpenTofu overrides each argument on its own,
// but never enabled; count then goes before the others.
func overriddenRepetition(count, forEach, enabled, overCount, overForEach hcl.Expression) (_, _, _ hcl.Expression) {
	if overCount != nil {
		count = overCount
	}
	if count != nil {
		return count, nil, nil
	}
	if overForEach != nil {
		forEach = overForEach
	}
	return nil, forEach, enabled
}

// overriddenBy takes from over what is written there.
func (r *ResourceBlock) overriddenBy(over *ResourceBlock) *ResourceBlock {
	out := *r
	out.Config = overrideBody{r.Config, over.Config}
	out.Count, out.ForEach, out.Enabled = overriddenRepetition(out.Count, out.ForEach, out.Enabled, over.Count, over.ForEach)
	if over.Provider != nil {
		out.Provider = over.Provider
	}
	out.Lifecycle.CreateBeforeDestroy = r.Lifecycle.CreateBeforeDestroy || over.Lifecycle.CreateBeforeDestroy
	if len(over.Lifecycle.IgnoreChanges) > 0 {
		out.Lifecycle.IgnoreChanges = over.Lifecycle.IgnoreChanges
	}
	out.Lifecycle.IgnoreAll = r.Lifecycle.IgnoreAll || over.Lifecycle.IgnoreAll
	if over.Lifecycle.PreventDestroy != nil {
		out.Lifecycle.PreventDestroy = over.Lifecycle.PreventDestroy
	}
	if over.Connection != nil {
		out.Connection = over.Connection
	}
	if len(over.Provisioners) > 0 {
		out.Provisioners = over.Provisioners
	}
	return &out
}
