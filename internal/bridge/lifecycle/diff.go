package lifecycle

import (
	"context"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// Diff says what an update would do. Nothing differs where the provider
// plans nothing, however much state and inputs look apart.
func (p *Provider) Diff(ctx context.Context, req DiffRequest) (DiffResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return DiffResponse{}, err
	}
	in, err := s.updateIntent(ctx, req.Olds, req.News, req.IgnoreChanges)
	if err != nil {
		return DiffResponse{}, err
	}
	plan, err := s.plan(ctx, in.prior, in.config, in.ignore)
	if err != nil || plan.Action == tfplan.NoOp {
		return DiffResponse{}, err
	}
	d := detail{legacy: plan.Legacy}
	for _, p := range differing(s.Object, plan.Changes) {
		d.property(p, views{
			before: plain(translate.FromAttribute(p, in.prior.value)), after: plain(translate.FromAttribute(p, plan.Planned)),
			stored: plain(req.Olds.Get(p.Name)), oldInput: plain(req.OldInputs.Get(p.Name)), input: plain(req.News.Get(p.Name)),
		}, property.Path{}, false)
	}
	for _, path := range plan.RequiresReplace {
		d.replace(translate.PropertyPath(s.Object, path, req.News))
	}
	d.fallBack(s.Object, plan.Changes)
	return d.response(), nil
}

// differing are the properties that changes of an object are about.
func differing(o *mapping.Object, changes []tfplan.Change) []*mapping.Property {
	var out []*mapping.Property
	for _, c := range changes {
		if len(c.Path) == 0 {
			return o.Properties
		}
		step, ok := c.Path[0].(cty.GetAttrStep)
		if !ok {
			continue
		}
		if p := o.FromTerraform(step.Name); p != nil && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// propertiesOf is a map as a value without marks.
func propertiesOf(m property.Map) property.Value { return property.New(plainMap(m)) }
