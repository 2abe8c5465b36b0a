package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// invoke calls the function of a fake plugin that its mode may concern.
func invoke(ctx context.Context, r *host.Resource) error {
	_, err := r.Client.Invoke(ctx, &pulumirpc.InvokeRequest{Tok: "fake:index:self"})
	return err
}

// TestCrash ends the process in a call: the error tells its last words, and
// keeps the status of the transport.
func TestCrash(t *testing.T) {
	t.Parallel()
	for mode, words := range map[string][]string{
		"crash":      {"Its process ended during Invoke (exit status 2).", "Its last words:\npanic: fake: asked to panic in Invoke", "goroutine "},
		"exit-aloud": {"Its process ended during Invoke (exit status 4).", "Its last words:\nfake: asked to exit in Invoke"},
		"exit-call":  {"Its process ended during Invoke (exit status 4).", "Its last words:\nfake: asked to exit in Invoke"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			r := resource(t, fake(t, "FAKE_MODE="+mode).host())
			for range 2 { // the second call finds it dead
				err := invoke(t.Context(), r)
				wantDiag(t, diag.FromError("", "", err), host.CodeCrashed, append(words, "resource plugin fake crashed")...)
				if status.Code(err) != codes.Unavailable {
					t.Errorf("code %s of %v", status.Code(err), err)
				}
			}
		})
	}
}

// TestCrashInHelpers ends the process in calls whose answers are
// decoded.
func TestCrashInHelpers(t *testing.T) {
	t.Parallel()
	r := resource(t, fake(t, "FAKE_MODE=exit-call", "FAKE_CALL=GetSchema").host())
	_, diags := r.Schema(t.Context())
	wantDiag(t, diags, host.CodeCrashed, "during GetSchema")
	_, diags = r.MappedProviders(t.Context(), "terraform")
	wantDiag(t, diags, host.CodeCrashed, "during GetMappings")
}

// TestRefused passes on what the plugin itself says.
func TestRefused(t *testing.T) {
	t.Parallel()
	r := resource(t, fake(t, "FAKE_MODE=unavailable", "FAKE_CALL=GetSchema").host())
	promptly(t, func() {
		_, diags := r.Schema(t.Context())
		wantDiag(t, diags, host.CodeRefused, "resource plugin fake failed in GetSchema: fake: the cloud is unavailable")
	})
	if _, err := r.Client.Check(t.Context(), &pulumirpc.CheckRequest{}); status.Code(err) != codes.Unimplemented {
		t.Error(err)
	}
}

// TestCancel gives a call up that hangs; others go on.
func TestCancel(t *testing.T) {
	t.Parallel()
	r := resource(t, fake(t, "FAKE_MODE=hang", "FAKE_CALL=GetSchema").host())
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("enough")) })
	promptly(t, func() {
		_, diags := r.Schema(ctx)
		wantDiag(t, diags, host.CodeInterrupted, "resource plugin fake was interrupted: enough.")
	})
	self(t, r)
}

// TestCloseWhileBusy ends a plugin in the middle of a call.
func TestCloseWhileBusy(t *testing.T) {
	t.Parallel()
	r := resource(t, fake(t, "FAKE_MODE=hang").host())
	time.AfterFunc(100*time.Millisecond, func() { _ = r.Close() })
	promptly(t, func() {
		wantDiag(t, diag.FromError("", "", invoke(t.Context(), r)), host.CodeInterrupted, "resource plugin fake is closed")
	})
	wantDiag(t, diag.FromError("", "", invoke(t.Context(), r)), host.CodeInterrupted, "resource plugin fake is closed")
}

// TestOutput routes the lines of both streams, and stays well in a flood.
func TestOutput(t *testing.T) {
	t.Parallel()
	p := fake(t, "FAKE_MODE=chatty")
	r := resource(t, p.host())
	promptly(t, func() {
		for range 20 {
			self(t, r)
		}
	})
	seen := map[string]bool{}
	for wait := 0; wait < 500 && len(seen) < 2; wait++ {
		lines, _ := p.said.all()
		for _, line := range lines {
			seen[line[:min(len(line), 30)]] = true
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !seen["resource fake true chatter cha"] || !seen["resource fake false no end of "] || len(seen) < 2 {
		t.Errorf("said %v", seen)
	}
	lines, _ := p.said.all()
	for _, line := range lines {
		if len(line) > 65<<10 || strings.ContainsAny(line, "\x1b\n") {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}
