package write

import (
	"fmt"

	"github.com/formation-iac/formation/internal/base/diag"
)

// secretImports warns of import blocks that are no more for everybody's eyes
// than the values of variables. The tools refuse sensitive variables in them.
func secretImports(n int) *diag.Diagnostic {
	return diag.Warnf("WR0003", fmt.Sprintf("%s holds secrets", ImportsFile),
		"Objects that are imported by a secret value: %d. %s is listed in %s and stays out of git; keep it so, and remove it once it has been applied. --state tfstate does without it.", n, ImportsFile, IgnoreFile)
}

func unencodable(file string, err error) *diag.Diagnostic {
	return diag.Errorf("WR0002", fmt.Sprintf("Cannot write %s", file),
		"%s. Nothing was written. Please report this.", err)
}
