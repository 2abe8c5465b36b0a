package tfverify

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// gap is the mark of what could not be worked out, with the reason.
type gap struct{ reason *diag.Diagnostic }

// gapValue stands for a value that could not be worked out.
func gapValue(reason *diag.Diagnostic) cty.Value { return cty.DynamicVal.Mark(gap{reason}) }

// gapsOf returns the reasons of all gaps that v was made of.
func gapsOf(v cty.Value) diag.List {
	if v == cty.NilVal || !ctyx.Marked(v) {
		return nil
	}
	_, found := v.UnmarkDeepWithPaths()
	var reasons diag.List
	seen := map[*diag.Diagnostic]bool{}
	for _, pvm := range found {
		for mark := range pvm.Marks {
			if g, ok := mark.(gap); ok && !seen[g.reason] {
				seen[g.reason] = true
				reasons = append(reasons, g.reason)
			}
		}
	}
	sortDiagnostics(reasons)
	return reasons
}

// firstError is the reason of a gap that errors caused.
func firstError(diags diag.List) *diag.Diagnostic { return diags.Errors()[0] }
