package minimise_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestDerivedDefault leaves out what follows from another attribute: what a
// creation gives for one object says nothing of the next. The second and the
// third are worked on at once, so that one of them has trusted the first.
func TestDerivedDefault(t *testing.T) {
	t.Parallel()
	for _, m := range networks(t, func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		if !req.Config.IsNull() && !written(req.Config, "description") {
			resp.Planned = described(resp.Planned, cty.StringVal("The "+req.Config.GetAttr("name").AsString()+" network"))
		}
		return nil
	}) {
		fail(t, m.Diagnostics.Err())
		if written(m.Config, "description") {
			t.Errorf("%s: the description is written, which follows from the name", m.Object.Found.ID)
		}
	}
}
