package lifecycle

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
)

// object is a resource as Terraform keeps it.
type object struct {
	value    cty.Value // null where there is none
	private  []byte
	identity cty.Value // cty.NilVal where there is none
	// rendered waits for the value's rendering, where that was made ahead.
	rendered func() rendering
}

// with is the object with another value.
func (o object) with(value cty.Value) object {
	o.value, o.rendered = value, nil
	return o
}

// subject is the resource that one operation is about.
type subject struct {
	*Provider
	*mapping.Resource
	urn string
}

func (p *Provider) subject(of Resource) (subject, error) {
	r, err := p.pkg.Resource(of.Token)
	return subject{Provider: p, Resource: r, urn: of.URN}, err
}

// nothing is the object that is not there.
func (s subject) nothing() object {
	return object{value: cty.NullVal(s.Schema.Block.ImpliedType())}
}

// heed shows the warnings among diags to the user and returns the errors.
func (s subject) heed(ctx context.Context, diags diag.List) error {
	return s.report(ctx, s.urn, s.Object, diags)
}

// report shows the warnings among diags to the user and returns the errors,
// with paths into an object in Pulumi's names.
func (p *Provider) report(ctx context.Context, urn string, o *mapping.Object, diags diag.List) error {
	var errs diag.List
	for _, d := range inPulumi(o, diags) {
		if d.Severity == diag.Warning {
			p.log.Report(ctx, urn, d)
		} else {
			errs = append(errs, d)
		}
	}
	return errs.Err()
}

// inPulumi returns diagnostics whose paths, which lead into an object, have
// Pulumi's names.
func inPulumi(o *mapping.Object, diags diag.List) diag.List {
	out := make(diag.List, len(diags))
	for i, d := range diags {
		renamed := *d
		renamed.Path = translate.DiagnosticPath(translate.PropertyPath(o, d.Path, property.Map{}))
		out[i] = &renamed
	}
	return out
}

// plan asks what it takes to bring prior to the configuration.
func (s subject) plan(ctx context.Context, prior object, config cty.Value, ignore tfplan.Ignore) (tfplan.Result, error) {
	result, diags := s.probe(ctx, prior, config, ignore)
	return result, s.heed(ctx, diags)
}

// probe is plan without a word to the user.
func (s subject) probe(ctx context.Context, prior object, config cty.Value, ignore tfplan.Ignore) (tfplan.Result, diag.List) {
	meta, diags := s.meta(ctx)
	if diags.HasErrors() {
		return tfplan.Result{}, diags
	}
	return tfplan.Plan(ctx, s.terraform, tfplan.Request{
		TypeName: s.Terraform, Prior: prior.value, Config: config,
		PriorPrivate: prior.private, Identity: prior.identity, Meta: meta, Ignore: ignore,
	})
}
