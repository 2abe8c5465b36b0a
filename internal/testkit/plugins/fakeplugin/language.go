package fakeplugin

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

type languageServer struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
}

// Handshake takes every engine.
func (languageServer) Handshake(context.Context, *pulumirpc.LanguageHandshakeRequest) (*pulumirpc.LanguageHandshakeResponse, error) {
	return &pulumirpc.LanguageHandshakeResponse{}, nil
}

// GetPluginInfo answers a version.
func (languageServer) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.2.3"}, nil
}

// Cancel has nothing to cancel.
func (languageServer) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// InstallDependencies has none to install.
func (languageServer) InstallDependencies(*pulumirpc.InstallDependenciesRequest, grpc.ServerStreamingServer[pulumirpc.InstallDependenciesResponse]) error {
	return nil
}

// RunPlugin runs the program that the option `binary` names.
func (languageServer) RunPlugin(req *pulumirpc.RunPluginRequest, stream grpc.ServerStreamingServer[pulumirpc.RunPluginResponse]) error {
	binary := req.GetInfo().GetOptions().GetFields()["binary"].GetStringValue()
	if binary == "" {
		return status.Error(codes.InvalidArgument, "fake: no option `binary`")
	}
	cmd := exec.CommandContext(stream.Context(), binary, req.GetArgs()...)
	cmd.Dir, cmd.Env = req.GetPwd(), req.GetEnv()
	var sending sync.Mutex
	cmd.Stdout = sender(func(p []byte) error {
		sending.Lock()
		defer sending.Unlock()
		return stream.Send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Stdout{Stdout: p}})
	})
	cmd.Stderr = sender(func(p []byte) error {
		sending.Lock()
		defer sending.Unlock()
		return stream.Send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Stderr{Stderr: p}})
	})
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	return stream.Send(&pulumirpc.RunPluginResponse{Output: &pulumirpc.RunPluginResponse_Exitcode{Exitcode: int32(exit.ExitCode())}})
}

// sender is an io.Writer over a function.
type sender func([]byte) error

var _ io.Writer = sender(nil)

// Write implements io.Writer.
func (s sender) Write(p []byte) (int, error) { return len(p), s(p) }
