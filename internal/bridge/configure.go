package bridge

import (
	"context"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
)

// CheckConfig validates the provider's configuration.
func (b *bridge) CheckConfig(ctx context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	var in reader
	request := lifecycle.ConfigRequest{
		URN: req.GetUrn(), Olds: in.properties("olds", req.GetOlds()), News: in.properties("news", req.GetNews()),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).CheckConfig, b.checked)
}

// DiffConfig says what a change of the provider's configuration means.
func (b *bridge) DiffConfig(ctx context.Context, req *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	olds := req.GetOldInputs()
	if olds == nil { // an engine of old: a provider's outputs are its inputs
		olds = req.GetOlds()
	}
	var in reader
	request := lifecycle.ConfigRequest{
		URN: req.GetUrn(), Olds: in.properties("old inputs", olds), News: in.properties("news", req.GetNews()),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).DiffConfig, compared)
}

// Configure configures the provider.
func (b *bridge) Configure(ctx context.Context, req *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	b.plain.Store(!req.GetAcceptSecrets())
	var in reader
	config := in.properties("arguments", req.GetArgs())
	if req.GetArgs() == nil {
		config = configVariables(req.GetVariables()) //nolint:staticcheck // engines of old have nothing else
	}
	return work(ctx, b, in.err, config, silent((*lifecycle.Provider).Configure), func(struct{}) (*pulumirpc.ConfigureResponse, error) {
		if b.process.Configured != nil {
			b.process.Configured()
		}
		return accepts().ConfigureResponse(), nil
	})
}

// configVariables is the configuration as engines of old send it: strings
// under PACKAGE:config:NAME.
func configVariables(variables map[string]string) property.Map {
	config := map[string]property.Value{}
	for key, value := range variables {
		config[key[strings.LastIndex(key, ":")+1:]] = property.New(value)
	}
	return property.NewMap(config)
}
