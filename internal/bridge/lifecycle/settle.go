package lifecycle

import (
	"context"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// settle writes into an imported state what the provider plans for it
// whatever the program says, and never reads: its defaults for settings of
// its own. Otherwise every import would be followed by an update that changes
// nothing real. The user is told what was written. Where a read does not keep
// it, the state stays as it was.
func (d *derivation) settle(ctx context.Context) object {
	plan, diags := d.probe(ctx, d.now, d.config, tfplan.Ignore{})
	if diags.HasErrors() || plan.Action != tfplan.Update || !onlyFills(plan.Changes) {
		return d.now
	}
	filled := object{value: plan.Planned, private: d.now.private, identity: d.now.identity}
	if again, diags := d.probe(ctx, filled, d.config, tfplan.Ignore{}); diags.HasErrors() || again.Action != tfplan.NoOp {
		return d.now
	}
	read, err := d.read(ctx, filled)
	if err != nil || !read.value.RawEquals(filled.value) {
		return d.now
	}
	d.log.Report(ctx, d.urn, settled(filledProperties(d.Object, plan.Changes)))
	return read
}

// filledProperties are the paths of what changes fill, in Pulumi's notation,
// each once.
func filledProperties(o *mapping.Object, changes []tfplan.Change) []string {
	var paths []string
	for _, c := range changes {
		if !holdsNothing(c.After) {
			paths = append(paths, pvalue.PathText(translate.PropertyPath(o, c.Path, property.Map{})))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// onlyFills reports whether changes give values to what had none, and do
// nothing else.
func onlyFills(changes []tfplan.Change) bool {
	for _, c := range changes {
		if !holdsNothing(c.Before) || !c.After.IsWhollyKnown() {
			return false
		}
	}
	return true
}

// holdsNothing reports whether v is null, or an object of nothing else. The
// older SDKs import the latter for timeouts.
func holdsNothing(v cty.Value) bool {
	if v.IsNull() || !v.IsKnown() || !v.Type().IsObjectType() {
		return v.IsNull()
	}
	for _, attr := range v.AsValueMap() {
		if !holdsNothing(attr) {
			return false
		}
	}
	return true
}
