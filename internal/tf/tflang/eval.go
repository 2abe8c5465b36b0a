package tflang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Eval evaluates an expression in a context and converts the result to want,
// which cty.DynamicPseudoType leaves alone. Beside errors the value is an
// unknown one of the type wanted.
func Eval(expr hcl.Expression, ctx *hcl.EvalContext, want cty.Type) (v cty.Value, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			v, diags = cty.UnknownVal(want), append(diags, evaluationPanic(expr.Range(), r))
		}
	}()
	v, hclDiags := expr.Value(ctx)
	diags = FromHCL(hclDiags)
	if diags.HasErrors() {
		return cty.UnknownVal(want), diags
	}
	out, err := convert.Convert(v, want)
	if err != nil {
		return cty.UnknownVal(want), append(diags, wrongType(err, expr.Range()))
	}
	return out, diags
}
