package pserve

import (
	"context"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// instance is a plugin for one engine, from its start or attachment to Cancel.
// It answers what is the same for all plugins, and counts the calls.
type instance struct {
	Plugin
	server *server
	host   *Host

	mu        sync.Mutex // guards the fields below
	order     order
	calls     int
	cancelled bool
	idle      chan struct{} // closed when cancelled and no call runs
	closing   sync.Once
}

func (i *instance) enter(method string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.cancelled {
		return status.Errorf(codes.Canceled, "%s after Cancel: the provider is shutting down.", method)
	}
	if err := i.order.permit(method); err != nil {
		return err
	}
	i.calls++
	return nil
}

func (i *instance) leave() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.calls--
	i.settle()
}

// settle notes the moment after which no call runs and none will come.
func (i *instance) settle() {
	if i.cancelled && i.calls == 0 {
		close(i.idle)
	}
}

// cancel has running calls end early and refuses new ones. It does not wait.
func (i *instance) cancel() {
	i.mu.Lock()
	first := !i.cancelled
	i.cancelled = true
	if first {
		i.settle()
		go i.closeWhenIdle()
	}
	i.mu.Unlock()
	i.Stop()
}

func (i *instance) closeWhenIdle() {
	<-i.idle
	i.close()
}

// close closes the plugin. It returns when that is done.
func (i *instance) close() {
	i.closing.Do(func() {
		if err := i.Plugin.Close(); err != nil {
			i.host.Log(context.Background(), pulumirpc.LogSeverity_DEBUG, "", "Close: "+err.Error())
		}
		i.host.close()
		i.server.forget(i)
	})
}

// Handshake answers what the plugin can take.
func (i *instance) Handshake(_ context.Context, req *pulumirpc.ProviderHandshakeRequest) (*pulumirpc.ProviderHandshakeResponse, error) {
	i.host.shaken.Store(req)
	return i.server.opts.Accepts.handshakeResponse(), nil
}

// GetPluginInfo answers the plugin's version.
func (i *instance) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: i.server.opts.Version}, nil
}

// Parameterize passes on the first parameterization, and refuses an answer
// that contradicts the request.
func (i *instance) Parameterize(ctx context.Context, req *pulumirpc.ParameterizeRequest) (*pulumirpc.ParameterizeResponse, error) {
	if err := i.begin(stepParameterize); err != nil {
		return nil, err
	}
	var response *pulumirpc.ParameterizeResponse
	var err error
	defer func() { i.parameterized(response) }()
	response, err = i.Plugin.Parameterize(ctx, req)
	if err == nil {
		err = Agreed(req, response)
	}
	if err != nil {
		response = nil
	}
	return response, err
}

// Agreed holds the answer to a value to the name that the value was made for,
// as engines do; a plugin asks before it becomes what it answers. The version
// is no such promise: for an explicit provider of a program, engines may give
// that of the plugin in its place.
func Agreed(req *pulumirpc.ParameterizeRequest, response *pulumirpc.ParameterizeResponse) error {
	value := req.GetValue()
	if value == nil || value.GetName() == response.GetName() {
		return nil
	}
	return status.Errorf(codes.InvalidArgument,
		"The parameter stands for package %s %s, and is used for %s %s. Generate the SDK again with: pulumi package add.",
		response.GetName(), response.GetVersion(), value.GetName(), value.GetVersion())
}

func (i *instance) begin(step string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.order.begin(step)
}

// parameterized finishes Parameterize; response is nil where it failed.
func (i *instance) parameterized(response *pulumirpc.ParameterizeResponse) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.order.name, i.order.version = response.GetName(), response.GetVersion()
	i.order.end(response != nil, parameterized)
}

// Configure passes on the first configuration.
func (i *instance) Configure(ctx context.Context, req *pulumirpc.ConfigureRequest) (response *pulumirpc.ConfigureResponse, err error) {
	if err := i.begin(stepConfigure); err != nil {
		return nil, err
	}
	defer func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.order.end(response != nil && err == nil, configured)
	}()
	return i.Plugin.Configure(ctx, req)
}

// schemaVersion is the version of the schema format that GetSchema asks for.
const schemaVersion = 0

// GetSchema passes on a request for the package that there is.
func (i *instance) GetSchema(ctx context.Context, req *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	if req.GetVersion() != schemaVersion {
		return nil, status.Errorf(codes.InvalidArgument, "Schema format %d is not known; only %d is. A newer release of the plugin may have it.", req.GetVersion(), schemaVersion)
	}
	i.mu.Lock()
	name, version := i.order.name, i.order.version
	i.mu.Unlock()
	asked, askedVersion := req.GetSubpackageName(), req.GetSubpackageVersion()
	switch {
	case asked == "" && askedVersion == "", asked == name && askedVersion == version:
		return i.Plugin.GetSchema(ctx, req)
	case name == "":
		return nil, status.Errorf(codes.FailedPrecondition, "The schema of %s %s is asked for before Parameterize.", asked, askedVersion)
	default:
		return nil, status.Errorf(codes.InvalidArgument, "The schema of %s %s is asked for, and the provider is parameterized as %s %s.", asked, askedVersion, name, version)
	}
}

// Cancel has running calls end early. Where none runs, it returns when the
// plugin is closed; else it does not wait for them.
func (i *instance) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	i.cancel()
	select {
	case <-i.idle:
		i.close()
	default:
	}
	return &emptypb.Empty{}, nil
}

// Attach begins anew for another engine.
func (i *instance) Attach(ctx context.Context, req *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	if err := i.server.attach(ctx, req.GetAddress()); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &emptypb.Empty{}, nil
}
