package pkgschema

import (
	"fmt"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

const index = "index"

// resource writes one resource.
func (g *generator) resource(d *document, m mapping.Member) error {
	r, err := g.pkg.BuildResource(m)
	if err != nil {
		return err
	}
	fields := g.resourceFields(r)
	taken := inputs(fields)
	d.text("description", g.description(r.Schema.Block, m, r.Object))
	properties(d, "properties", fields)
	d.list("required", names(fields, present))
	properties(d, "inputProperties", taken)
	d.list("requiredInputs", names(taken, given))
	object(d, "stateInputs", fields, never)
	if r.List != nil {
		query := g.fields(r.List, scope{module: index, needs: inputNeeds(), root: r.List})
		object(d, "listInputs", inputs(query), given)
	}
	d.text("deprecationMessage", g.deprecation(r.Schema.Block, r.Object))
	return nil
}

// resourceFields encodes the properties of a resource, without the one that
// is its ID.
func (g *generator) resourceFields(r *mapping.Resource) []field {
	in := scope{module: index, needs: resourceNeeds(), root: r.Object}
	fields := make([]field, 0, len(r.Object.Properties))
	for _, p := range r.Object.ByName() {
		if p.Name != "id" {
			fields = append(fields, g.field(p, in))
		}
	}
	return fields
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
		g.signature(d, f)
	} else {
		g.call(d, f, m)
	}
	return nil
}

// call writes a data source or an ephemeral resource. What an ephemeral one
// returns must not be kept, so that all of it is secret.
func (g *generator) call(d *document, f *mapping.Function, m mapping.Member) {
	fields := g.callFields(f, false)
	d.text("description", g.description(f.Schema.Block, m, f.Inputs))
	if arguments := inputs(fields); len(arguments) > 0 {
		object(d, "inputs", arguments, given)
	}
	d.text("deprecationMessage", g.deprecation(f.Schema.Block, f.Inputs))
	if f.Kind == mapping.FunctionEphemeral {
		fields = g.callFields(f, true)
	}
	object(d, "outputs", fields, present)
}

// callFields encodes the arguments of a call, which are its result as well.
func (g *generator) callFields(f *mapping.Function, secret bool) []field {
	fields := make([]field, len(f.Inputs.ByName()))
	for i, p := range f.Inputs.ByName() {
		in := scope{module: index, needs: outputNeeds(), root: f.Inputs, secret: secret}
		if p.Input() {
			in.needs = callNeeds()
		}
		fields[i] = g.field(p, in)
	}
	return fields
}

// signature writes a provider-defined function, whose arguments are given by
// position. A result that is no object comes as it is.
func (g *generator) signature(d *document, f *mapping.Function) {
	in := scope{module: index, needs: signatureNeeds(), root: f.Inputs}
	d.text("description", g.describe(join(f.Signature.Summary, f.Signature.Description), f.Inputs))
	if len(f.Inputs.Properties) > 0 {
		object(d, "inputs", g.fields(f.Inputs, in), given)
		d.list("multiArgumentInputs", positions(f.Inputs))
	}
	d.text("deprecationMessage", g.describe(f.Signature.Deprecated, f.Inputs))
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

// deprecation says why not to use what a block describes, or "".
func (g *generator) deprecation(block *tfschema.Block, root *mapping.Object) string {
	if block.Deprecated && block.DeprecationMessage == "" {
		return "Deprecated"
	}
	return g.describe(block.DeprecationMessage, root)
}
