package lifecycle

import (
	"context"

	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// settle writes into an imported state what the provider plans for it
// whatever the program says, and never reads: its defaults for settings of
// its own. Otherwise every import would be followed by an update that changes
// nothing real. Where a read does not keep them, the state stays as it was.
func (d *derivation) settle(ctx context.Context) object {
	plan, diags := d.probe(ctx, d.now, d.config, tfplan.Ignore{})
	if diags.HasErrors() || plan.Action != tfplan.Update || !onlyFills(plan.Changes) {
		return d.now
	}
	settled := object{value: plan.Planned, private: d.now.private, identity: d.now.identity}
	if again, diags := d.probe(ctx, settled, d.config, tfplan.Ignore{}); diags.HasErrors() || again.Action != tfplan.NoOp {
		return d.now
	}
	read, err := d.read(ctx, settled)
	if err != nil || !read.value.RawEquals(settled.value) {
		return d.now
	}
	return read
}

// onlyFills reports whether changes give values to what was null, and do
// nothing else.
func onlyFills(changes []tfplan.Change) bool {
	for _, c := range changes {
		if !c.Before.IsNull() || !c.After.IsWhollyKnown() {
			return false
		}
	}
	return true
}
