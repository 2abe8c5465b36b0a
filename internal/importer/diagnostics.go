package importer

import "github.com/formation-iac/formation/internal/base/diag"

func interrupted(cause error) *diag.Diagnostic {
	return diag.Errorf("IM0001", "Interrupted", "Nothing was written: %s.", cause)
}

func unstorable(address string, err error) *diag.Diagnostic {
	return diag.Errorf("IM0004", "The object does not fit a state file", "%s. Please report this.", err).For(address)
}

func foundBefore(first string) *diag.Diagnostic {
	return diag.Warnf("IM0005", "Found twice", "The provider reads the very object that it reads for %s, so it was imported once.", first)
}

func failedBefore() *diag.Diagnostic {
	return diag.Errorf("IM0006", "Found twice, and failed",
		"The provider reads the very object that it reads for another id or identity, where the report says why it failed.")
}
