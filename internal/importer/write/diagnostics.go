package write

import (
	"fmt"

	"github.com/formation-iac/formation/internal/base/diag"
)

func unencodable(file string, err error) *diag.Diagnostic {
	return diag.Errorf("WR0002", fmt.Sprintf("Cannot write %s", file),
		"%s. Nothing was written. Please report this.", err)
}
