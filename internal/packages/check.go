package packages

import (
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// checkParameterization holds a schema to what was asked for: an SDK without
// the parameter would be that of another package.
func checkParameterization(s Source, pkg *pschema.Package) diag.List {
	h := pkg.Header
	switch {
	case h.Parameterization != nil && h.ExtensionParameterization != nil:
		return diag.List{bothParameterizations(s, pkg.Name())}
	case len(s.Args) == 0:
		return nil
	case s.Extension && h.ExtensionParameterization == nil:
		return diag.List{notExtended(s, pkg.Name())}
	case h.Parameterization == nil && h.ExtensionParameterization == nil:
		return diag.List{notParameterized(s, pkg.Name())}
	}
	return nil
}
