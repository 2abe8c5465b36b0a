package fakeplugin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// Schema is what GetSchema answers, as JSON.
type Schema struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Parameter string `json:"parameter,omitempty"`
	PID       int    `json:"pid"`
}

// Self is what the function fake:index:self, and a tool, tell.
type Self struct {
	PID  int      `json:"pid"`
	Dir  string   `json:"dir"`
	Args []string `json:"args"`
	// Env are the variables that tests tell by: PULUMI_…, FORMATION_…, FAKE_….
	Env []string `json:"env"`
	// Engine, Root and Broker are those of the handshake.
	Engine, Root, Broker string
	// Attached is the engine's address in Attach.
	Attached string
	// Stdin is what a tool read.
	Stdin string
}

var telling = regexp.MustCompile(`^(PULUMI|FORMATION|FAKE)_`)

func (p *Plugin) self() Self {
	self := Self{PID: os.Getpid(), Args: p.Args}
	self.Dir, _ = os.Getwd()
	for _, entry := range os.Environ() {
		if telling.MatchString(entry) {
			self.Env = append(self.Env, entry)
		}
	}
	slices.Sort(self.Env)
	return self
}

type resourceServer struct {
	pulumirpc.UnimplementedResourceProviderServer
	plugin *Plugin

	mu        sync.Mutex
	handshake *pulumirpc.ProviderHandshakeRequest
	attached  string
	packages  []*pulumirpc.ParameterizeResponse
	parameter string
}

// Handshake keeps who called.
func (s *resourceServer) Handshake(_ context.Context, req *pulumirpc.ProviderHandshakeRequest) (*pulumirpc.ProviderHandshakeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handshake = req
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true}, nil
}

// Attach keeps the engine's address.
func (s *resourceServer) Attach(_ context.Context, req *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attached = req.GetAddress()
	return &emptypb.Empty{}, nil
}

// Cancel has nothing to cancel.
func (s *resourceServer) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// Parameterize becomes the package that is asked for.
func (s *resourceServer) Parameterize(_ context.Context, req *pulumirpc.ParameterizeRequest) (*pulumirpc.ParameterizeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made := &pulumirpc.ParameterizeResponse{Version: "1.0.0"}
	if value := req.GetValue(); value != nil {
		made.Name, made.Version = value.GetName(), value.GetVersion()
		s.parameter = string(value.GetValue())
	} else if args := req.GetArgs().GetArgs(); len(args) > 0 {
		if made.Name = args[0]; len(args) > 1 {
			made.Version = args[1]
		}
		s.parameter = strings.Join(args, " ")
	}
	switch s.plugin.mode {
	case WrongPackage:
		made.Name = "other"
	case BadVersion:
		made.Version = "newest"
	}
	s.packages = append(s.packages, made)
	return made, nil
}

// GetSchema answers a [Schema] of the last package, where the client does not
// hold the edition of FAKE_TAG.
func (s *resourceServer) GetSchema(ctx context.Context, req *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema := Schema{Name: s.plugin.Name, Version: "1.0.0", PID: os.Getpid()}
	if n := len(s.packages); n > 0 {
		made := s.packages[n-1]
		if req.GetSubpackageName() != made.GetName() || req.GetSubpackageVersion() != made.GetVersion() {
			return nil, status.Errorf(codes.InvalidArgument, "fake: this is %s, not %s", made.GetName(), req.GetSubpackageName())
		}
		schema.Name, schema.Version, schema.Parameter = made.GetName(), made.GetVersion(), s.parameter
	}
	if tag := s.plugin.order("FAKE_TAG"); tag != "" {
		if err := pserve.TagSchema(ctx, tag); err != nil || tag == pserve.HeldSchema(ctx) {
			return &pulumirpc.GetSchemaResponse{}, err
		}
	}
	text, err := json.Marshal(schema)
	return &pulumirpc.GetSchemaResponse{Schema: string(text)}, err
}

// mappings are the names in FAKE_MAPPINGS.
func (p *Plugin) mappings() []string {
	names := p.order("FAKE_MAPPINGS")
	if names == "" {
		return nil
	}
	return strings.Split(names, ",")
}

// GetMappings lists FAKE_MAPPINGS.
func (s *resourceServer) GetMappings(_ context.Context, req *pulumirpc.GetMappingsRequest) (*pulumirpc.GetMappingsResponse, error) {
	if req.GetKey() != "terraform" {
		return &pulumirpc.GetMappingsResponse{}, nil
	}
	return &pulumirpc.GetMappingsResponse{Providers: s.plugin.mappings()}, nil
}

// GetMapping answers with a text that tells the question and the plugin.
func (s *resourceServer) GetMapping(_ context.Context, req *pulumirpc.GetMappingRequest) (*pulumirpc.GetMappingResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	provider := req.GetProvider()
	if provider == "" {
		provider = s.plugin.order("FAKE_MAPPING")
	} else if !slices.Contains(s.plugin.mappings(), provider) {
		provider = ""
	}
	if provider == "" || req.GetKey() != "terraform" {
		return &pulumirpc.GetMappingResponse{}, nil
	}
	data := fmt.Sprintf("%s by %s %s", provider, s.plugin.Name, s.parameter)
	return &pulumirpc.GetMappingResponse{Provider: provider, Data: []byte(strings.TrimSpace(data))}, nil
}

// Invoke answers fake:index:self with [Self], and fake:index:log with nothing
// but a message to the engine.
func (s *resourceServer) Invoke(ctx context.Context, req *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	s.mu.Lock()
	self := s.plugin.self()
	self.Engine, self.Root, self.Broker = s.handshake.GetEngineAddress(), s.handshake.GetRootDirectory(), s.handshake.GetMapperTarget()
	self.Attached = s.attached
	s.mu.Unlock()
	if req.GetTok() == "fake:index:log" {
		return &pulumirpc.InvokeResponse{}, logTo(ctx, self.Engine)
	}
	text, err := json.Marshal(self)
	if err != nil {
		return nil, err
	}
	result := &structpb.Struct{}
	if err := result.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	return &pulumirpc.InvokeResponse{Return: result}, nil
}

func logTo(ctx context.Context, engine string) error {
	conn, err := grpc.NewClient(engine, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = pulumirpc.NewEngineClient(conn).Log(ctx, &pulumirpc.LogRequest{
		Severity: pulumirpc.LogSeverity_WARNING, Message: "a word \x1bto the engine", Urn: "urn:pulumi:s::p::t::n",
	})
	return err
}
