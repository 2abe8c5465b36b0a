package link

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
)

// ParseRules reads a rule file. It has two forms, which may be mixed. The
// path form gives a resource type an object of paths:
//
//	aws_s3_bucket = {
//	  "logging[].target_bucket"     = aws_s3_bucket.id
//	  "policy.Statement[].Resource" = [aws_s3_bucket.arn, "${aws_s3_bucket.arn}/*"]
//	}
//
// The nested form follows the resource's own schema, one block for every
// block, nested attribute or document member on the way:
//
//	resource "aws_s3_bucket" {
//	  logging { target_bucket = aws_s3_bucket.id }
//	}
//
// A target is a type and a root attribute of it; a list of targets means the
// first that has the value; an empty list means that there are no links. In a
// quoted target, `${any}` at the end stands for any text. A name that is unique
// within something alone is looked for there: postgresql_schema[database].name
// is the schema of that name whose database is also that of the resource that
// refers, and postgresql_schema[{ database = db }].name the one whose database
// is what the resource calls db. Lists that are needed often are declared once,
// before their use in the file:
//
//	targets { principal = [aws_iam_role.arn, aws_iam_user.arn] }
//
// and then called targets.principal.
//
// The rules are usable beside errors: they are those that were understood.
func ParseRules(filename string, src []byte) (*Rules, diag.List) {
	file, hclDiags := hcltext.ParseConfig(src, filename)
	p := &ruleParser{
		rules: &Rules{byType: map[string][]*Rule{}}, seen: map[string]hcl.Range{}, lists: map[string][]Target{},
	}
	p.diags = diag.FromHCL("LK0001", hclDiags)
	if file == nil {
		return p.rules, p.diags
	}
	if body, ok := file.Body.(*hclsyntax.Body); ok {
		p.file(body)
	}
	return p.rules, p.diags
}

type ruleParser struct {
	rules *Rules
	seen  map[string]hcl.Range // by Rule.key
	lists map[string][]Target  // declared lists of targets, by name
	diags diag.List
}

func (p *ruleParser) report(d *diag.Diagnostic) { p.diags = append(p.diags, d) }

// member is an attribute or a block, so that both can be taken in the order
// in which they stand.
type member struct {
	attribute *hclsyntax.Attribute
	block     *hclsyntax.Block
}

func (m member) start() int {
	if m.attribute != nil {
		return m.attribute.SrcRange.Start.Byte
	}
	return m.block.TypeRange.Start.Byte
}

func members(body *hclsyntax.Body) []member {
	var out []member
	for _, a := range body.Attributes {
		out = append(out, member{attribute: a})
	}
	for _, b := range body.Blocks {
		out = append(out, member{block: b})
	}
	slices.SortFunc(out, func(a, b member) int { return a.start() - b.start() })
	return out
}

func (p *ruleParser) file(body *hclsyntax.Body) {
	for _, m := range members(body) {
		switch {
		case m.attribute != nil:
			p.pathForm(m.attribute)
		case m.block.Type == listName:
			p.declare(m.block)
		default:
			p.nestedForm(m.block)
		}
	}
}

// declare reads `targets { name = [...] }`.
func (p *ruleParser) declare(block *hclsyntax.Block) {
	for _, m := range members(block.Body) {
		if m.block != nil {
			p.report(unexpectedBlock(m.block.Type, m.block.TypeRange))
			continue
		}
		targets, diags := p.parseTargets(m.attribute.Expr)
		p.diags = append(p.diags, diags...)
		if _, ok := p.lists[m.attribute.Name]; ok {
			p.report(duplicateList(m.attribute.Name, m.attribute.NameRange))
			continue
		}
		p.lists[m.attribute.Name] = targets
	}
}

// pathForm reads `type = { "path" = target }`.
func (p *ruleParser) pathForm(attribute *hclsyntax.Attribute) {
	object, ok := attribute.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		p.report(notAnObject(attribute.Name, attribute.Expr.Range()))
		return
	}
	for _, item := range object.Items {
		at := item.KeyExpr.Range()
		text, ok := keyText(item.KeyExpr)
		if !ok {
			p.report(badPath("it is not a plain string", at))
			continue
		}
		path, err := ParsePath(text)
		if err != nil {
			p.report(badPath(err.Error(), at))
			continue
		}
		p.rule(attribute.Name, path, item.ValueExpr, at)
	}
}

// keyText reads an object key: a name or a string.
func keyText(expr hclsyntax.Expression) (string, bool) {
	key, ok := expr.(*hclsyntax.ObjectConsKeyExpr)
	if ok {
		if name := hcl.ExprAsKeyword(key.Wrapped); name != "" && !key.ForceNonLiteral {
			return name, true
		}
		expr = key.Wrapped
	}
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

// nestedForm reads `resource "type" { ... }`.
func (p *ruleParser) nestedForm(block *hclsyntax.Block) {
	switch {
	case block.Type != "resource":
		p.report(unexpectedBlock(block.Type, block.TypeRange))
	case len(block.Labels) != 1:
		p.report(oneLabel(block.DefRange()))
	default:
		p.level(block.Labels[0], nil, block.Body)
	}
}

// level reads one level of the nested form. Blocks stand for all elements of
// what they name.
func (p *ruleParser) level(resourceType string, path Path, body *hclsyntax.Body) {
	for _, m := range members(body) {
		if a := m.attribute; a != nil {
			p.rule(resourceType, append(slices.Clone(path), Step{Name: a.Name}), a.Expr, a.NameRange)
			continue
		}
		if len(m.block.Labels) > 0 {
			p.report(nestedLabel(m.block.Type, m.block.LabelRanges[0]))
		}
		p.level(resourceType, append(slices.Clone(path), Step{m.block.Type, true}), m.block.Body)
	}
}

// rule adds one rule, unless its path has one already.
func (p *ruleParser) rule(resourceType string, path Path, targets hclsyntax.Expression, at hcl.Range) {
	rule := &Rule{Type: resourceType, Path: path, Range: at}
	var diags diag.List
	if rule.Targets, diags = p.parseTargets(targets); diags.HasErrors() {
		p.diags = append(p.diags, diags...)
		return
	}
	if first, ok := p.seen[rule.key()]; ok {
		p.report(duplicateRule(rule, first))
		return
	}
	p.seen[rule.key()] = at
	p.rules.byType[resourceType] = append(p.rules.byType[resourceType], rule)
}
