package crdprovider

import (
	"context"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// Check names an object after its resource where it has no name, and holds it
// to its definition.
func (p *provider) Check(_ context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	k, err := p.kind(req.GetType())
	if err != nil {
		return nil, err
	}
	news, err := decode(req.GetNews())
	if err != nil {
		return nil, err
	}
	inputs := withName(news, req.GetName())
	schema, _ := k.withMetadata()
	response := &pulumirpc.CheckResponse{}
	for _, f := range schema.validate(property.New(inputs), "") {
		response.Failures = append(response.Failures, &pulumirpc.CheckFailure{Property: f.path, Reason: f.reason})
	}
	response.Inputs, err = pvalue.Encode(inputs, values())
	return response, err
}

// withName is inputs with a metadata.name.
func withName(inputs property.Map, name string) property.Map {
	metadata := inputs.Get("metadata")
	switch {
	case metadata.IsNull():
		return inputs.Set("metadata", property.New(property.NewMap(map[string]property.Value{"name": property.New(name)})))
	case metadata.IsMap() && metadata.AsMap().Get("name").IsNull():
		return inputs.Set("metadata", property.WithGoValue(metadata, metadata.AsMap().Set("name", property.New(name))))
	default:
		return inputs
	}
}

// Diff compares inputs. Objects cannot be renamed.
func (p *provider) Diff(_ context.Context, req *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	olds, err := decode(req.GetOldInputs())
	if err != nil {
		return nil, err
	}
	news, err := decode(req.GetNews())
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_NONE}
	keys := olds
	for name, v := range news.All {
		keys = keys.Set(name, v)
	}
	for name := range keys.AllStable {
		if !olds.Get(name).Equals(news.Get(name)) {
			response.Changes = pulumirpc.DiffResponse_DIFF_SOME
			response.Diffs = append(response.Diffs, name)
		}
	}
	if id := identify(news); id != "" && id != req.GetId() {
		response.Replaces = []string{"metadata"}
	}
	return response, nil
}

// identify is the ID of an object, namespace/name; "" where it is not known.
func identify(inputs property.Map) string {
	metadata := inputs.Get("metadata")
	if !metadata.IsMap() {
		return ""
	}
	name, namespace := metadata.AsMap().Get("name"), metadata.AsMap().Get("namespace")
	switch {
	case !name.IsString(), namespace.IsComputed():
		return ""
	case namespace.IsString():
		return namespace.AsString() + "/" + name.AsString()
	default:
		return "default/" + name.AsString()
	}
}

// Create keeps an object.
func (p *provider) Create(_ context.Context, req *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	k, err := p.kind(req.GetType())
	if err != nil {
		return nil, err
	}
	inputs, err := decode(req.GetProperties())
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.CreateResponse{}
	if !req.GetPreview() {
		response.Id = identify(inputs)
		if !p.objects.create(req.GetType(), response.Id, inputs) {
			return nil, status.Error(codes.AlreadyExists, fmt.Sprintf("there is a %s called %s", k.name, response.Id))
		}
	}
	response.Properties, err = pvalue.Encode(k.outputs(inputs), values())
	return response, err
}

// outputs are inputs with what follows from the token.
func (k *kind) outputs(inputs property.Map) property.Map {
	return inputs.Set("apiVersion", property.New(k.apiVersion)).Set("kind", property.New(k.name))
}

// Read finds an object that this process has made.
func (p *provider) Read(_ context.Context, req *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	k, err := p.kind(req.GetType())
	if err != nil {
		return nil, err
	}
	inputs, ok := p.objects.read(req.GetType(), req.GetId())
	if !ok {
		return &pulumirpc.ReadResponse{}, nil
	}
	response := &pulumirpc.ReadResponse{Id: req.GetId()}
	if response.Inputs, err = pvalue.Encode(inputs, values()); err != nil {
		return nil, err
	}
	response.Properties, err = pvalue.Encode(k.outputs(inputs), values())
	return response, err
}

// Update replaces what an object is.
func (p *provider) Update(_ context.Context, req *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	k, err := p.kind(req.GetType())
	if err != nil {
		return nil, err
	}
	news, err := decode(req.GetNews())
	if err != nil {
		return nil, err
	}
	if !req.GetPreview() {
		p.objects.update(req.GetType(), req.GetId(), news)
	}
	outputs, err := pvalue.Encode(k.outputs(news), values())
	return &pulumirpc.UpdateResponse{Properties: outputs}, err
}

// Delete forgets an object.
func (p *provider) Delete(_ context.Context, req *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	p.objects.remove(req.GetType(), req.GetId())
	return &emptypb.Empty{}, nil
}
