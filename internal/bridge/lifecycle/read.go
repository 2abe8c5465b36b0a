package lifecycle

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// Read reads a resource again; one that is not stored yet it imports. What is
// gone has no ID.
func (p *Provider) Read(ctx context.Context, req ReadRequest) (ReadResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return ReadResponse{}, err
	}
	ctx, cancel := within(ctx, s.Schema.Block, reading, req.Timeout)
	defer cancel()
	if s.isStored(req.Outputs) {
		return s.refresh(ctx, req)
	}
	return s.importByID(ctx, req.ID)
}

// isStored reports whether outputs were made by an operation. Programs that
// look a resource up may give some of its properties, which are not enough to
// read it by.
func (s subject) isStored(outputs property.Map) bool {
	_, meta := outputs.GetOk(rawstate.MetaKey)
	_, delta := outputs.GetOk(rawstate.DeltaKey)
	return meta || delta || s.ID.Property != "" && !outputs.Get(s.ID.Property).IsNull()
}

// refresh reads a resource that is stored.
func (s subject) refresh(ctx context.Context, req ReadRequest) (ReadResponse, error) {
	prior, err := s.prior(ctx, req.Outputs)
	if err != nil {
		return ReadResponse{}, err
	}
	now, err := s.reread(ctx, prior)
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

// reread is read of what is stored, which mostly is as it was.
func (s subject) reread(ctx context.Context, prior object) (object, error) {
	prior.rendered = s.ahead(prior.value)
	return s.read(ctx, prior)
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
	if resp.AsSent {
		now.rendered = prior.rendered
	}
	if now.identity == cty.NilVal {
		now.identity = prior.identity
	}
	if !resp.Known && !ctyx.WhollyKnown(now.value) {
		return s.nothing(), unknownState()
	}
	return now, nil
}
