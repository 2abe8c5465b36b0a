package pserve

import (
	"context"
	"fmt"
	"net"
	"sync"

	"google.golang.org/grpc/stats"
)

// connection is one of a peer's to the server. An engine that attaches gets an
// instance that lives as long as its connection, since several may attach to
// one process: one for each provider of a program, and one to read schemas.
type connection struct {
	mu       sync.Mutex
	instance *instance // nil where nobody attached
}

// replace sets the instance and returns the last one.
func (c *connection) replace(next *instance) (last *instance) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, c.instance = c.instance, next
	return last
}

type connectionKey struct{}

// connections is a [stats.Handler] that has the context of every call know its
// connection.
type connections struct{}

// TagConn implements stats.Handler.
func (connections) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	return context.WithValue(ctx, connectionKey{}, &connection{})
}

// HandleConn implements stats.Handler: an engine that is gone cancels nothing
// itself.
func (connections) HandleConn(ctx context.Context, event stats.ConnStats) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if _, ended := event.(*stats.ConnEnd); !ended || !ok {
		return
	}
	if last := c.replace(nil); last != nil {
		last.cancel()
	}
}

// TagRPC implements stats.Handler.
func (connections) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC implements stats.Handler.
func (connections) HandleRPC(context.Context, stats.RPCStats) {}

// instance is the one that serves the connection of a call.
func (s *server) instance(ctx context.Context) *instance {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok {
		return s.first
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.instance == nil {
		return s.first
	}
	return c.instance
}

// attach gives the connection of a call an instance of its own. One that it
// had ends when its calls have.
func (s *server) attach(ctx context.Context, engine string) error {
	if _, _, err := net.SplitHostPort(engine); err != nil {
		return fmt.Errorf("%q is not the address of an engine: %w", engine, err)
	}
	next, err := s.newInstance(engine)
	if err != nil {
		return err
	}
	next.host.shaken.Store(s.instance(ctx).host.Handshake()) // an engine introduces itself before it attaches
	if c, ok := ctx.Value(connectionKey{}).(*connection); ok {
		if last := c.replace(next); last != nil {
			last.cancel()
		}
	}
	return nil
}
