package discover

import (
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// evaluator evaluates what can be known before anything runs: literals,
// functions, variables and locals. Variables and locals are looked at when
// something refers to them, so that those which need more do no harm.
type evaluator struct {
	variables map[string]*variable
	locals    map[string]hcl.Expression
	given     map[string]cty.Value // the user's values of variables
	functions map[string]function.Function
	known     map[string]cty.Value // by "var.x" or "local.x"
	underway  map[string]bool
}

// variable is one `variable` block.
type variable struct {
	typ        cty.Type // cty.DynamicPseudoType where none is written
	defaults   *typeexpr.Defaults
	standing   hcl.Expression // the default; or nil
	given      cty.Value      // the user's value; or cty.NilVal
	sensitive  bool
	declaredAt hcl.Range
}

// newEvaluator evaluates the files of dir. What functions answer differently
// on each call is unknown here, as it is in a plan.
func newEvaluator(dir string) *evaluator {
	host := tflang.NewHost(dir, time.Time{})
	host.Proof = true
	return &evaluator{
		functions: tflang.Functions(host),
		variables: map[string]*variable{}, locals: map[string]hcl.Expression{},
		known: map[string]cty.Value{}, underway: map[string]bool{},
	}
}

// declareVariable takes in a variable block. Validation rules are not run:
// they belong to whoever runs the configuration.
func (ev *evaluator) declareVariable(block *hcl.Block) diag.List {
	name := block.Labels[0]
	if earlier, ok := ev.variables[name]; ok {
		return diag.List{declaredTwice("variable", name, block.DefRange, earlier.declaredAt)}
	}
	content, hclDiags := block.Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "type"}, {Name: "default"}, {Name: "description"}, {Name: "sensitive"}, {Name: "nullable"}, {Name: "ephemeral"},
		{Name: "deprecated"},
	}, Blocks: []hcl.BlockHeaderSchema{{Type: "validation"}}})
	v := &variable{typ: cty.DynamicPseudoType, declaredAt: block.DefRange}
	if attr, ok := content.Attributes["type"]; ok {
		typ, defaults, more := typeexpr.TypeConstraintWithDefaults(attr.Expr)
		hclDiags = append(hclDiags, more...)
		v.typ, v.defaults = typ, defaults
	}
	if attr, ok := content.Attributes["default"]; ok {
		v.standing = attr.Expr
	}
	if attr, ok := content.Attributes["sensitive"]; ok {
		flag, more := attr.Expr.Value(nil)
		hclDiags = append(hclDiags, more...)
		v.sensitive = flag.RawEquals(cty.True)
	}
	if given, ok := ev.given[name]; ok {
		v.given = given
	}
	ev.variables[name] = v
	return diag.FromHCL(codeSyntax, hclDiags)
}

// declareLocals takes in a locals block.
func (ev *evaluator) declareLocals(block *hcl.Block) diag.List {
	attrs, hclDiags := block.Body.JustAttributes()
	diags := diag.FromHCL(codeSyntax, hclDiags)
	for name, attr := range attrs {
		if earlier, ok := ev.locals[name]; ok {
			diags = append(diags, declaredTwice("local value", name, attr.NameRange, earlier.Range()))
			continue
		}
		ev.locals[name] = attr.Expr
	}
	return diags
}

// value evaluates expr. extra are the roots that stand beside var and local,
// such as "each" and "count".
func (ev *evaluator) value(expr hcl.Expression, extra map[string]cty.Value) (cty.Value, diag.List) {
	ctx, diags := ev.context(expr.Variables(), extra)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := tflang.Eval(expr, ctx, cty.DynamicPseudoType)
	return v, append(diags, more...)
}

// context holds what the references need, and nothing else.
func (ev *evaluator) context(refs []hcl.Traversal, extra map[string]cty.Value) (*hcl.EvalContext, diag.List) {
	var diags diag.List
	roots := map[string]map[string]cty.Value{"var": {}, "local": {}}
	for _, ref := range refs {
		root := ref.RootName()
		if _, ok := extra[root]; ok {
			continue
		}
		if roots[root] == nil || len(ref) < 2 {
			diags = append(diags, unsupportedReference(ref))
			continue
		}
		step, ok := ref[1].(hcl.TraverseAttr)
		if !ok {
			diags = append(diags, unsupportedReference(ref))
			continue
		}
		v, more := ev.resolve(root, step.Name, ref.SourceRange())
		diags = append(diags, more...)
		roots[root][step.Name] = v
	}
	vars := map[string]cty.Value{"var": cty.ObjectVal(roots["var"]), "local": cty.ObjectVal(roots["local"])}
	for name, v := range extra {
		vars[name] = v
	}
	return &hcl.EvalContext{Variables: vars, Functions: ev.functions}, diags
}

// resolve returns the value of var.name or local.name, referred to from at.
func (ev *evaluator) resolve(root, name string, at hcl.Range) (cty.Value, diag.List) {
	key := root + "." + name
	if v, ok := ev.known[key]; ok {
		return v, nil
	}
	if ev.underway[key] {
		return cty.DynamicVal, diag.List{selfReference(key, at)}
	}
	ev.underway[key] = true
	defer delete(ev.underway, key)
	var v cty.Value
	var diags diag.List
	if root == "var" {
		v, diags = ev.variableValue(name, at)
	} else if expr, ok := ev.locals[name]; ok {
		v, diags = ev.value(expr, nil)
	} else {
		v, diags = cty.DynamicVal, diag.List{undeclared(key, at)}
	}
	if !diags.HasErrors() {
		ev.known[key] = v
	}
	return v, diags
}

func (ev *evaluator) variableValue(name string, at hcl.Range) (cty.Value, diag.List) {
	variable, ok := ev.variables[name]
	if !ok {
		return cty.DynamicVal, diag.List{undeclared("var."+name, at)}
	}
	v, diags := variable.given, diag.List(nil)
	if v == cty.NilVal {
		if variable.standing == nil {
			return cty.DynamicVal, diag.List{variableWithoutValue(name, at)}
		}
		if v, diags = ev.value(variable.standing, nil); diags.HasErrors() {
			return v, diags
		}
	}
	if variable.defaults != nil && !v.IsNull() {
		v = variable.defaults.Apply(v)
	}
	converted, err := convert.Convert(v, variable.typ)
	if err != nil {
		return cty.DynamicVal, diag.List{unsuitableVariable(name, at, err)}
	}
	if variable.sensitive {
		converted = converted.Mark(tflang.Sensitive)
	}
	return converted, diags
}
