package tfplan

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// The codes of this package. Values are never part of a message: what
// configuration marked as sensitive has lost its mark by the time of a plan.
const (
	CodeInvalidPlan     = "TN0001" // a plan that breaks the rules of plans
	CodeInvalidResult   = "TN0002" // an apply that broke what its plan promised
	CodeWriteOnlyKept   = "TN0003" // a write-only value in a plan
	CodeWrongType       = "TN0004" // a value that the schema does not allow
	CodeReplacePath     = "TN0005" // "requires replace" on a path that is not there
	CodeSchemaMissing   = "TN0006" // no schema for the type
	CodeUnsuitableValue = "TN0007" // prior or config not of the schema's type
	CodeDestroyKept     = "TN0008" // a destroy plan that keeps the object
)

const providerBug = "This is a bug in the provider: report it to the provider's own issue tracker."

// invalidPlan reports a planned value that neither configuration, nor prior
// state, nor being computed explains.
func invalidPlan(path cty.Path, problem string) *diag.Diagnostic {
	return diag.Errorf(CodeInvalidPlan, "Provider planned an invalid value",
		"The %s. %s", problem, providerBug).On(path)
}

// invalidResult reports a final value that differs from a known planned one.
func invalidResult(path cty.Path, problem string, args ...any) *diag.Diagnostic {
	return diag.Errorf(CodeInvalidResult, "Provider produced an inconsistent result after apply",
		"The %s. %s", fmt.Sprintf(problem, args...), providerBug).On(path)
}

func writeOnlyKept(path cty.Path) *diag.Diagnostic {
	return diag.Errorf(CodeWriteOnlyKept, "Provider planned a value for a write-only attribute",
		"Write-only values must be null in every plan and state, or they would be stored. %s", providerBug).On(path)
}

func wrongType(path cty.Path, err error) *diag.Diagnostic {
	return diag.Errorf(CodeWrongType, "Provider answered with a value of the wrong type",
		"The value does not fit the provider's own schema: %s. %s", err, providerBug).On(path)
}

func unsuitableValue(what, typeName string, path cty.Path, err error) *diag.Diagnostic {
	return diag.Errorf(CodeUnsuitableValue, fmt.Sprintf("The %s does not fit the schema", what),
		"It is not a value of resource type %q: %s. Bring it to the provider's current schema first.", typeName, err).On(path)
}

func replacePathMissing(path cty.Path) *diag.Diagnostic {
	return diag.Errorf(CodeReplacePath, "Provider requires replacement for an attribute that does not exist",
		"The path leads nowhere in the prior state and in the plan. %s", providerBug).On(path)
}

func destroyKept() *diag.Diagnostic {
	return diag.Errorf(CodeDestroyKept, "Provider planned to keep an object that is to be destroyed",
		"The plan of a destroy must be null. %s", providerBug)
}
