package fakeplugin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

type analyzerServer struct {
	pulumirpc.UnimplementedAnalyzerServer
}

// GetPluginInfo answers a version.
func (analyzerServer) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.2.3"}, nil
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
