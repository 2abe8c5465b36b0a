package tfverify

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// block looks through a resource or data source.
func (s *static) block(at place, res *tfconfig.ResourceBlock) {
	s.exprs(at, res.Count, res.ForEach, res.Enabled, res.Lifecycle.PreventDestroy)
	if res.Lifecycle.PreventDestroy != nil {
		s.eval(at, res.Lifecycle.PreventDestroy, cty.Bool)
	}
	s.dependsOn(at, res.DependsOn)
	inner := at
	inner.count, inner.each = res.Count != nil, res.ForEach != nil
	inner.live = s.v.isPrepared(res)
	if isNative(res.Config) { // in JSON the schema tells a name that a block binds, and decoding goes by it
		s.refs(inner, s.v.graph.uses.of(res))
	}
	s.rules(inner, res.Lifecycle.Preconditions)
	s.triggers(inner, res.Lifecycle.ReplaceTriggeredBy)
	withSelf := inner
	withSelf.self = res
	s.rules(withSelf, res.Lifecycle.Postconditions)
	s.provisioners(withSelf, res)
	s.ignored(at.tree, res)
	s.meta(at.tree, res)
	if !inner.live {
		s.body(inner, res)
	}
}

// triggers looks through replace_triggered_by: each names one resource, whose
// key may be that of the instance.
func (s *static) triggers(at place, exprs []hcl.Expression) {
	for _, expr := range exprs {
		resources := 0
		for _, ref := range s.refs(at, used{traversals: triggerTraversals(expr)}) {
			switch {
			case ref.Kind == tflang.KindResource:
				resources++
			case ref.Kind == tflang.KindCount, ref.Kind == tflang.KindEach && ref.Name == "key":
			default:
				s.add(invalidTrigger(expr.Range()))
			}
		}
		if _, native := expr.(hclsyntax.Expression); native && (resources != 1 || !isPath(expr)) {
			s.add(invalidTrigger(expr.Range()))
		}
	}
}

// triggerTraversals is what an entry of replace_triggered_by refers to. In
// JSON that is a string without a template in it.
func triggerTraversals(exprs ...hcl.Expression) []hcl.Traversal {
	var out []hcl.Traversal
	for _, expr := range exprs {
		if whole, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
			out = append(out, whole)
			continue
		}
		out = append(out, expr.Variables()...)
	}
	return out
}

// isPath reports whether an expression is a traversal, with keys that may be
// worked out.
func isPath(expr hcl.Expression) bool {
	switch e := expr.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return true
	case *hclsyntax.RelativeTraversalExpr:
		return isPath(e.Source)
	case *hclsyntax.IndexExpr:
		return isPath(e.Collection)
	}
	return false
}

// isNative reports whether a body is written in native syntax alone.
func isNative(body hcl.Body) bool {
	layered, ok := body.(tflang.Layered)
	if !ok {
		_, native := body.(*hclsyntax.Body)
		return native
	}
	return !slices.ContainsFunc(layered.Layers(), func(layer hcl.Body) bool { return !isNative(layer) })
}

// ignored holds ignore_changes against the schema.
func (s *static) ignored(t *tfconfig.Tree, res *tfconfig.ResourceBlock) {
	if len(res.Lifecycle.IgnoreChanges) == 0 {
		return
	}
	schema := s.schema(t, res)
	if schema == nil {
		return
	}
	for _, path := range res.Lifecycle.IgnoreChanges {
		s.add(pathFaults(schema.Block, path)...)
	}
}

// meta reports what is written for a provider about the module, where the
// provider asks nothing about modules. What it asks, its objects are planned
// with.
func (s *static) meta(t *tfconfig.Tree, res *tfconfig.ResourceBlock) {
	body := t.Module.ProviderMeta[res.ProviderName()]
	if body == nil {
		return
	}
	c := s.catalog(t, res)
	if c == nil || c.schema == nil {
		return
	}
	schema, err := c.schema.Schema(tfschema.KindProviderMeta, "")
	if err == nil && len(schema.Block.Attributes)+len(schema.Block.Blocks) == 0 {
		s.add(noMeta(c.address.String(), body.MissingItemRange()))
	}
}

// body decodes the arguments of a block without instances, with values that
// are not known.
func (s *static) body(at place, res *tfconfig.ResourceBlock) {
	ref := resourceProvider(res)
	if at.tree.Module.Required[ref.Name] == nil {
		s.add(noProvider(ref.Name, ref.Range))
		return
	}
	if _, block := findProvider(at.tree, ref); block == nil && ref.Alias != "" {
		s.add(undefinedConfiguration(ref.String(), ref.Range))
		return
	}
	c := s.catalog(at.tree, res)
	if c == nil || c.schema == nil {
		return
	}
	schema, err := c.schema.Schema(kindOf(res), res.Addr.Type)
	if err != nil {
		s.add(unknownType(err, res.Range))
		return
	}
	config, diags := at.frame.decode(s.ctx, res.Config, schema.Block, s.v.graph.uses.of(res), res.Range)
	if s.add(diags...); diags.HasErrors() {
		return
	}
	if kept := ephemeralKept(schema.Block, config, res.Range); kept.HasErrors() {
		s.add(kept...)
		return
	}
	s.accepted(c, res, config)
}

func kindOf(res *tfconfig.ResourceBlock) tfschema.Kind {
	if res.Addr.Mode == tfaddr.Data {
		return tfschema.KindDataSource
	}
	return tfschema.KindResource
}

// catalog is the provider of a block with its schema, or nil where what is
// wrong with it is said elsewhere.
func (s *static) catalog(t *tfconfig.Tree, res *tfconfig.ResourceBlock) *configured {
	required := t.Module.Required[resourceProvider(res).Name]
	if required == nil {
		return nil
	}
	c := s.v.providers.describe(s.ctx, required.Provider)
	if c.failed && !s.v.isPrepared(res) {
		s.add(c.reasons...)
	}
	return c
}

func (s *static) schema(t *tfconfig.Tree, res *tfconfig.ResourceBlock) *tfschema.Schema {
	c := s.catalog(t, res)
	if c == nil || c.schema == nil {
		return nil
	}
	schema, err := c.schema.Schema(kindOf(res), res.Addr.Type)
	if err != nil {
		return nil // said of the block
	}
	return schema
}
