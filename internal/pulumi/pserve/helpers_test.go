package pserve_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// plugin is a provider that does nothing but what a test gives it to do.
type plugin struct {
	pulumirpc.UnimplementedResourceProviderServer
	host    *pserve.Host
	stopped chan struct{}
	closed  chan struct{}

	parameterize func() (*pulumirpc.ParameterizeResponse, error)
	check        func(ctx context.Context) error
	configure    func() error
	once         sync.Once
}

func newPlugin() *plugin {
	return &plugin{stopped: make(chan struct{}), closed: make(chan struct{})}
}

func (p *plugin) Parameterize(context.Context, *pulumirpc.ParameterizeRequest) (*pulumirpc.ParameterizeResponse, error) {
	if p.parameterize != nil {
		return p.parameterize()
	}
	return &pulumirpc.ParameterizeResponse{Name: "thing", Version: "1.2.3"}, nil
}

func (p *plugin) GetSchema(context.Context, *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	return &pulumirpc.GetSchemaResponse{Schema: "{}"}, nil
}

func (p *plugin) CheckConfig(context.Context, *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{}, nil
}

func (p *plugin) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	if p.configure != nil {
		if err := p.configure(); err != nil {
			return nil, err
		}
	}
	return capabilities().ConfigureResponse(), nil
}

func (p *plugin) Check(ctx context.Context, _ *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	if p.check != nil {
		if err := p.check(ctx); err != nil {
			return nil, err
		}
	}
	return &pulumirpc.CheckResponse{}, nil
}

func (p *plugin) List(*pulumirpc.ListRequest, grpc.ServerStreamingServer[pulumirpc.ListResponse]) error {
	panic("a defect in a stream")
}

func (p *plugin) Stop() { p.once.Do(func() { close(p.stopped) }) }

func (p *plugin) Close() error {
	close(p.closed)
	return nil
}

func capabilities() pserve.Capabilities {
	return pserve.Capabilities{Secrets: true, Outputs: true, Autonaming: true, ByteStrings: true}
}

// served is a plugin that runs, and a client of it.
type served struct {
	pulumirpc.ResourceProviderClient
	// plugins are those that the factory has made.
	plugins chan *plugin
	stop    context.CancelFunc
	done    chan error
	stderr  *text
	target  string
}

// text is a buffer that may be written and read at the same time.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *text) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *text) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// serve runs plugins in this process, behind a port line and a real server.
func serve(t *testing.T, opts pserve.Options, newPlugin func() *plugin) *served {
	t.Helper()
	out, in := io.Pipe()
	s := &served{plugins: make(chan *plugin, 8), done: make(chan error, 1), stderr: &text{}}
	opts.Name, opts.Version, opts.Stdout, opts.Stderr = "testing", "4.5.6", in, s.stderr
	opts.Accepts = capabilities()
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	t.Cleanup(stop)
	go func() {
		s.done <- pserve.Serve(ctx, opts, func(host *pserve.Host) pserve.Plugin {
			p := newPlugin()
			p.host = host
			s.plugins <- p
			return p
		})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.target = "127.0.0.1:" + strings.TrimSpace(line)
	s.ResourceProviderClient = pulumirpc.NewResourceProviderClient(dial(t, s.target))
	return s
}

func dial(t *testing.T, target string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// patience is how long a test waits for what has to happen.
const patience = 10 * time.Second

func wait[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// engine is the part of a Pulumi engine that plugins call.
type engine struct {
	pulumirpc.UnimplementedEngineServer
	logs   chan *pulumirpc.LogRequest
	target string
	server *grpc.Server
}

func startEngine(t *testing.T, withHealth bool) *engine {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{logs: make(chan *pulumirpc.LogRequest, 8), target: listener.Addr().String(), server: grpc.NewServer()}
	pulumirpc.RegisterEngineServer(e.server, e)
	if withHealth {
		grpc_health_v1.RegisterHealthServer(e.server, health.NewServer())
	}
	go func() { _ = e.server.Serve(listener) }()
	t.Cleanup(e.server.Stop)
	return e
}

func (e *engine) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.logs <- req
	return &emptypb.Empty{}, nil
}

// wantStatus fails unless err has a code and says want.
func wantStatus(t *testing.T, err error, code codes.Code, want string) {
	t.Helper()
	if status.Code(err) != code || !strings.Contains(status.Convert(err).Message(), want) {
		t.Errorf("got %v\nwant code %s and %q", err, code, want)
	}
}
