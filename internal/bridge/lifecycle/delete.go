package lifecycle

import (
	"context"

	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// Delete destroys a resource. After an error it may still be there, and must
// be kept.
func (p *Provider) Delete(ctx context.Context, req DeleteRequest) error {
	s, err := p.subject(req.Resource)
	if err != nil {
		return err
	}
	ctx, cancel := within(ctx, s.Schema.Block, deleting, req.Timeout)
	defer cancel()
	prior, err := s.prior(ctx, req.Outputs)
	if err != nil {
		return err
	}
	if req.Timeout > 0 {
		// No configuration goes with a delete: providers look into the state.
		prior.value, _ = withTimeout(s.Schema.Block, prior.value, deleting, req.Timeout)
		prior.private = privateWithTimeout(prior.private, req.Timeout)
	}
	meta, diags := s.meta(ctx)
	if diags.HasErrors() {
		return s.heed(ctx, diags)
	}
	plan, diags := tfplan.Destroy(ctx, s.terraform, tfplan.Request{
		TypeName: s.Terraform, Prior: prior.value, PriorPrivate: prior.private, Identity: prior.identity, Meta: meta,
	})
	if err := s.heed(ctx, diags); err != nil {
		return err
	}
	switch {
	case plan.Action == tfplan.NoOp:
		return nil
	case plan.Deferred != "":
		return deferred(deleting, plan.Deferred)
	}
	_, err = s.apply(ctx, deleting, plan.Apply, nil)
	return err
}
