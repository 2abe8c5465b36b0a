package write

import (
	"fmt"

	"github.com/formation-iac/formation/internal/base/diag"
)

// secretImports warns of what the tools print of import blocks, where they refuse
// sensitive variables.
func secretImports(n int) *diag.Diagnostic {
	return diag.Warnf("WR0003", "Plans show secrets that objects are imported by",
		"Objects that are imported by a secret value: %d. It stands in %s, but until the import blocks have been applied, tofu and terraform print it: "+
			"keep the output of plan and apply to yourself, and out of the logs of CI. --state tfstate does without.", n, SecretsFile)
}

func unencodable(file string, err error) *diag.Diagnostic {
	return diag.Errorf("WR0002", fmt.Sprintf("Cannot write %s", file),
		"%s. Nothing was written. Please report this.", err)
}
