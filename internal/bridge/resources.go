package bridge

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
)

// Check validates the inputs of a resource.
func (b *bridge) Check(ctx context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	var in reader
	request := lifecycle.CheckRequest{
		Resource: resource(req),
		Olds:     in.properties("olds", req.GetOlds()), News: in.properties("news", req.GetNews()),
		Seed: req.GetRandomSeed(),
		Autonaming: lifecycle.Autonaming{
			Proposed: req.GetAutonaming().GetProposedName(),
			Mode:     lifecycle.AutonamingMode(req.GetAutonaming().GetMode()),
		},
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Check, b.checked)
}

func (b *bridge) checked(checked lifecycle.CheckResponse) (*pulumirpc.CheckResponse, error) {
	inputs, err := b.encode(checked.Inputs)
	return &pulumirpc.CheckResponse{Inputs: inputs, Failures: failures(checked.Failures)}, err
}

func failures(list []lifecycle.Failure) []*pulumirpc.CheckFailure {
	out := make([]*pulumirpc.CheckFailure, len(list))
	for i, f := range list {
		out[i] = &pulumirpc.CheckFailure{Property: f.Property, Reason: f.Reason}
	}
	return out
}

// Diff says what an update would change.
func (b *bridge) Diff(ctx context.Context, req *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	var in reader
	request := lifecycle.DiffRequest{
		Resource: resource(req), ID: req.GetId(),
		Olds: in.properties("olds", req.GetOlds()), OldInputs: in.properties("old inputs", req.GetOldInputs()),
		News: in.properties("news", req.GetNews()), IgnoreChanges: req.GetIgnoreChanges(),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Diff, compared)
}

func compared(difference lifecycle.DiffResponse) (*pulumirpc.DiffResponse, error) {
	changes := pulumirpc.DiffResponse_DIFF_NONE
	if len(difference.Changed) > 0 || len(difference.Replaces) > 0 {
		changes = pulumirpc.DiffResponse_DIFF_SOME
	}
	detailed := make(map[string]*pulumirpc.PropertyDiff, len(difference.Detailed))
	for path, d := range difference.Detailed {
		detailed[path] = &pulumirpc.PropertyDiff{Kind: pulumirpc.PropertyDiff_Kind(d.Kind), InputDiff: d.Input}
	}
	return &pulumirpc.DiffResponse{
		Changes: changes, Diffs: difference.Changed, Replaces: difference.Replaces,
		DetailedDiff: detailed, HasDetailedDiff: true,
	}, nil
}

// Create makes a resource.
func (b *bridge) Create(ctx context.Context, req *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	var in reader
	request := lifecycle.CreateRequest{
		Resource: resource(req), Inputs: in.properties("properties", req.GetProperties()),
		Timeout: timeout(req.GetTimeout()), Preview: req.GetPreview(),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Create, func(created lifecycle.CreateResponse) (*pulumirpc.CreateResponse, error) {
		outputs, err := b.encode(created.Outputs)
		return &pulumirpc.CreateResponse{Id: created.ID, Properties: outputs}, err
	})
}

// Read reads a resource again, or imports one.
func (b *bridge) Read(ctx context.Context, req *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	var in reader
	request := lifecycle.ReadRequest{
		Resource: resource(req), ID: req.GetId(),
		Outputs: in.properties("properties", req.GetProperties()), Inputs: in.properties("inputs", req.GetInputs()),
		Timeout: timeout(req.GetTimeout()),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Read, b.read)
}

// read answers nothing at all for what is gone: to an engine that imports or
// looks up, empty properties are a resource with none.
func (b *bridge) read(read lifecycle.ReadResponse) (*pulumirpc.ReadResponse, error) {
	if read.ID == "" {
		return &pulumirpc.ReadResponse{}, nil
	}
	outputs, err := b.encode(read.Outputs)
	if err != nil {
		return nil, err
	}
	inputs, err := b.encode(read.Inputs)
	return &pulumirpc.ReadResponse{Id: read.ID, Properties: outputs, Inputs: inputs}, err
}

// Update changes a resource.
func (b *bridge) Update(ctx context.Context, req *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	var in reader
	request := lifecycle.UpdateRequest{
		Resource: resource(req), ID: req.GetId(),
		Olds: in.properties("olds", req.GetOlds()), News: in.properties("news", req.GetNews()),
		IgnoreChanges: req.GetIgnoreChanges(), Timeout: timeout(req.GetTimeout()), Preview: req.GetPreview(),
	}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Update, func(updated lifecycle.UpdateResponse) (*pulumirpc.UpdateResponse, error) {
		outputs, err := b.encode(updated.Outputs)
		return &pulumirpc.UpdateResponse{Properties: outputs}, err
	})
}

// Delete destroys a resource.
func (b *bridge) Delete(ctx context.Context, req *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	var in reader
	request := lifecycle.DeleteRequest{
		Resource: resource(req), ID: req.GetId(),
		Outputs: in.properties("properties", req.GetProperties()), Timeout: timeout(req.GetTimeout()),
	}
	return work(ctx, b, in.err, request, silent((*lifecycle.Provider).Delete), func(struct{}) (*emptypb.Empty, error) {
		return &emptypb.Empty{}, nil
	})
}
