package lifecycle

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// CheckConfig validates the provider's configuration. It comes back in the
// form that the engine keeps, with what is secret by its schema marked.
func (p *Provider) CheckConfig(ctx context.Context, req ConfigRequest) (CheckResponse, error) {
	r, err := p.pkg.Provider()
	if err != nil {
		return CheckResponse{}, err
	}
	news, failures := unfold(r.Object, req.News)
	news, unmade := p.filePaths(ctx, news)
	failures = append(failures, unmade...)
	for _, key := range missingKeys(r.Object, news) {
		failures = append(failures, p.missingConfig(key))
	}
	if len(failures) > 0 {
		return CheckResponse{Inputs: req.News, Failures: failures}, nil
	}
	f := form{urn: req.URN, object: r.Object, validate: p.terraform.ValidateProviderConfig}
	news = translate.MarkSecrets(r.Object, news)
	if _, failures, err = p.fill(ctx, f, withoutEngineKeys(r.Object, news)); err != nil {
		return CheckResponse{}, err
	}
	inputs, err := fold(r.Object, news)
	return CheckResponse{Inputs: inputs, Failures: failures}, err
}

// missingConfig says how to give what is missing.
func (p *Provider) missingConfig(key MissingKey) Failure {
	reason := fmt.Sprintf("Missing required configuration. Set it with: pulumi config set %s:%s VALUE", p.pkg.Name, key.Name)
	if key.Description != "" {
		reason += "\n" + key.Description
	}
	return Failure{Property: key.Name, Reason: reason}
}

// DiffConfig says what differs between two configurations. No difference
// makes another provider necessary: a schema has no words for that.
func (p *Provider) DiffConfig(_ context.Context, req ConfigRequest) (DiffResponse, error) {
	r, err := p.pkg.Provider()
	if err != nil {
		return DiffResponse{}, err
	}
	// What cannot be read differs as text.
	olds, _ := unfold(r.Object, withoutEngineKeys(r.Object, req.Olds))
	news, _ := unfold(r.Object, withoutEngineKeys(r.Object, req.News))
	before, after := propertiesOf(olds), propertiesOf(news)
	var d detail
	d.object(r.Object, views{before: before, after: after, stored: before, oldInput: before, input: after}, property.Path{}, false)
	for i := range d.shown {
		d.shown[i].diff.Input = true
	}
	return d.response(), nil
}

// Configure configures the provider, once. What it lacks is a
// [*MissingKeysError]. The map is the engine's args; where it sends none, its
// variables without their namespace, as strings.
func (p *Provider) Configure(ctx context.Context, config property.Map) error {
	r, err := p.pkg.Provider()
	if err != nil {
		return err
	}
	value, err := p.configValue(r, withoutEngineKeys(r.Object, config))
	if err != nil {
		return err
	}
	if !p.claimConfig(value) {
		return configuredTwice()
	}
	return p.report(ctx, "", r.Object, p.terraform.Configure(ctx, value))
}

// configValue makes Terraform's configuration of the engine's.
func (p *Provider) configValue(r *mapping.Resource, config property.Map) (cty.Value, error) {
	config, failures := unfold(r.Object, config)
	if len(failures) > 0 {
		return cty.NilVal, refusedInput("provider's configuration", failures)
	}
	if keys := missingKeys(r.Object, config); len(keys) > 0 {
		return cty.NilVal, &MissingKeysError{Keys: keys}
	}
	value, _, problems := translate.ToConfig(r.Object, config)
	return value, problemsErr(problems)
}

func missingKeys(o *mapping.Object, config property.Map) []MissingKey {
	var keys []MissingKey
	for _, p := range o.Properties {
		if p.Required && config.Get(p.Name).IsNull() {
			keys = append(keys, MissingKey{Name: p.Name, Description: p.Description})
		}
	}
	return keys
}

// claimConfig takes the one configuration that there is.
func (p *Provider) claimConfig(value cty.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.config != cty.NilVal {
		return false
	}
	p.config = value
	return true
}

// configured is the configuration, or cty.NilVal.
func (p *Provider) configured() cty.Value {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.config
}
