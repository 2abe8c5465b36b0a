package tfverify

import (
	"errors"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TestArgumentErr has HCL point at an argument where one alone is at fault.
func TestArgumentErr(t *testing.T) {
	t.Parallel()
	bad := func(path cty.Path) *diag.Diagnostic { return diag.Errorf("", "Bad", "").On(path) }
	for name, test := range map[string]struct {
		diags diag.List
		at    int // -1 for none
		want  string
	}{
		"an argument": {diag.List{diag.Warnf("", "Slow", ""), bad(cty.IndexIntPath(2))}, 2, "Bad"},
		"the call":    {diag.List{bad(nil)}, -1, "Bad"},
		"two":         {diag.List{bad(cty.IndexIntPath(0)), bad(nil)}, -1, "[0]: Bad\nBad"},
		"elsewhere":   {diag.List{bad(cty.GetAttrPath("a"))}, -1, "a: Bad"},
	} {
		err := argumentErr(test.diags)
		at := -1
		if arg := (function.ArgError{}); errors.As(err, &arg) {
			at = arg.Index
		}
		if err == nil || err.Error() != test.want || at != test.at {
			t.Errorf("%s: got %v at %d", name, err, at)
		}
	}
	if err := argumentErr(diag.List{diag.Warnf("", "Slow", "")}); err != nil {
		t.Errorf("a warning is an error: %v", err)
	}
}
