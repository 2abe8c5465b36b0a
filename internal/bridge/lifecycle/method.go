package lifecycle

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// configMethod is the last part of the token of the one method there is.
const configMethod = "/terraformConfig"

// Call calls a method. There is one, of the provider resource: it answers
// the Terraform configuration, for Terraform modules that are run beside. All
// of it is secret.
func (p *Provider) Call(_ context.Context, req CallRequest) (InvokeResponse, error) {
	r, err := p.pkg.Provider()
	if err != nil {
		return InvokeResponse{}, err
	}
	if method := r.Token + configMethod; req.Token != method {
		return InvokeResponse{}, &UnknownTokenError{What: "method", Token: req.Token, Near: suggest.Nearest(req.Token, []string{method})}
	}
	config := p.configured()
	if config == cty.NilVal {
		return InvokeResponse{}, notConfigured()
	}
	if !config.IsWhollyKnown() {
		return InvokeResponse{}, unknownConfig()
	}
	members := inTerraform(config)
	for name, v := range members {
		if v.IsNull() {
			delete(members, name)
			continue
		}
		members[name] = v.WithSecret(true)
	}
	return InvokeResponse{Return: property.NewMap(map[string]property.Value{resultName: property.New(members)})}, nil
}

// inTerraform is an object as properties with Terraform's names, which is how
// a value of no known type crosses over.
func inTerraform(object cty.Value) map[string]property.Value {
	o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: resultName, Type: cty.DynamicPseudoType, Computed: true},
	}}, "")
	out := translate.FromTerraform(o, cty.ObjectVal(map[string]cty.Value{resultName: object}))
	return out.Get(resultName).AsMap().AsMap()
}
