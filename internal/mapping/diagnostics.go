package mapping

import (
	"fmt"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

func unknownName(name string, all []string) *diag.Diagnostic {
	return diag.Errorf("MP0001", fmt.Sprintf("The provider has nothing called %q", name),
		"What is included or excluded is a resource type, data source, function or ephemeral resource type of the provider, by its name in Terraform.%s Correct the name or remove it.",
		suggest.DidYouMean(name, all))
}

func includedAndExcluded(name string) *diag.Diagnostic {
	return diag.Errorf("MP0002", fmt.Sprintf("%q is both included and excluded", name), "Remove it from one of the two lists.")
}

func badPackageName(name string) *diag.Diagnostic {
	return diag.Errorf("MP0003", fmt.Sprintf("%q is no name for a package", name),
		"A package's name is a part of every token: letters, digits, dashes and underscores. Choose another one with --provider-name.")
}

// UnknownTokenError says that a package has nothing of that token, or of that
// Terraform name.
type UnknownTokenError struct {
	Package string
	What    string // "resource" or "function"
	Token   string
	Near    []string // what may have been meant, best first
}

// Error names what is missing.
func (e *UnknownTokenError) Error() string {
	return fmt.Sprintf("package %q has no %s %q.%s", e.Package, e.What, e.Token, suggest.Question(e.Near))
}
