package broker

import (
	"context"
	"fmt"
	"net"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/grpc"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Services are who answers. Those that are nil are not served.
type Services struct {
	Schemas  Schemas
	Mappings Mappings
	Resolver Resolver
	// Report takes warnings, which have no place in answers, each once; or nil.
	// It may be called from several goroutines at once.
	Report func(diag.List)
}

// Server is where plugins ask.
type Server struct {
	listener net.Listener
	server   *grpc.Server
	served   chan struct{} // nil before Serve
}

// maxMessage bounds a request, in bytes, as everywhere between plugins.
const maxMessage = 400 << 20

// Listen opens an address on this machine. Who asks there before Serve waits.
func Listen(ctx context.Context) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("no port for plugins to ask for schemas and mappings at: %w", err)
	}
	return &Server{listener: listener, server: grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))}, nil
}

// Address is "127.0.0.1:port".
func (s *Server) Address() string { return s.listener.Addr().String() }

// Serve begins to answer. It is called once, and returns at once.
func (s *Server) Serve(services Services) {
	verdict := &verdict{report: services.Report}
	if services.Schemas != nil {
		codegen.RegisterLoaderServer(s.server, &loader{schemas: services.Schemas, verdict: verdict})
	}
	if services.Mappings != nil {
		codegen.RegisterMapperServer(s.server, &mapper{mappings: services.Mappings, verdict: verdict})
	}
	if services.Resolver != nil {
		pulumirpc.RegisterPackageResolverServer(s.server, &resolver{resolver: services.Resolver, verdict: verdict})
	}
	s.served = make(chan struct{})
	go func() {
		defer close(s.served)
		_ = s.server.Serve(s.listener) // ends with Close
	}()
}

// Close ends the service. Questions that are being answered fail.
func (s *Server) Close() error {
	if s.served == nil {
		return s.listener.Close()
	}
	s.server.Stop()
	<-s.served
	return nil
}
