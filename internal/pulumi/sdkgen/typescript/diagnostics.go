package sdkts

import "github.com/formation-iac/formation/internal/base/diag"

func badInfo(err error) *diag.Diagnostic {
	return diag.Errorf("ST0001", "What the schema says to Node.js cannot be read", "language.nodejs: %v.", err)
}

func reservedModule(name string) *diag.Diagnostic {
	return diag.Errorf("ST0002", "A module has a name that the SDK needs",
		"The package has a module %q, where its SDK has the types of inputs and outputs. "+
			"Give the module another path, in moduleToPackage under language.nodejs of the schema.", name)
}

func sameFile(one, other, path string) *diag.Diagnostic {
	return diag.Errorf("ST0003", "Two members would have the same file",
		"%s and %s would both be in %s. Rename one, or give its module another path, in moduleToPackage under "+
			"language.nodejs of the schema.", one, other, path)
}
