package pserve

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Host is the engine as a plugin sees it. Its methods may be called
// concurrently.
type Host struct {
	name   string
	conn   *grpc.ClientConn // nil where there is no engine
	stderr io.Writer
	shaken atomic.Pointer[pulumirpc.ProviderHandshakeRequest]
}

// Handshake is what the engine said of itself; nil where it said nothing, as
// older ones do. Its getters may be called all the same.
func (h *Host) Handshake() *pulumirpc.ProviderHandshakeRequest { return h.shaken.Load() }

// newHost prepares a connection to the engine; "" stands for none.
func newHost(name, engine string, stderr io.Writer) (*Host, error) {
	h := &Host{name: name, stderr: stderr}
	if engine == "" {
		return h, nil
	}
	conn, err := grpc.NewClient(engine, grpc.WithTransportCredentials(insecure.NewCredentials()))
	h.conn = conn
	return h, err
}

// logPatience bounds how long a message to the engine may take. No call waits
// for a log for longer.
const logPatience = 5 * time.Second

// Log shows the user a message about the resource with a URN, or about none.
// It goes to stderr where no engine takes it.
func (h *Host) Log(ctx context.Context, severity pulumirpc.LogSeverity, urn, message string) {
	if h.conn != nil {
		ctx, cancel := context.WithTimeout(ctx, logPatience)
		defer cancel()
		request := &pulumirpc.LogRequest{Severity: severity, Message: message, Urn: urn}
		if _, err := pulumirpc.NewEngineClient(h.conn).Log(ctx, request); err == nil {
			return
		}
	}
	fmt.Fprintf(h.stderr, "%s: %s\n", h.name, message)
}

// Warn shows the user the warnings among diags. Errors are left to the answer
// of the call that they belong to.
func (h *Host) Warn(ctx context.Context, urn string, diags diag.List) {
	for _, d := range diags {
		if d.Severity == diag.Warning {
			h.Log(ctx, pulumirpc.LogSeverity_WARNING, urn, Text(d))
		}
	}
}

// alive asks the engine for a sign of life. An engine without a health service
// answers too, in its way.
func (h *Host) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, logPatience)
	defer cancel()
	_, err := grpc_health_v1.NewHealthClient(h.conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	return !unreachable(err)
}

// watch returns when the engine is gone, or ctx ends.
func (h *Host) watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if !h.alive(ctx) {
				return
			}
		}
	}
}

func (h *Host) close() {
	if h.conn != nil {
		_ = h.conn.Close() // fails only where it is closed already
	}
}
