package lifecycle

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Read reads a resource again; without properties and inputs it imports one.
// What is gone has no ID.
func (p *Provider) Read(ctx context.Context, req ReadRequest) (ReadResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return ReadResponse{}, err
	}
	ctx, cancel := within(ctx, s.Schema.Block, reading, req.Timeout)
	defer cancel()
	if req.Outputs.Len() == 0 && req.Inputs.Len() == 0 {
		return s.importByID(ctx, req.ID)
	}
	return s.refresh(ctx, req)
}

// refresh reads a resource that is stored.
func (s subject) refresh(ctx context.Context, req ReadRequest) (ReadResponse, error) {
	prior, err := s.prior(ctx, req.Outputs)
	if err != nil {
		return ReadResponse{}, err
	}
	now, err := s.read(ctx, prior)
	if err != nil || now.value.IsNull() {
		return ReadResponse{}, err
	}
	outputs, err := s.store(now, req.Outputs, req.Inputs)
	if err != nil {
		return ReadResponse{}, err
	}
	return ReadResponse{
		ID: s.id(now.value), Outputs: outputs,
		Inputs: refreshInputs(s.Object, req.Inputs, req.Outputs, outputs),
	}, nil
}

// read asks for the present state of an object, which is null where it is
// gone.
func (s subject) read(ctx context.Context, prior object) (object, error) {
	meta, diags := s.meta(ctx)
	if diags.HasErrors() {
		return s.nothing(), s.heed(ctx, diags)
	}
	resp, diags := s.terraform.ReadResource(ctx, tfprovider.ReadRequest{
		TypeName: s.Terraform, State: prior.value, Private: prior.private, Identity: prior.identity, Meta: meta,
	})
	if err := s.heed(ctx, diags); err != nil {
		return s.nothing(), err
	}
	if resp.Deferred != "" {
		return s.nothing(), deferred(reading, resp.Deferred)
	}
	now := object{value: resp.State, private: resp.Private, identity: resp.Identity}
	now.value = tfplan.NormalizeLegacy(s.Schema.Block, now.value)
	if now.identity == cty.NilVal {
		now.identity = prior.identity
	}
	if !now.value.IsWhollyKnown() {
		return s.nothing(), unknownState()
	}
	return now, nil
}
