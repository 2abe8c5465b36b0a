package tfconfig

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func attributes(names ...string) []hcl.AttributeSchema {
	var out []hcl.AttributeSchema
	for _, name := range names {
		out = append(out, hcl.AttributeSchema{Name: name})
	}
	return out
}

func (r *reader) variableBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: attributes("description", "default", "type", "sensitive", "ephemeral", "const", "deprecated", "nullable"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "validation"}},
	})
	r.hcl(diags)
	v := &Variable{Name: b.Labels[0], Type: cty.DynamicPseudoType, Nullable: true, Literal: true, Range: b.DefRange, set: map[string]bool{}}
	for name := range content.Attributes {
		v.set[name] = true
	}
	if attr := content.Attributes["type"]; attr != nil {
		r.variableType(v, attr.Expr)
	}
	for name, into := range map[string]*bool{"sensitive": &v.Sensitive, "ephemeral": &v.Ephemeral, "nullable": &v.Nullable} {
		if attr := content.Attributes[name]; attr != nil {
			*into = r.literalBool(attr.Expr)
		}
	}
	if attr := content.Attributes["default"]; attr != nil {
		value, diags := attr.Expr.Value(nil)
		if r.hcl(diags); !diags.HasErrors() {
			v.Default = value
		}
	}
	r.descriptions(content)
	v.Validations = r.rules(content.Blocks)
	r.addVariable(v)
}

// variableType reads a constraint, the shorthands of old times included.
func (r *reader) variableType(v *Variable, expr hcl.Expression) {
	switch hcl.ExprAsKeyword(expr) {
	case "list":
		v.Type, v.Literal = cty.List(cty.DynamicPseudoType), false
		return
	case "map":
		v.Type, v.Literal = cty.Map(cty.DynamicPseudoType), false
		return
	}
	ty, optional, diags := typeexpr.TypeConstraintWithDefaults(expr)
	if r.hcl(diags); diags.HasErrors() {
		return
	}
	v.Type, v.Optional, v.Literal = ty, optional, ty.IsPrimitiveType()
}

func (r *reader) addVariable(v *Variable) {
	old := r.module.Variables[v.Name]
	switch {
	case old == nil && r.overriding:
		r.report(nothingToOverride("variable "+v.Name, v.Range))
		return
	case old != nil && !r.overriding:
		r.report(duplicate("variable "+v.Name, old.Range, v.Range))
		return
	case old != nil:
		v = old.overriddenBy(v)
	}
	if v.Default != cty.NilVal {
		r.convertDefault(v)
	}
	r.module.Variables[v.Name] = v
}

// overriddenBy takes from over what is written there.
func (v *Variable) overriddenBy(over *Variable) *Variable {
	out := *v
	if over.set["type"] {
		out.Type, out.Optional, out.Literal = over.Type, over.Optional, over.Literal
	}
	if over.set["default"] {
		out.Default = over.Default
	}
	if over.set["sensitive"] {
		out.Sensitive = over.Sensitive
	}
	if over.set["ephemeral"] {
		out.Ephemeral = over.Ephemeral
	}
	if over.set["nullable"] {
		out.Nullable = over.Nullable
	}
	return &out
}

func (r *reader) convertDefault(v *Variable) {
	value := v.Default
	if v.Optional != nil && !value.IsNull() {
		value = v.Optional.Apply(value)
	}
	value, err := convert.Convert(value, v.Type)
	if err != nil {
		r.report(invalidDefault(v.Name, err, v.Range))
		v.Default = cty.UnknownVal(v.Type)
		return
	}
	if value.IsNull() && !v.Nullable {
		r.report(nullDefault(v.Name, v.Range))
	}
	v.Default = value
}

func (r *reader) localsBlock(b *hcl.Block) {
	attrs, diags := b.Body.JustAttributes()
	r.hcl(diags)
	for _, name := range sortedNames(attrs) {
		attr, old := attrs[name], r.module.Locals[name]
		switch {
		case old == nil && r.overriding:
			r.report(nothingToOverride("local "+name, attr.NameRange))
			continue
		case old != nil && !r.overriding:
			r.report(duplicate("local "+name, old.Range, attr.NameRange))
			continue
		}
		r.module.Locals[name] = &Local{Name: name, Value: attr.Expr, Range: attr.Range}
	}
}

func (r *reader) outputBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: attributes("description", "value", "depends_on", "sensitive", "ephemeral", "deprecated"),
		Blocks:     []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}},
	})
	r.hcl(diags)
	o := &Output{Name: b.Labels[0], Range: b.DefRange}
	old := r.module.Outputs[o.Name]
	switch {
	case old == nil && r.overriding:
		r.report(nothingToOverride("output "+o.Name, b.DefRange))
		return
	case old != nil && !r.overriding:
		r.report(duplicate("output "+o.Name, old.Range, b.DefRange))
		return
	case old != nil:
		*o = *old
	}
	if attr := content.Attributes["value"]; attr != nil {
		o.Value = attr.Expr
	}
	for name, into := range map[string]*bool{"sensitive": &o.Sensitive, "ephemeral": &o.Ephemeral} {
		if attr := content.Attributes[name]; attr != nil {
			*into = r.literalBool(attr.Expr)
		}
	}
	if text := r.descriptions(content); text != "" {
		o.Deprecated = text
	}
	for _, b := range content.Blocks.OfType("postcondition") {
		r.report(onlyManaged("postcondition", b.DefRange))
	}
	o.DependsOn = append(o.DependsOn, r.dependsOn(content)...)
	o.Preconditions = append(o.Preconditions, r.rules(content.Blocks.OfType("precondition"))...)
	if o.Value == nil {
		r.report(missingArgument("value", "output "+o.Name, b.DefRange))
		return
	}
	r.module.Outputs[o.Name] = o
}

// descriptions looks at what is written for people: it has to be text. It
// returns what is said of something deprecated.
func (r *reader) descriptions(content *hcl.BodyContent) (deprecated string) {
	for _, name := range []string{"description", "deprecated"} {
		attr := content.Attributes[name]
		if attr == nil {
			continue
		}
		v, diags := attr.Expr.Value(nil)
		r.hcl(diags)
		if diags.HasErrors() {
			continue
		}
		v, err := convert.Convert(v, cty.String)
		if err == nil && !v.IsKnown() { // a syntax error, which is said of the file
			continue
		}
		if err != nil || v.IsNull() || name == "deprecated" && strings.TrimSpace(v.AsString()) == "" {
			r.report(wantLiteral("a text", attr.Expr.Range()))
		} else if name == "deprecated" {
			deprecated = v.AsString()
		}
	}
	return deprecated
}

// rules reads the blocks that have a condition and a message.
func (r *reader) rules(blocks hcl.Blocks) []*Rule {
	var out []*Rule
	for _, b := range blocks {
		if r.overriding {
			r.report(notOverridable(b.Type+" blocks", b.DefRange))
		}
		content, diags := b.Body.Content(&hcl.BodySchema{Attributes: attributes("condition", "error_message")})
		r.hcl(diags)
		condition, message := content.Attributes["condition"], content.Attributes["error_message"]
		if condition == nil || message == nil {
			r.report(missingArgument("condition and error_message", b.Type, b.DefRange))
			continue
		}
		out = append(out, &Rule{Condition: condition.Expr, Message: message.Expr, Range: b.DefRange})
	}
	return out
}

func (r *reader) dependsOn(content *hcl.BodyContent) []hcl.Traversal {
	attr := content.Attributes["depends_on"]
	if attr == nil {
		return nil
	}
	on := r.traversals(attr.Expr)
	if r.overriding && len(on) > 0 {
		r.report(notOverridable("depends_on", attr.NameRange))
	}
	return on
}

// traversals reads a list of references, given as such or as strings.
func (r *reader) traversals(expr hcl.Expression) []hcl.Traversal {
	exprs, diags := hcl.ExprList(expr)
	r.hcl(diags)
	var out []hcl.Traversal
	for _, e := range exprs {
		t, diags := refTraversal(e)
		r.hcl(diags)
		if !diags.HasErrors() {
			out = append(out, t)
		}
	}
	return out
}
