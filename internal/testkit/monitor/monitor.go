// Package monitor is the part of a Pulumi engine that programs and their SDKs
// speak to: a resource monitor that creates what is registered, at once,
// through resource plugins. It keeps no state, plans nothing and deletes
// nothing; tests ask it what was registered.
package monitor

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// Plugins gives the client of a resource plugin that is parameterized for a
// package. It is called once for each.
type Plugins func(ctx context.Context, pkg *pulumirpc.RegisterPackageRequest) (pulumirpc.ResourceProviderClient, error)

// Resource is one that a program registered, as it became.
type Resource struct {
	Type, Name, URN, ID string
	Inputs, Outputs     *structpb.Struct
}

// Monitor is a running resource monitor and engine.
type Monitor struct {
	pulumirpc.UnimplementedResourceMonitorServer
	pulumirpc.UnimplementedEngineServer

	target  string
	plugins Plugins

	mu        sync.Mutex
	packages  map[string]*provider // by reference
	resources []Resource
	logs      []string
}

// Start serves a monitor until the test ends.
func Start(t testing.TB, plugins Plugins) *Monitor {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &Monitor{target: listener.Addr().String(), plugins: plugins, packages: map[string]*provider{}}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
	pulumirpc.RegisterResourceMonitorServer(server, m)
	pulumirpc.RegisterEngineServer(server, m)
	go func() { _ = server.Serve(listener) }() // ends with the test
	t.Cleanup(server.Stop)
	return m
}

// maxMessage is the limit of the real engine, in bytes.
const maxMessage = 400 << 20

// Env is what a program needs to find m, as "key=value".
func (m *Monitor) Env() []string {
	return []string{
		"PULUMI_MONITOR=" + m.target, "PULUMI_ENGINE=" + m.target, "PULUMI_PROJECT=testing", "PULUMI_STACK=dev",
		"PULUMI_ORGANIZATION=organization", "PULUMI_DRY_RUN=false", "PULUMI_PARALLEL=4", "PULUMI_CONFIG={}",
	}
}

// Target is the address that m serves at, for both of its services.
func (m *Monitor) Target() string { return m.target }

// Resources are those that were registered with a plugin, by type and name.
func (m *Monitor) Resources() []Resource {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.resources)
	slices.SortFunc(out, func(a, b Resource) int { return strings.Compare(a.URN, b.URN) })
	return out
}

// Logs are the messages that the program and its plugins sent.
func (m *Monitor) Logs() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.logs)
}

// GetDeploymentInfo answers that m takes everything that SDKs ask about.
func (m *Monitor) GetDeploymentInfo(context.Context, *emptypb.Empty) (*pulumirpc.DeploymentInfo, error) {
	info := &pulumirpc.DeploymentInfo{}
	for number := range pulumirpc.ResourceMonitorFeature_name {
		if feature := pulumirpc.ResourceMonitorFeature(number); supported(feature.String()) {
			info.SupportedFeatures = append(info.SupportedFeatures, feature)
		}
	}
	return info, nil
}

// SupportsFeature is GetDeploymentInfo for older SDKs.
func (m *Monitor) SupportsFeature(_ context.Context, req *pulumirpc.SupportsFeatureRequest) (*pulumirpc.SupportsFeatureResponse, error) {
	return &pulumirpc.SupportsFeatureResponse{HasSupport: supported(req.GetId())}, nil
}

// supported leaves out what needs calls back into the program, and output
// values, which would only be unwrapped again.
func supported(feature string) bool {
	feature = strings.ToLower(feature)
	return !strings.Contains(feature, "transform") && !strings.Contains(feature, "hook") && !strings.Contains(feature, "output")
}

// RegisterPackage opens the package's plugin.
func (m *Monitor) RegisterPackage(ctx context.Context, req *pulumirpc.RegisterPackageRequest) (*pulumirpc.RegisterPackageResponse, error) {
	client, err := m.plugins(ctx, req)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	ref := uuid.NewString()
	m.packages[ref] = &provider{client: client}
	return &pulumirpc.RegisterPackageResponse{Ref: ref}, nil
}

// RegisterResource checks and creates. Stacks, components and providers are
// taken as they come.
func (m *Monitor) RegisterResource(ctx context.Context, req *pulumirpc.RegisterResourceRequest) (*pulumirpc.RegisterResourceResponse, error) {
	urn := fmt.Sprintf("urn:pulumi:dev::testing::%s::%s", req.GetType(), req.GetName())
	if !req.GetCustom() || strings.HasPrefix(req.GetType(), "pulumi:providers:") {
		return &pulumirpc.RegisterResourceResponse{Urn: urn, Id: uuid.NewString(), Object: req.GetObject()}, nil
	}
	p, err := m.provider(ctx, req.GetPackageRef())
	if err != nil {
		return nil, err
	}
	created, err := p.create(ctx, urn, req)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.resources = append(m.resources, created)
	return &pulumirpc.RegisterResourceResponse{Urn: urn, Id: created.ID, Object: created.Outputs}, nil
}

// Invoke calls a function of a plugin.
func (m *Monitor) Invoke(ctx context.Context, req *pulumirpc.ResourceInvokeRequest) (*pulumirpc.ResourceInvokeResponse, error) {
	p, err := m.provider(ctx, req.GetPackageRef())
	if err != nil {
		return nil, err
	}
	resp, err := p.client.Invoke(ctx, &pulumirpc.InvokeRequest{Tok: req.GetTok(), Args: req.GetArgs()})
	if err != nil {
		return nil, err
	}
	return &pulumirpc.ResourceInvokeResponse{Return: resp.GetReturn(), Failures: resp.GetFailures()}, nil
}

// Call calls a method of a resource.
func (m *Monitor) Call(ctx context.Context, req *pulumirpc.ResourceCallRequest) (*pulumirpc.CallResponse, error) {
	p, err := m.provider(ctx, req.GetPackageRef())
	if err != nil {
		return nil, err
	}
	return p.client.Call(ctx, &pulumirpc.CallRequest{Tok: req.GetTok(), Args: req.GetArgs(), Project: "testing", Stack: "dev"})
}

// RegisterResourceOutputs takes a component's outputs.
func (m *Monitor) RegisterResourceOutputs(context.Context, *pulumirpc.RegisterResourceOutputsRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// SignalAndWaitForShutdown has nothing to wait for.
func (m *Monitor) SignalAndWaitForShutdown(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// Log keeps a message.
func (m *Monitor) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logs = append(m.logs, req.GetMessage())
	return &emptypb.Empty{}, nil
}

// GetRootResource answers that there is none.
func (m *Monitor) GetRootResource(context.Context, *pulumirpc.GetRootResourceRequest) (*pulumirpc.GetRootResourceResponse, error) {
	return &pulumirpc.GetRootResourceResponse{}, nil
}

// SetRootResource takes the stack.
func (m *Monitor) SetRootResource(context.Context, *pulumirpc.SetRootResourceRequest) (*pulumirpc.SetRootResourceResponse, error) {
	return &pulumirpc.SetRootResourceResponse{}, nil
}

// RequirePulumiVersion takes every requirement.
func (m *Monitor) RequirePulumiVersion(context.Context, *pulumirpc.RequirePulumiVersionRequest) (*pulumirpc.RequirePulumiVersionResponse, error) {
	return &pulumirpc.RequirePulumiVersionResponse{}, nil
}
