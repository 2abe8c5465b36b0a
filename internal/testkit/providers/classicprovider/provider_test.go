package classicprovider_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/testkit/providers/classicprovider"
)

// TestSchemas has the SDK check every schema.
func TestSchemas(t *testing.T) {
	t.Parallel()
	if err := classicprovider.New(nil).InternalValidate(); err != nil {
		t.Fatal(err)
	}
}
