package link

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// restName is what stands for any text at the end of a quoted target.
const restName = "any"

// listName is what lists of targets are called by: targets.name.
const listName = "targets"

// parseTargets reads one target, or a list of them; members of lists may be
// names of lists that were declared.
func (p *ruleParser) parseTargets(expr hclsyntax.Expression) ([]Target, diag.List) {
	exprs := []hclsyntax.Expression{expr}
	if list, ok := expr.(*hclsyntax.TupleConsExpr); ok {
		exprs = list.Exprs
	}
	var targets []Target
	var diags diag.List
	for _, expr := range exprs {
		if name, ok := listReference(expr); ok {
			declared, found := p.lists[name]
			if !found {
				diags = append(diags, unknownList(name, slices.Sorted(maps.Keys(p.lists)), expr.Range()))
			}
			targets = append(targets, declared...)
			continue
		}
		target, why := parseTarget(expr)
		if why != "" {
			diags = append(diags, badTarget(why, expr.Range()))
			continue
		}
		target.Range = expr.Range()
		targets = append(targets, target)
	}
	return targets, diags
}

// listReference reads targets.name.
func listReference(expr hclsyntax.Expression) (string, bool) {
	scope, ok := expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || scope.Traversal.RootName() != listName || len(scope.Traversal) != 2 {
		return "", false
	}
	attr, ok := scope.Traversal[1].(hcl.TraverseAttr)
	return attr.Name, ok
}

// What is wrong with targets, said in several places.
const (
	notReference = "it is not a reference to an attribute"
	notAgreement = "what stands in brackets is an attribute that both resources have, or an object of theirs and ours: " +
		"TYPE[{ database = db_name }].name"
)

// parseTarget reads a reference, alone or in a quoted template. Where it
// cannot, it says why.
func parseTarget(expr hclsyntax.Expression) (Target, string) {
	switch e := expr.(type) {
	case *hclsyntax.TemplateWrapExpr:
		return parseTarget(e.Wrapped)
	case *hclsyntax.TemplateExpr:
		return quotedTarget(e)
	}
	return referenceTarget(expr)
}

// referenceTarget reads type.attribute and type[attribute].attribute.
func referenceTarget(expr hclsyntax.Expression) (Target, string) {
	switch e := expr.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return attributeOf(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return narrowedTarget(e)
	}
	return Target{}, notReference
}

func isReference(expr hclsyntax.Expression) bool {
	switch expr.(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr:
		return true
	}
	return false
}

func attributeOf(traversal hcl.Traversal) (Target, string) {
	if len(traversal) == 2 {
		if attr, ok := traversal[1].(hcl.TraverseAttr); ok {
			return Target{Type: traversal.RootName(), Attribute: attr.Name}, ""
		}
	}
	if slices.ContainsFunc(traversal, isIndex) {
		return Target{}, notAgreement
	}
	if len(traversal) > 2 {
		return Target{}, "it has more than two parts: rules name a type, not a resource of it, and an attribute at its root"
	}
	return Target{}, "it names no attribute"
}

func isIndex(step hcl.Traverser) bool {
	_, ok := step.(hcl.TraverseIndex)
	return ok
}

// quotedTarget reads "before${type.attribute}after${any}".
func quotedTarget(template *hclsyntax.TemplateExpr) (Target, string) {
	var target Target
	for i, part := range template.Parts {
		text, isText := literalText(part)
		isRef := isReference(part)
		switch {
		case isText && target.Type == "":
			target.Before += text
		case isText:
			target.After += text
		case isRest(part):
			if target.Type == "" || target.After == "" || i != len(template.Parts)-1 {
				return Target{}, "${any} stands at the very end, with some text between it and the reference"
			}
			target.Rest = true
		case isRef && target.Type == "":
			found, why := referenceTarget(part)
			if why != "" {
				return Target{}, why
			}
			target.Type, target.Attribute, target.Within = found.Type, found.Attribute, found.Within
		case isRef:
			return Target{}, "it has more than one reference"
		default:
			return Target{}, "it has an expression that is not a reference to an attribute"
		}
	}
	if target.Type == "" {
		return Target{}, "it has no reference to an attribute"
	}
	return target, ""
}

func isRest(expr hclsyntax.Expression) bool { return hcl.ExprAsKeyword(expr) == restName }

func literalText(expr hclsyntax.Expression) (string, bool) {
	lit, ok := expr.(*hclsyntax.LiteralValueExpr)
	if !ok || lit.Val.IsNull() || !lit.Val.IsKnown() || lit.Val.Type() != cty.String {
		return "", false
	}
	return lit.Val.AsString(), true
}
