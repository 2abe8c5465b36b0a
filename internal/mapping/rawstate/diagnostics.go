package rawstate

import "github.com/formation-iac/formation/internal/base/diag"

// badMeta reports state that Terraform's part cannot be read from.
func badMeta(err error) *diag.Diagnostic {
	return diag.Errorf("RS0001", "Stored state is damaged",
		"%q among the outputs of the resource cannot be read: %v.\nIf the state was edited, restore it from before; "+
			"otherwise remove the resource from the state and import it again.", MetaKey, err)
}

// badDelta reports outputs that were changed without their delta.
func badDelta(err error) *diag.Diagnostic {
	return diag.Errorf("RS0002", "Stored state does not fit together",
		"%q among the outputs of the resource does not apply to the others: %v.\nIf the state was edited, remove this key "+
			"from the outputs and run again: the state is then made of the outputs alone.", DeltaKey, err)
}

// badGuess reports outputs that make no state without a delta.
func badGuess(err error) *diag.Diagnostic {
	return diag.Errorf("RS0003", "Stored outputs make no state",
		"The outputs come without the key %q and cannot be translated by the provider's schema: %v.\n"+
			"Remove the resource from the state and import it again.", DeltaKey, err)
}
