package lifecycle

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// Check validates the inputs of a resource and names it where it has no name.
// Apart from a name, marks on what is secret by its schema, and paths in place
// of files, the inputs come back as they are: the provider's defaults are the
// plan's business.
func (p *Provider) Check(ctx context.Context, req CheckRequest) (CheckResponse, error) {
	s, err := p.subject(req.Resource)
	if err != nil {
		return CheckResponse{}, err
	}
	news, failures := p.filePaths(ctx, req.News)
	if len(failures) > 0 {
		return CheckResponse{Inputs: req.News, Failures: failures}, nil
	}
	req.News = translate.MarkSecrets(s.Object, withoutNotes(s.Object, news))
	inputs, made, unnamed := autoname(s.Resource, req)
	if unnamed != nil {
		return CheckResponse{Inputs: inputs, Failures: []Failure{*unnamed}}, nil
	}
	_, failures, err = p.fill(ctx, s.form(), inputs)
	if err != nil {
		return CheckResponse{}, err
	}
	if made != nil && !made.Required && len(failures) > 0 {
		// The name may be in the way of another way to name it.
		_, fewer, err := p.fill(ctx, s.form(), req.News)
		if err == nil && len(fewer) < len(failures) {
			inputs, failures = req.News, fewer
		}
	}
	return CheckResponse{Inputs: inputs, Failures: failures}, nil
}

// form is what the inputs of a resource fill in.
func (s subject) form() form {
	return form{urn: s.urn, object: s.Object, validate: func(ctx context.Context, config cty.Value) diag.List {
		return s.terraform.ValidateResourceConfig(ctx, s.Terraform, config)
	}}
}
