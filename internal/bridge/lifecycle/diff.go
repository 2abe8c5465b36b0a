package lifecycle

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

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
	before := translate.FromTerraform(s.Object, in.prior.value)
	after := translate.FromTerraform(s.Object, plan.Planned)
	d := detail{legacy: plan.Legacy}
	d.object(s.Object, views{
		before: propertiesOf(before), after: propertiesOf(after),
		stored: propertiesOf(req.Olds), oldInput: propertiesOf(req.OldInputs), input: propertiesOf(req.News),
	}, property.Path{}, false)
	for _, path := range plan.RequiresReplace {
		d.replace(translate.PropertyPath(s.Object, path, req.News))
	}
	d.fallBack(s.Object, plan.Changes)
	return d.response(), nil
}

// propertiesOf is a map as a value without marks.
func propertiesOf(m property.Map) property.Value { return property.New(plainMap(m)) }
