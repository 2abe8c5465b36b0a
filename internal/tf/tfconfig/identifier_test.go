package tfconfig

import (
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestIsIdentifier compares with the library's scanner, on all short names.
func TestIsIdentifier(t *testing.T) {
	t.Parallel()
	names := []string{"", "ünï", "a·", "\u0301", "a b"}
	for a := range rune(128) {
		names = append(names, string(a))
		for b := range rune(128) {
			names = append(names, string([]rune{a, b}), string([]rune{'x', a, b}))
		}
	}
	for _, name := range names {
		if got, want := isIdentifier(name), hclsyntax.ValidIdentifier(name); got != want {
			t.Errorf("isIdentifier(%q) = %t", name, got)
		}
	}
}
