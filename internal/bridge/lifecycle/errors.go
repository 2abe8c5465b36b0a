package lifecycle

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// InitFailedError says that a create or update failed on its way: the
// resource exists, and its state must be kept, or it would be orphaned. It
// becomes ErrorResourceInitFailed of the Pulumi protocol.
type InitFailedError struct {
	ID              string
	Outputs, Inputs property.Map
	// Reasons has a text for each diagnostic in Err.
	Reasons []string
	Err     error
}

func initFailed(id string, outputs, inputs property.Map, err error) *InitFailedError {
	e := &InitFailedError{ID: id, Outputs: outputs, Inputs: inputs, Err: err}
	for _, d := range diag.FromError("", "The operation failed", err) {
		e.Reasons = append(e.Reasons, d.Error())
	}
	return e
}

// Error tells why.
func (e *InitFailedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *InitFailedError) Unwrap() error { return e.Err }

// MissingKeysError says what the provider's configuration lacks. It becomes
// ConfigureErrorMissingKeys of the Pulumi protocol.
type MissingKeysError struct{ Keys []MissingKey }

// MissingKey is a required configuration variable by its Pulumi name.
type MissingKey struct{ Name, Description string }

// Error names the keys.
func (e *MissingKeysError) Error() string {
	names := make([]string, len(e.Keys))
	for i, k := range e.Keys {
		names[i] = k.Name
	}
	return "The provider's configuration lacks " + strings.Join(names, ", ") + "."
}

// UnknownOutcomeError says that an apply was cut short, by a crash or by its
// caller, so that nobody knows what it did. The engine then keeps a pending
// operation.
type UnknownOutcomeError struct{ Err error }

// Error tells what ended the call.
func (e *UnknownOutcomeError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// UnknownTokenError says that the package has no such method.
type UnknownTokenError struct {
	What  string // "method"
	Token string
	Near  []string // tokens that may have been meant
}

// Error asks whether a near one was meant.
func (e *UnknownTokenError) Error() string {
	return fmt.Sprintf("The package has no %s %q.%s", e.What, e.Token, suggest.Question(e.Near))
}
