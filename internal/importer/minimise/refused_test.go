package minimise_test

import (
	"context"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// planning has a say in each plan.
type planning struct {
	tfprovider.Provider
	plan func(tfprovider.PlanRequest, *tfprovider.PlanResponse) diag.List
}

func (p planning) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	resp, diags := p.Provider.PlanResourceChange(ctx, req)
	if diags.HasErrors() {
		return resp, diags
	}
	if own := p.plan(req, &resp); own != nil {
		return tfprovider.PlanResponse{}, own
	}
	return tfprovider.PlanResponse{
		Planned: resp.Planned, Private: resp.Private, RequiresReplace: resp.RequiresReplace, LegacyTypeSystem: true,
	}, diags
}

// networks minimises the networks of an estate by plans in which plan has a say.
func networks(t *testing.T, plan func(tfprovider.PlanRequest, *tfprovider.PlanResponse) diag.List) []minimise.Minimal {
	t.Helper()
	s := start(t, "terraform-provider-classic", 60)
	var found []discover.Found
	for _, f := range s.found(t, "classic_") {
		if f.Type == "classic_network" {
			found = append(found, f)
		}
	}
	out := minimise.Minimise(t.Context(), planning{s, plan}, s.read(t, found), minimise.Options{Concurrency: 2})
	if len(out) < 3 {
		t.Fatalf("there are %d networks", len(out))
	}
	return out
}

func written(v cty.Value, name string) bool { return !v.GetAttr(name).IsNull() }

// TestNoCreation writes all of an object whose creation cannot be planned:
// nothing can be shown to come back. Objections that name attributes which have
// nothing to do with it lead nowhere.
func TestNoCreation(t *testing.T) {
	t.Parallel()
	for _, m := range networks(t, func(req tfprovider.PlanRequest, _ *tfprovider.PlanResponse) diag.List {
		if req.Prior.IsNull() {
			return diag.List{diag.Errorf("", "The name is taken", "There is a network with this description, cidr and mtu.")}
		}
		return nil
	}) {
		fail(t, m.Diagnostics.Err())
		for _, name := range []string{"description", "mtu", "enable_dns", "tags"} {
			if !written(m.Config, name) {
				t.Errorf("%s: %s is not written", m.Object.Found.ID, name)
			}
		}
		if len(m.Conflicting) > 0 {
			t.Errorf("%s: %v are said to be refused", m.Object.Found.ID, m.Conflicting)
		}
	}
}

// TestPlanRefuses heeds what only a plan says: a description wants two others
// with it, both of them defaults.
func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	for _, m := range networks(t, func(req tfprovider.PlanRequest, _ *tfprovider.PlanResponse) diag.List {
		if written(req.Config, "description") && !(written(req.Config, "mtu") && written(req.Config, "enable_dns")) {
			return diag.List{diag.Errorf("", "Too few", "A description wants enable_dns and mtu.").On(cty.GetAttrPath("description"))}
		}
		return nil
	}) {
		fail(t, m.Diagnostics.Err())
		for _, name := range []string{"description", "mtu", "enable_dns"} {
			if !written(m.Config, name) {
				t.Errorf("%s: %s is not written", m.Object.Found.ID, name)
			}
		}
		if len(m.Conflicting) > 0 {
			t.Errorf("%s: %v are said to be refused", m.Object.Found.ID, m.Conflicting)
		}
	}
}

// TestAlwaysChanges leaves out an object that each plan would change, and says
// what it would change.
func TestAlwaysChanges(t *testing.T) {
	t.Parallel()
	for _, m := range networks(t, func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
		if !req.Prior.IsNull() {
			resp.Planned = described(resp.Planned, cty.StringVal("as of today"))
		}
		return nil
	}) {
		err := m.Diagnostics.Err()
		if err == nil || !strings.Contains(err.Error(), "would change description.") {
			t.Errorf("%s: got %v", m.Object.Found.ID, err)
		}
	}
}
