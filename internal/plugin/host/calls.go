package host

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
)

// callError is what a call fails with where the plugin is gone. It unwraps to
// its diagnostic, and keeps the status of the transport.
type callError struct {
	diagnostic *diag.Diagnostic
	cause      error
}

func (e *callError) Error() string              { return e.diagnostic.Error() }
func (e *callError) Unwrap() error              { return e.diagnostic }
func (e *callError) GRPCStatus() *status.Status { return status.Convert(e.cause) }

func isUnavailable(err error) bool { return status.Code(err) == codes.Unavailable }

// unary explains the errors of calls.
func (i *Instance) unary(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return i.explain(ctx.Err, method, invoke(ctx, method, req, reply, conn, opts...))
}

// stream explains the errors of calls with many answers.
func (i *Instance) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, opts...)
	if err != nil {
		return nil, i.explain(ctx.Err, method, err)
	}
	return &explainedStream{s, i, method, ctx.Err}, nil
}

type explainedStream struct {
	grpc.ClientStream
	instance *Instance
	method   string
	// cancelled is the caller's; the stream's own context ends with it.
	cancelled func() error
}

// RecvMsg implements grpc.ClientStream.
func (s *explainedStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if errors.Is(err, io.EOF) {
		return err // the stream's orderly end
	}
	return s.instance.explain(s.cancelled, s.method, err)
}

// explain tells a call that failed with its plugin from one that the plugin
// itself refused.
func (i *Instance) explain(cancelled func() error, method string, err error) error {
	switch {
	case err == nil || cancelled() != nil:
		return err
	case i.closing.Load():
		return &callError{closedPlugin(i), err}
	case isUnavailable(err) && i.lost():
		return &callError{i.crashed(method), err}
	}
	return err
}

// lost reports whether the connection is gone for good. It breaks a moment
// before the process is seen dead, whose last words are worth a wait.
func (i *Instance) lost() bool {
	const settled = 100 * time.Millisecond
	if i.within(settled) {
		return true
	}
	if i.conn.GetState() == connectivity.Ready {
		return false // the plugin itself says that something is unavailable
	}
	i.within(fateTime)
	return true
}

// failed turns the error of a call into what the user should know.
func (i *Instance) failed(ctx context.Context, method string, err error) diag.List {
	var d *diag.Diagnostic
	switch {
	case errors.As(err, &d):
		return diag.List{d}
	case ctx.Err() != nil:
		return diag.List{interrupted(i.found, context.Cause(ctx))}
	case status.Code(err) == codes.Unimplemented:
		return diag.List{unimplemented(i, method)}
	}
	return diag.List{refused(i, method, err)}
}

const livenessMethod = "/pulumirpc.Liveness/Check"

// alive makes a call that no plugin knows: whatever it answers, it lives.
func alive(ctx context.Context, conn *grpc.ClientConn) error {
	err := conn.Invoke(ctx, livenessMethod, none(), none(), grpc.WaitForReady(true))
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled:
		return err
	default:
		return nil
	}
}
