package tfconfig

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// unknownValue reports a value that is not known yet, which no text can say.
func unknownValue(path cty.Path) *diag.Diagnostic {
	return diag.Errorf("TC0101", "Value is not known",
		"Configuration cannot say a value that is only known after apply. It is left out: set it by hand.").On(path)
}

// unwritableText reports a string that is no valid UTF-8.
func unwritableText(path cty.Path) *diag.Diagnostic {
	return diag.Errorf("TC0102", "Text is not valid UTF-8",
		"Configuration files hold UTF-8 only. The value is left out: set it by hand, for example with base64decode.").On(path)
}

// infiniteNumber reports an infinity, which the language has no word for.
func infiniteNumber(path cty.Path) *diag.Diagnostic {
	return diag.Errorf("TC0103", "Number is infinite",
		"Configuration cannot say an infinite number. It is left out: set it by hand.").On(path)
}

// unwritableName reports an attribute or block type whose name cannot stand
// in configuration.
func unwritableName(name string, path cty.Path) *diag.Diagnostic {
	return diag.Errorf("TC0104", "Name cannot be written",
		"The provider calls this %q, which is no identifier, so that no configuration can set it.", name).On(path)
}

// unwritableValue reports a value whose type the language does not have, or
// that does not have the shape that the schema says.
func unwritableValue(is string, path cty.Path) *diag.Diagnostic {
	return diag.Errorf("TC0105", "Value cannot be written",
		"The value is %s, which does not fit the provider's schema. It is left out: set it by hand.", is).On(path)
}
