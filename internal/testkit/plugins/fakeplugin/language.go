package fakeplugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

type languageServer struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	plugin *Plugin
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

// GeneratePackage writes the schema as it is, and what it was asked for.
func (languageServer) GeneratePackage(_ context.Context, req *pulumirpc.GeneratePackageRequest) (*pulumirpc.GeneratePackageResponse, error) {
	err := os.WriteFile(filepath.Join(req.GetDirectory(), "schema.json"), []byte(req.GetSchema()), 0o600)
	return &pulumirpc.GeneratePackageResponse{}, err
}

// Link adds a line about each package to a file of the program's, linked.txt:
// what it was told, and how many bytes the schema has that the loader gives.
func (languageServer) Link(ctx context.Context, req *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	conn, err := grpc.NewClient(req.GetLoaderTarget(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var out strings.Builder
	for _, p := range req.GetPackages() {
		d := p.GetPackage()
		ask := &codegen.GetSchemaRequest{Package: d.GetName(), Version: d.GetVersion(), DownloadUrl: d.GetServer()}
		if made := d.GetParameterization(); made != nil {
			ask.Parameterization = &codegen.Parameterization{Name: made.GetName(), Version: made.GetVersion(), Value: made.GetValue()}
		}
		answer, err := codegen.NewLoaderClient(conn).GetSchema(ctx, ask)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s: %s %s %q, by %q, extended by %q; %d bytes\n", p.GetPath(), d.GetName(), d.GetVersion(), d.GetServer(),
			d.GetParameterization().GetName(), d.GetExtension().GetName(), len(answer.GetSchema()))
	}
	f, err := os.OpenFile(filepath.Join(req.GetInfo().GetProgramDirectory(), "linked.txt"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(out.String())
	return &pulumirpc.LinkResponse{ImportInstructions: "Use it.\n"}, errors.Join(err, f.Close())
}

// RunPlugin runs the program that the option `binary` names.
func (s languageServer) RunPlugin(req *pulumirpc.RunPluginRequest, stream grpc.ServerStreamingServer[pulumirpc.RunPluginResponse]) error {
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
	if s.plugin.mode == Patient {
		<-stream.Context().Done()
	}
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
