package pserve

import (
	"context"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// maxMessage bounds one gRPC message, in bytes, as the engine does.
const maxMessage = 400 << 20

// writeBuffer is how much goes to the system at once, in bytes. Schemas of
// tens of megabytes are sent in half the time of the default.
const writeBuffer = 1 << 20

// window is how many bytes of requests may be under way, on one stream and on
// all of them. Where it is fixed, the transport does not send pings along with
// requests to find a good one.
const window = 4 << 20

// workers is how many goroutines wait for calls. Their stacks have grown in
// earlier calls, which takes a tenth of a millisecond; a call for which none
// is left has a goroutine of its own.
const workers = 16

// Serve runs a plugin until ctx ends or the engine that started it is gone.
// Running calls are then told to end, and get [Options.Grace] to do so; the
// plugin is closed in any case. An error means that nothing was served.
func Serve(ctx context.Context, opts Options, factory Factory) error {
	opts = opts.withDefaults()
	engine, err := parseArgs(opts.Args)
	if err != nil {
		return err
	}
	s, err := newServer(opts, factory, engine)
	if err != nil {
		return err
	}
	defer s.each((*instance).close)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("no port to listen on: %w", err)
	}
	g := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.WriteBufferSize(writeBuffer), grpc.ForceServerCodecV2(opts.codec()),
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(window),
		grpc.NumStreamWorkers(workers), grpc.StatsHandler(connections{}))
	s.register(g)
	grpc_health_v1.RegisterHealthServer(g, health.NewServer())
	if _, err := fmt.Fprintln(opts.Stdout, listener.Addr().(*net.TCPAddr).Port); err != nil {
		return fmt.Errorf("cannot tell the engine the port: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if engine != "" {
		go func() {
			defer cancel()
			s.first.host.watch(ctx, opts.HealthInterval)
		}()
	}
	served := make(chan error, 1)
	go func() { served <- g.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		s.end(g)
		return nil
	}
}

// end lets running calls finish, for a while.
func (s *server) end(g *grpc.Server) {
	s.each((*instance).cancel)
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.GracefulStop()
	}()
	select {
	case <-done:
	case <-time.After(s.opts.Grace):
		g.Stop() // ends the contexts of the calls as well
	}
}
