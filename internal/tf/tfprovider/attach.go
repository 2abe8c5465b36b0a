package tfprovider

import (
	"context"
	"errors"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/formation-iac/formation/internal/base/lastwords"
)

// attach connects to a process that somebody else started and will end: a
// provider under a debugger. It offers no TLS. The session is never nil.
func attach(ctx context.Context, config Config) (*session, error) {
	at := config.Reattach
	s := &session{kill: func() {}, stderr: &lastwords.Tail{}, dialect: dialects()[at.protocolVersion()]}
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, at.Addr.Network, at.Addr.String)
	}
	probe, err := dial(ctx, "")
	if err != nil {
		return s, fmt.Errorf("%w; start it again, and set %s to what it prints", err, at.Variable)
	}
	_ = probe.Close() // it has shown that somebody listens
	s.conn, err = grpc.NewClient("passthrough:///provider", append(dialOptions(),
		grpc.WithContextDialer(dial), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		return s, err
	}
	if err := ready(ctx, s.conn); err != nil {
		s.end()
		return s, err
	}
	return s, nil
}

// ready waits until a connection can be used.
func ready(ctx context.Context, conn *grpc.ClientConn) error {
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if state == connectivity.TransientFailure {
			return errors.New("what listens there does not speak gRPC")
		}
		if !conn.WaitForStateChange(ctx, state) {
			return context.Cause(ctx)
		}
	}
	return nil
}
