package lifecycle

import (
	"context"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// mostRounds bounds how often a derived configuration is mended.
const mostRounds = 8

// derive finds configuration under which an object stays as it is, for a
// program to begin with. It holds what the object has and configuration can
// set, less what the provider gives by itself and what it does not accept
// beside the rest. The provider has the last word on both. Where it cannot be
// satisfied the configuration is the best that was found, and the next
// preview shows what differs.
func (s subject) derive(ctx context.Context, now object) *derivation {
	d := &derivation{subject: s, now: now, refused: map[string]bool{}}
	d.full = d.settableRoot(keepSettable)
	d.config = d.lean(ctx)
	for range mostRounds {
		d.mend(ctx)
		plan, diags := s.probe(ctx, now, d.config, tfplan.Ignore{})
		switch {
		case diags.HasErrors() && !d.config.RawEquals(d.full) && ctx.Err() == nil:
			d.config = d.full
		case diags.HasErrors(), plan.Action == tfplan.NoOp, !d.restore(plan.Changes):
			return d
		}
	}
	return d
}

// derivation is one search.
type derivation struct {
	subject
	now object
	// full is all that configuration could say of the object.
	full   cty.Value
	config cty.Value
	// refused are attributes that the provider does not accept beside others.
	refused map[string]bool
}

// settableRoot prunes the object, and what no program needs to say.
func (d *derivation) settableRoot(keep keeper) cty.Value {
	block := d.Schema.Block
	config := pruneBlock(block, d.now.value, cty.NilVal, keep)
	for _, name := range []string{timeoutsName, d.ID.Attribute} {
		if attr := block.Attribute(name); attr != nil && attr.Required {
			continue
		}
		config = d.without(config, name)
	}
	return config
}

// without returns configuration that does not set an attribute or block.
func (d *derivation) without(config cty.Value, name string) cty.Value {
	block := d.Schema.Block
	if attr := block.Attribute(name); attr != nil {
		return withAttribute(config, name, cty.NullVal(attr.Type))
	}
	if nested := block.NestedBlock(name); nested != nil {
		return withAttribute(config, name, nested.EmptyValue())
	}
	return config
}

// lean is the configuration without what the provider would give a new
// object that says nothing of it.
func (d *derivation) lean(ctx context.Context) cty.Value {
	plan, diags := d.probe(ctx, d.nothing(), d.settableRoot(keepNeeded), tfplan.Ignore{})
	given := plan.Planned
	if diags.HasErrors() {
		given = cty.NilVal
	}
	return pruneBlock(d.Schema.Block, d.full, given, keepTelling)
}

// mend changes the configuration until the provider accepts it, or no change
// is left.
func (d *derivation) mend(ctx context.Context) {
	for range len(d.Schema.Block.Attributes) + len(d.Schema.Block.Blocks) {
		diags := d.terraform.ValidateResourceConfig(ctx, d.Terraform, d.config)
		if !diags.HasErrors() || !d.supply(diags) && !d.refuse(diags) {
			return
		}
	}
}

// supply sets the first attribute that the provider misses and the object
// has.
func (d *derivation) supply(diags diag.List) bool {
	for _, name := range d.blamed(diags) {
		if d.config.GetAttr(name).RawEquals(d.without(d.config, name).GetAttr(name)) && d.put(name) {
			return true
		}
	}
	return false
}

// put sets an attribute as the object has it, and reports whether that is
// new.
func (d *derivation) put(name string) bool {
	if d.refused[name] || d.full.GetAttr(name).RawEquals(d.config.GetAttr(name)) {
		return false
	}
	d.config = withAttribute(d.config, name, d.full.GetAttr(name))
	return true
}

// refuse takes away one of the attributes that the provider objects to: the
// one that a program is least likely to want.
func (d *derivation) refuse(diags diag.List) bool {
	worst, name := -1, ""
	for _, candidate := range d.blamed(diags) {
		attr := d.Schema.Block.Attribute(candidate)
		if d.refused[candidate] || attr != nil && attr.Required {
			continue
		}
		rank := 0
		if attr != nil && attr.Computed {
			rank = 1
		}
		if attr != nil && attr.Deprecated {
			rank = 2
		}
		if rank > worst {
			worst, name = rank, candidate
		}
	}
	if worst < 0 {
		return false
	}
	d.refused[name] = true
	d.config = d.without(d.config, name)
	return true
}

// blamed are the attributes and blocks that a provider's errors are about.
func (d *derivation) blamed(diags diag.List) []string {
	var names []string
	for _, e := range diags.Errors() {
		if e.Code != tfprovider.CodeProvider || len(e.Path) == 0 {
			continue
		}
		if step, ok := e.Path[0].(cty.GetAttrStep); ok && d.config.Type().HasAttribute(step.Name) {
			names = append(names, step.Name)
		}
	}
	return names
}

// restore sets again what a plan would change. It reports whether there was
// anything to set. What becomes unknown does so because something else
// changes, unless nothing does.
func (d *derivation) restore(changes []tfplan.Change) bool {
	causes := slices.DeleteFunc(slices.Clone(changes), func(c tfplan.Change) bool { return !c.After.IsWhollyKnown() })
	if len(causes) == 0 {
		causes = changes
	}
	restored := false
	for _, c := range causes {
		if len(c.Path) == 0 {
			continue
		}
		if step, ok := c.Path[0].(cty.GetAttrStep); ok {
			restored = d.put(step.Name) || restored
		}
	}
	return restored
}
