package tflang

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// CodeExpression is the code of what HCL says about an expression.
const CodeExpression = "TL0001"

// notAReference reports a traversal that begins with no name.
func notAReference(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TL0002", "Invalid reference", "A reference begins with a name, such as var.size or aws_vpc.main.id.").At(at)
}

// incompleteReference reports a root without what must follow it.
func incompleteReference(root, missing string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TL0003", "Invalid reference", "%q must be followed by %s, each after a dot.", root, missing).At(at)
}

// evaluationPanic reports an expression on which a library gave up.
func evaluationPanic(at hcl.Range, r any) *diag.Diagnostic {
	return diag.Errorf("TL0004", "Expression cannot be evaluated", "The evaluator failed on it: %v. Write it another way, and report this.", r).At(at)
}

// wrongType reports a value that does not fit where it stands.
func wrongType(err error, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TL0005", "Unsuitable value", "The value does not fit here: %s.", err).At(at)
}
