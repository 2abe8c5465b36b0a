package fakeplugin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

type analyzerServer struct {
	pulumirpc.UnimplementedAnalyzerServer
	plugin *Plugin

	mu    sync.Mutex
	stack *pulumirpc.AnalyzerStackConfigureRequest
}

// GetPluginInfo answers a version.
func (*analyzerServer) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.2.3"}, nil
}

// ConfigureStack remembers what it is told, and refuses the stack "refused".
func (a *analyzerServer) ConfigureStack(_ context.Context, req *pulumirpc.AnalyzerStackConfigureRequest) (*pulumirpc.AnalyzerStackConfigureResponse, error) {
	if req.GetStack() == "refused" {
		return nil, status.Error(codes.InvalidArgument, "fake: no such stack")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stack = req
	return &pulumirpc.AnalyzerStackConfigureResponse{}, nil
}

// GetAnalyzerInfo tells in its description, as JSON, how the plugin was
// started, and in its name which stack it was told of.
func (a *analyzerServer) GetAnalyzerInfo(context.Context, *emptypb.Empty) (*pulumirpc.AnalyzerInfo, error) {
	self, err := json.Marshal(a.plugin.self())
	a.mu.Lock()
	defer a.mu.Unlock()
	return &pulumirpc.AnalyzerInfo{Name: a.stack.GetStack(), Description: string(self)}, err
}

type converterServer struct {
	pulumirpc.UnimplementedConverterServer
}

// ConvertProgram asks the mapper for each argument, and answers with what it
// says as warnings.
func (converterServer) ConvertProgram(ctx context.Context, req *pulumirpc.ConvertProgramRequest) (*pulumirpc.ConvertProgramResponse, error) {
	conn, err := grpc.NewClient(req.GetMapperTarget(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	response := &pulumirpc.ConvertProgramResponse{}
	for _, provider := range req.GetArgs() {
		mapping, err := codegen.NewMapperClient(conn).GetMapping(ctx, &codegen.GetMappingRequest{Provider: provider})
		if err != nil {
			return nil, err
		}
		response.Diagnostics = append(response.Diagnostics, &codegen.Diagnostic{
			Severity: codegen.DiagnosticSeverity_DIAG_WARNING, Summary: string(mapping.GetData()),
		})
	}
	return response, nil
}

// tool tells how it was started, and exits with the code that is its first
// argument.
func (p *Plugin) tool() int {
	self := p.self()
	stdin, err := io.ReadAll(p.Stdin)
	if err != nil {
		fmt.Fprintln(p.Stderr, "fake:", err)
		return 1
	}
	self.Stdin = string(stdin)
	if err := json.NewEncoder(p.Stdout).Encode(self); err != nil || len(p.Args) == 0 {
		return 0
	}
	fmt.Fprintln(p.Stderr, "fake: so be it")
	code, _ := strconv.Atoi(p.Args[0])
	return code
}
