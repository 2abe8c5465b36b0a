package bridge

import (
	"context"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
)

// Invoke calls a function.
func (b *bridge) Invoke(ctx context.Context, req *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	var in reader
	request := lifecycle.InvokeRequest{Token: req.GetTok(), Args: in.properties("arguments", req.GetArgs())}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Invoke, func(called lifecycle.InvokeResponse) (*pulumirpc.InvokeResponse, error) {
		result, err := b.encode(called.Return)
		return &pulumirpc.InvokeResponse{Return: result, Failures: failures(called.Failures)}, err
	})
}

// receiver is the argument of a method that stands for its resource.
const receiver = "__self__"

// Call calls a method. The receiver is the provider itself, so that nothing of
// it is needed.
func (b *bridge) Call(ctx context.Context, req *pulumirpc.CallRequest) (*pulumirpc.CallResponse, error) {
	var in reader
	args := in.properties("arguments", req.GetArgs())
	request := lifecycle.CallRequest{Token: req.GetTok(), Args: args.Delete(receiver)}
	return work(ctx, b, in.err, request, (*lifecycle.Provider).Call, func(called lifecycle.InvokeResponse) (*pulumirpc.CallResponse, error) {
		result, err := b.encode(called.Return)
		return &pulumirpc.CallResponse{Return: result, Failures: failures(called.Failures)}, err
	})
}

// List streams one page of what exists.
func (b *bridge) List(req *pulumirpc.ListRequest, stream grpc.ServerStreamingServer[pulumirpc.ListResponse]) error {
	var in reader
	request := lifecycle.ListRequest{
		Token: req.GetToken(), Query: in.properties("query", req.GetQuery()),
		Limit: req.GetLimit(), PageSize: req.GetPageSize(), Continuation: req.GetContinuationToken(),
	}
	page, err := work(stream.Context(), b, in.err, request, (*lifecycle.Provider).List, func(page lifecycle.ListResponse) (*lifecycle.ListResponse, error) {
		return &page, nil
	})
	if err != nil {
		return err
	}
	for _, message := range listed(page) {
		if err := stream.Send(message); err != nil {
			return err
		}
	}
	return nil
}

// listed are the messages that make a page.
func listed(page *lifecycle.ListResponse) []*pulumirpc.ListResponse {
	var out []*pulumirpc.ListResponse
	if page.Computed {
		out = append(out, &pulumirpc.ListResponse{Response: &pulumirpc.ListResponse_Computed_{Computed: &pulumirpc.ListResponse_Computed{}}})
	}
	for _, result := range page.Results {
		out = append(out, &pulumirpc.ListResponse{Response: &pulumirpc.ListResponse_Result_{
			Result: &pulumirpc.ListResponse_Result{Id: result.ID, Name: result.Name},
		}})
	}
	if page.Continuation != "" {
		out = append(out, &pulumirpc.ListResponse{Response: &pulumirpc.ListResponse_Continuation_{
			Continuation: &pulumirpc.ListResponse_Continuation{ContinuationToken: page.Continuation},
		}})
	}
	return out
}
