package lifecycle

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// form is what a program fills in: the inputs of a resource, the arguments of
// a function, or the provider's configuration.
type form struct {
	urn    string
	object *mapping.Object
	// validate has the provider judge what was filled in.
	validate func(context.Context, cty.Value) diag.List
}

// fill makes configuration of inputs and has the provider judge it. What
// speaks against the inputs are failures, beside which there is no config.
func (p *Provider) fill(ctx context.Context, f form, inputs property.Map) (config cty.Value, failures []Failure, err error) {
	config, _, problems := translate.ToConfig(f.object, inputs)
	for _, problem := range append(problems, missing(f.object, inputs, property.Path{})...) {
		failures = append(failures, failure(inputs, problem.Path, problem.Reason+"."))
	}
	if len(failures) > 0 {
		return cty.NilVal, failures, nil
	}
	var other diag.List
	for _, d := range f.validate(ctx, config) {
		if d.Severity == diag.Error && d.Code == tfprovider.CodeProvider {
			failures = append(failures, failure(inputs, translate.PropertyPath(f.object, d.Path, inputs), said(d)))
			continue
		}
		other = append(other, d)
	}
	return config, failures, p.report(ctx, f.urn, f.object, other)
}

// filePaths puts the paths of files in the place of assets and archives.
func (p *Provider) filePaths(ctx context.Context, inputs property.Map) (property.Map, []Failure) {
	out, problems := translate.FilePaths(ctx, inputs, p.files)
	var failures []Failure
	for _, problem := range problems {
		failures = append(failures, failure(inputs, problem.Path, problem.Reason+"."))
	}
	return out, failures
}

// said is what a provider said, as far as it is not the path.
func said(d *diag.Diagnostic) string {
	if d.Detail == "" || d.Detail == d.Summary {
		return d.Summary
	}
	return d.Summary + ": " + d.Detail
}

// failure refuses the input at a path. The engine prints the value of a
// property that a failure names, and so none that holds a secret is named.
func failure(inputs property.Map, path property.Path, reason string) Failure {
	text := pvalue.PathText(path)
	if inputs.Get(text).HasSecrets() {
		return Failure{Reason: fmt.Sprintf("%s: %s", text, reason)}
	}
	return Failure{Property: text, Reason: reason}
}

// missing reports what an object must have and inputs do not.
func missing(o *mapping.Object, inputs property.Map, at property.Path) []translate.Problem {
	var problems []translate.Problem
	for _, p := range o.Properties {
		v := inputs.Get(p.Name)
		switch {
		case v.IsNull() && p.Required:
			problems = append(problems, translate.Problem{Path: at.AppendSegment(pvalue.Key(p.Name)), Reason: "Missing required property"})
		case !v.IsNull() && translate.HasObjects(p.Type):
			problems = append(problems, missingIn(p.Type, v, at.AppendSegment(pvalue.Key(p.Name)))...)
		}
	}
	return problems
}

// missingIn looks into a value that there is.
func missingIn(t *mapping.Type, v property.Value, at property.Path) []translate.Problem {
	var problems []translate.Problem
	switch {
	case t.Kind == mapping.KindObject && v.IsMap():
		return missing(t.Object, v.AsMap(), at)
	case t.Kind == mapping.KindMap && v.IsMap():
		for key, elem := range v.AsMap().AllStable {
			problems = append(problems, missingIn(t.Elem, elem, at.AppendSegment(pvalue.Key(key)))...)
		}
	case t.Kind == mapping.KindArray && v.IsArray():
		for i, elem := range v.AsArray().All {
			problems = append(problems, missingIn(translate.ElementType(t, i), elem, at.AppendIndex(i))...)
		}
	}
	return problems
}
