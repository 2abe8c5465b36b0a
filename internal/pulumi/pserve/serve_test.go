package pserve_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

func TestIntroduction(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{Args: []string{"--logtostderr", "-v=9", "--from-the-future", "--tracing", "127.0.0.1:1"}}, newPlugin)
	shaken, err := s.Handshake(t.Context(), &pulumirpc.ProviderHandshakeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := &pulumirpc.ProviderHandshakeResponse{
		AcceptSecrets: true, AcceptOutputs: true, SupportsAutonamingConfiguration: true, AcceptsByteString: true,
	}
	if diff := cmp.Diff(want, shaken, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	configured, err := s.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
	if err != nil {
		t.Fatal(err)
	}
	agreeing := &pulumirpc.ConfigureResponse{
		AcceptSecrets: true, AcceptOutputs: true, SupportsAutonamingConfiguration: true, SupportsPreview: true,
	}
	if diff := cmp.Diff(agreeing, configured, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	info, err := s.GetPluginInfo(t.Context(), &emptypb.Empty{})
	if err != nil || info.GetVersion() != "4.5.6" {
		t.Errorf("got %v, %v", info, err)
	}
	healthy, err := grpc_health_v1.NewHealthClient(dial(t, s.target)).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil || healthy.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("got %v, %v", healthy, err)
	}
}

func TestRefusedArguments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"two":           {[]string{"127.0.0.1:1", "127.0.0.1:2"}, "not 2"},
		"after flags":   {[]string{"-v", "9", "--", "--a", "--b"}, "not 2"},
		"no address":    {[]string{"engine"}, `"engine" is not the address of an engine`},
		"not dialable":  {[]string{"%zz:1"}, "is not the address of an engine"},
		"flag and text": {[]string{"--unknown=1", "text"}, "is not the address of an engine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout bytes.Buffer
			err := pserve.Serve(t.Context(), pserve.Options{Args: test.args, Stdout: &stdout, Stderr: &stdout},
				func(*pserve.Host) pserve.Plugin { return newPlugin() })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			if stdout.Len() > 0 {
				t.Errorf("printed %q", stdout.String())
			}
		})
	}
}

// brokenPipe is the stdout of a plugin whose engine is gone already.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestNobodyToTellThePort(t *testing.T) {
	t.Parallel()
	p := newPlugin()
	err := pserve.Serve(t.Context(), pserve.Options{Stdout: brokenPipe{}}, func(*pserve.Host) pserve.Plugin { return p })
	if err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("got %v", err)
	}
	wait(t, "Close", p.closed)
}

// TestEnd lets a running call end before the plugin is closed.
func TestEnd(t *testing.T) {
	t.Parallel()
	running, finish := make(chan struct{}), make(chan struct{})
	s := serve(t, pserve.Options{}, func() *plugin {
		p := newPlugin()
		p.check = func(context.Context) error {
			close(running)
			<-finish
			return nil
		}
		return p
	})
	p := configured(t, s)
	checked := make(chan error, 1)
	go func() {
		_, err := s.Check(context.Background(), &pulumirpc.CheckRequest{})
		checked <- err
	}()
	wait(t, "the call", running)
	s.stop()
	wait(t, "Stop", p.stopped)
	select {
	case <-p.closed:
		t.Error("closed during a call")
	default:
	}
	close(finish)
	if err := wait(t, "the answer", checked); err != nil {
		t.Errorf("the call was cut off: %v", err)
	}
	if err := wait(t, "the end", s.done); err != nil {
		t.Error(err)
	}
	wait(t, "Close", p.closed)
}

// TestEndOfPatience ends a plugin whose call does not end by itself.
func TestEndOfPatience(t *testing.T) {
	t.Parallel()
	running := make(chan struct{})
	s := serve(t, pserve.Options{Grace: 20 * time.Millisecond}, func() *plugin {
		p := newPlugin()
		p.check = func(ctx context.Context) error {
			close(running)
			<-ctx.Done()
			return ctx.Err()
		}
		return p
	})
	p := configured(t, s)
	go func() { _, _ = s.Check(context.Background(), &pulumirpc.CheckRequest{}) }()
	wait(t, "the call", running)
	s.stop()
	if err := wait(t, "the end", s.done); err != nil {
		t.Error(err)
	}
	wait(t, "Close", p.closed)
}

func TestEngineGone(t *testing.T) {
	t.Parallel()
	for name, withHealth := range map[string]bool{"with a health service": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := startEngine(t, withHealth)
			s := serve(t, pserve.Options{Args: []string{e.target}, HealthInterval: 10 * time.Millisecond}, newPlugin)
			p := wait(t, "a plugin", s.plugins)
			select {
			case err := <-s.done:
				t.Fatalf("ended while the engine was there: %v", err)
			case <-time.After(100 * time.Millisecond):
			}
			e.server.Stop()
			if err := wait(t, "the end", s.done); err != nil {
				t.Error(err)
			}
			wait(t, "Close", p.closed)
		})
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	e := startEngine(t, true)
	s := serve(t, pserve.Options{Args: []string{e.target}}, newPlugin)
	p := wait(t, "a plugin", s.plugins)
	p.host.Log(t.Context(), pulumirpc.LogSeverity_INFO, "urn:pulumi:a", "hello")
	want := &pulumirpc.LogRequest{Severity: pulumirpc.LogSeverity_INFO, Urn: "urn:pulumi:a", Message: "hello"}
	if diff := cmp.Diff(want, wait(t, "a log", e.logs), protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
	if s.stderr.String() != "" {
		t.Errorf("stderr has %q", s.stderr)
	}
	e.server.Stop()
	p.host.Log(t.Context(), pulumirpc.LogSeverity_INFO, "", "nobody listens")
	if diff := cmp.Diff("testing: nobody listens\n", s.stderr.String()); diff != "" {
		t.Error(diff)
	}
}

// configured brings s to where resources can be worked on.
func configured(t *testing.T, s *served) *plugin {
	t.Helper()
	if _, err := s.Configure(t.Context(), &pulumirpc.ConfigureRequest{}); err != nil {
		t.Fatal(err)
	}
	return wait(t, "a plugin", s.plugins)
}

// TestAttach has two engines, or two providers of one, attach at once. Neither
// sees what the other makes of the plugin; both end with their connection.
func TestAttach(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{Parameterized: true}, newPlugin)
	wait(t, "the plugin that nobody attaches to", s.plugins)
	var engines []*engine
	var conns []*grpc.ClientConn
	var clients []pulumirpc.ResourceProviderClient
	var plugins []*plugin
	for range 2 {
		e, conn := startEngine(t, true), dial(t, s.target)
		client := pulumirpc.NewResourceProviderClient(conn)
		if _, err := client.Handshake(t.Context(), &pulumirpc.ProviderHandshakeRequest{EngineAddress: e.target}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Attach(t.Context(), &pulumirpc.PluginAttach{Address: e.target}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{}); err != nil {
			t.Fatal(err)
		}
		engines, conns, clients = append(engines, e), append(conns, conn), append(clients, client)
		plugins = append(plugins, wait(t, "a plugin", s.plugins))
	}
	for n, p := range plugins {
		if got := p.host.Handshake().GetEngineAddress(); got != engines[n].target {
			t.Errorf("the engine that shook hands is %q", got)
		}
		p.host.Log(t.Context(), pulumirpc.LogSeverity_INFO, "", "hello")
		wait(t, "a log", engines[n].logs)
	}
	if _, err := clients[0].Configure(t.Context(), &pulumirpc.ConfigureRequest{}); err != nil {
		t.Fatal(err)
	}
	_, err := clients[1].Check(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Check before Configure")

	if _, err := clients[0].Cancel(t.Context(), &emptypb.Empty{}); err != nil {
		t.Fatal(err)
	}
	wait(t, "Close", plugins[0].closed)
	_, err = clients[0].Check(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.Canceled, "after Cancel")
	_ = conns[1].Close() // without a word
	wait(t, "Close", plugins[1].closed)

	_, err = s.Attach(t.Context(), &pulumirpc.PluginAttach{Address: "nowhere"})
	wantStatus(t, err, codes.InvalidArgument, `"nowhere" is not the address of an engine`)
}

// TestAttachAgain finds a plugin that knows nothing over a connection that was
// used before.
func TestAttachAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{}, newPlugin)
	wait(t, "the plugin that nobody attaches to", s.plugins)
	for range 2 {
		e := startEngine(t, true)
		if _, err := s.Attach(t.Context(), &pulumirpc.PluginAttach{Address: e.target}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, "Close", wait(t, "a plugin", s.plugins).closed)
	second := wait(t, "a plugin", s.plugins)
	s.stop()
	if err := wait(t, "the end", s.done); err != nil {
		t.Error(err)
	}
	wait(t, "Close", second.closed)
}

func TestPanics(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{}, func() *plugin {
		p := newPlugin()
		p.check = func(context.Context) error { panic("a defect") }
		return p
	})
	configured(t, s)
	_, err := s.Check(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.Internal, "Check ended in a panic (a defect)")
	stream, err := s.List(t.Context(), &pulumirpc.ListRequest{})
	if err == nil {
		_, err = stream.Recv()
	}
	wantStatus(t, err, codes.Internal, "List ended in a panic (a defect in a stream)")
	if !strings.Contains(s.stderr.String(), "helpers_test.go") {
		t.Errorf("stderr does not say where: %q", s.stderr)
	}
	if _, err := s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{}); err != nil {
		t.Errorf("the process is of no more use: %v", err)
	}
}
