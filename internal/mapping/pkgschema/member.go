package pkgschema

import (
	"fmt"
	"slices"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

const index = "index"

// resource writes one resource. The property that is its ID and nothing else
// is not among the others.
func (g *generator) resource(d *document, m mapping.Member) error {
	r, err := g.pkg.BuildResource(m)
	if err != nil {
		return err
	}
	speech := g.speechOf(r.Object, SubjectOf(m))
	fields := g.fields(r.Object, scope{module: index, needs: resourceNeeds(), speech: speech})
	fields = slices.DeleteFunc(fields, func(f field) bool { return f.Name == "id" })
	taken := inputs(fields)
	d.text("description", speech.description(r.Schema.Block.Description, m))
	properties(d, "properties", fields)
	d.list("required", names(fields, present))
	properties(d, "inputProperties", taken)
	d.list("requiredInputs", names(taken, given))
	object(d, "stateInputs", fields, never)
	if r.List != nil {
		query := g.fields(r.List, scope{module: index, needs: inputNeeds(), speech: g.speechOf(r.List, docpage.Subject{})})
		object(d, "listInputs", inputs(query), given)
	}
	d.text("deprecationMessage", speech.deprecation(r.Schema.Block))
	return nil
}

// function writes one function; the provider's method where m has no kind.
func (g *generator) function(d *document, m mapping.Member) error {
	if m.Kind == 0 {
		configMethodSpec(d)
		return nil
	}
	f, err := g.pkg.BuildFunction(m)
	if err != nil {
		return err
	}
	if f.Kind == mapping.FunctionProvider {
		g.signature(d, f, m)
	} else {
		g.call(d, f, m)
	}
	return nil
}

// call writes a data source or an ephemeral resource. What an ephemeral one
// returns must not be kept, so that all of it is secret.
func (g *generator) call(d *document, f *mapping.Function, m mapping.Member) {
	speech := g.speechOf(f.Inputs, SubjectOf(m))
	fields := g.callFields(f, speech, false)
	d.text("description", speech.description(f.Schema.Block.Description, m))
	if arguments := inputs(fields); len(arguments) > 0 {
		object(d, "inputs", arguments, given)
	}
	d.text("deprecationMessage", speech.deprecation(f.Schema.Block))
	if f.Kind == mapping.FunctionEphemeral {
		fields = g.callFields(f, speech, true)
	}
	object(d, "outputs", fields, present)
}

// callFields encodes the arguments of a call, which are its result as well.
func (g *generator) callFields(f *mapping.Function, speech *speech, secret bool) []field {
	fields := make([]field, len(f.Inputs.ByName()))
	for i, p := range f.Inputs.ByName() {
		in := scope{module: index, needs: outputNeeds(), speech: speech, secret: secret}
		if p.Input() {
			in.needs = callNeeds()
		}
		fields[i] = g.field(p, in)
	}
	return fields
}

// signature writes a provider-defined function, whose arguments are given by
// position. A result that is no object comes as it is.
func (g *generator) signature(d *document, f *mapping.Function, m mapping.Member) {
	in := scope{module: index, needs: signatureNeeds(), speech: g.speechOf(f.Inputs, SubjectOf(m))}
	d.text("description", in.speech.description(join(f.Signature.Summary, f.Signature.Description), m))
	if len(f.Inputs.Properties) > 0 {
		object(d, "inputs", g.fields(f.Inputs, in), given)
		d.list("multiArgumentInputs", positions(f.Inputs))
	}
	d.text("deprecationMessage", in.speech.describe(f.Signature.Deprecated))
	if !f.Wrapped {
		object(d, "outputs", g.fields(f.Outputs, in), given)
		return
	}
	d.open("outputs")
	g.typ(d, f.Outputs.Properties[0].Type, in)
	d.close()
}

func positions(arguments *mapping.Object) []string {
	var list []string
	for _, p := range arguments.Properties {
		list = append(list, p.Name)
	}
	return list
}

// configMethod is the token of the method by which the module provider asks
// a provider for its configuration.
func configMethod(pkg *mapping.Package) string {
	return fmt.Sprintf("pulumi:providers:%s/terraformConfig", pkg.Name)
}

func configMethodSpec(d *document) {
	d.text("description", "Returns the provider's configuration under Terraform's names.")
	d.add("inputs", []byte(`{"properties":{"__self__":{"$ref":"#/provider"}},"type":"object","required":["__self__"]}`))
	d.add("outputs", []byte(`{"properties":{"result":{"type":"object","additionalProperties":{"$ref":"pulumi.json#/Any"}}},"type":"object","required":["result"]}`))
}
