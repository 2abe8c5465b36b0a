package tflang

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/formation-iac/formation/internal/base/diag"
)

// FromHCL carries over what HCL says about expressions. A function's message
// may quote its arguments: where one of them is sensitive or ephemeral, the
// message is left out.
func FromHCL(diags hcl.Diagnostics) diag.List {
	out := diag.FromHCL(CodeExpression, diags)
	for i, d := range diags {
		if fromFunction(d) && hidesArguments(d) {
			out[i].Detail = "The function failed on a value that is sensitive or ephemeral, so its reason is not shown."
		}
	}
	return out
}

// fromFunction recognises what a function said. HCL marks errors of whole
// calls; those about one argument it only names alike, at this revision.
func fromFunction(d *hcl.Diagnostic) bool {
	_, marked := d.Extra.(hclsyntax.FunctionCallDiagExtra)
	return marked || d.Summary == "Invalid function argument"
}

// hidesArguments evaluates once more what failed, an argument or the
// arguments of a whole call, to learn what it is marked with.
func hidesArguments(d *hcl.Diagnostic) bool {
	args := []hcl.Expression{d.Expression}
	if call, ok := d.Expression.(*hclsyntax.FunctionCallExpr); ok {
		for _, arg := range call.Args {
			args = append(args, arg)
		}
	}
	for _, arg := range args {
		if arg == nil || hidden(arg, d.EvalContext) {
			return true
		}
	}
	return false
}

func hidden(expr hcl.Expression, ctx *hcl.EvalContext) (yes bool) {
	defer func() { yes = yes || recover() != nil }()
	v, _ := expr.Value(ctx)
	return Has(v, Sensitive) || Has(v, Ephemeral)
}
