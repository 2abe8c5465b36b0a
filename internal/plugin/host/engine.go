package host

import (
	"context"
	"fmt"
	"net"

	"github.com/blang/semver/v4"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

// EngineVersion is the version of Pulumi whose protocols this host speaks. It
// stands for the pulumi program's where plugins require one.
func EngineVersion() semver.Version { return semver.Version{Major: 3, Minor: 274} }

// engine is what plugins talk back to: it takes their messages, and is alive.
type engine struct {
	pulumirpc.UnimplementedEngineServer
	listener Listener
	server   *grpc.Server
	address  string
	served   chan struct{}
}

func serveEngine(ctx context.Context, listener Listener) (*engine, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("no port for plugins to talk back to: %w", err)
	}
	e := &engine{listener: listener, server: grpc.NewServer(), address: l.Addr().String(), served: make(chan struct{})}
	pulumirpc.RegisterEngineServer(e.server, e)
	grpc_health_v1.RegisterHealthServer(e.server, health.NewServer())
	go func() {
		defer close(e.served)
		_ = e.server.Serve(l) // ends with stop
	}()
	return e, nil
}

func (e *engine) stop() {
	e.server.Stop()
	<-e.served
}

// Log hands a plugin's message on.
func (e *engine) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	if e.listener.Log != nil {
		e.listener.Log(Log{
			Severity: req.GetSeverity(), URN: printable(req.GetUrn()), Text: printable(req.GetMessage()), Ephemeral: req.GetEphemeral(),
		})
	}
	return &emptypb.Empty{}, nil
}

// GetRootResource answers that there is none: no program runs here.
func (e *engine) GetRootResource(context.Context, *pulumirpc.GetRootResourceRequest) (*pulumirpc.GetRootResourceResponse, error) {
	return &pulumirpc.GetRootResourceResponse{}, nil
}

// RequirePulumiVersion holds a range to [EngineVersion].
func (e *engine) RequirePulumiVersion(_ context.Context, req *pulumirpc.RequirePulumiVersionRequest) (*pulumirpc.RequirePulumiVersionResponse, error) {
	required := project.Manifest{RequiredPulumiVersion: req.GetPulumiVersionRange()}
	if err := required.CheckRequirement(EngineVersion()).Err(); err != nil {
		return nil, status.Error(codes.FailedPrecondition, err.Error())
	}
	return &pulumirpc.RequirePulumiVersionResponse{}, nil
}
