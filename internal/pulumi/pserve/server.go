package pserve

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// server leads the calls of the provider service to instances: to that of the
// engine that started the process, or to that of the engine that attached over
// the same connection.
type server struct {
	opts    Options
	factory Factory
	// first serves connections over which nobody attached.
	first *instance

	mu  sync.Mutex
	all []*instance
}

func newServer(opts Options, factory Factory, engine string) (*server, error) {
	s := &server{opts: opts, factory: factory}
	var err error
	s.first, err = s.newInstance(engine)
	return s, err
}

func (s *server) newInstance(engine string) (*instance, error) {
	host, err := newHost(s.opts.Name, engine, s.opts.Stderr)
	if err != nil {
		return nil, fmt.Errorf("%q is not the address of an engine: %w", engine, err)
	}
	i := &instance{
		Plugin: s.factory(host), server: s, host: host,
		order: order{required: s.opts.Parameterized}, idle: make(chan struct{}),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, i)
	return i, nil
}

// each calls do with every instance that there is.
func (s *server) each(do func(*instance)) {
	s.mu.Lock()
	all := slices.Clone(s.all)
	s.mu.Unlock()
	for _, i := range all {
		do(i)
	}
}

// forget drops an instance that has ended.
func (s *server) forget(ended *instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(i *instance) bool { return i == ended })
}

// alwaysOpen are the methods that a cancelled instance answers as well.
func alwaysOpen(method string) bool {
	switch method {
	case "Handshake", "Attach", "Cancel", "GetPluginInfo":
		return true
	default:
		return false
	}
}

// call makes one call of method, or says why it may not be made.
func (s *server) call(ctx context.Context, method string, do func(*instance) error) (err error) {
	i := s.instance(ctx)
	defer func() {
		if cause := recover(); cause != nil {
			err = i.panicked(method, cause)
		}
	}()
	if !alwaysOpen(method) {
		if err := i.enter(method); err != nil {
			return err
		}
		defer i.leave()
	}
	return do(i)
}

// panicked turns a fault of the plugin's own into the error of the call that
// met it. What the user can report goes to stderr.
func (i *instance) panicked(method string, cause any) error {
	fmt.Fprintf(i.server.opts.Stderr, "%s: panic in %s: %v\n%s\n", i.server.opts.Name, method, cause, debug.Stack())
	return status.Errorf(codes.Internal,
		"%s has a defect: %s ended in a panic (%v). Please report it, with the lines on stderr that pulumi shows with --logtostderr -v=9.", i.server.opts.Name, method, cause)
}

// register adds the provider service to g, each method of which goes through
// call.
func (s *server) register(g *grpc.Server) {
	desc := pulumirpc.ResourceProvider_ServiceDesc
	desc.Methods = make([]grpc.MethodDesc, len(desc.Methods))
	for n, method := range pulumirpc.ResourceProvider_ServiceDesc.Methods {
		desc.Methods[n] = s.unary(method)
	}
	desc.Streams = make([]grpc.StreamDesc, len(desc.Streams))
	for n, stream := range pulumirpc.ResourceProvider_ServiceDesc.Streams {
		desc.Streams[n] = s.stream(stream)
	}
	g.RegisterService(&desc, nil)
}

func (s *server) unary(method grpc.MethodDesc) grpc.MethodDesc {
	handle := method.Handler
	method.Handler = func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (response any, err error) {
		err = s.call(ctx, method.MethodName, func(i *instance) error {
			response, err = handle(i, ctx, decode, nil)
			return err
		})
		return response, err
	}
	return method
}

func (s *server) stream(method grpc.StreamDesc) grpc.StreamDesc {
	handle := method.Handler
	method.Handler = func(_ any, stream grpc.ServerStream) error {
		return s.call(stream.Context(), method.StreamName, func(i *instance) error { return handle(i, stream) })
	}
	return method
}
