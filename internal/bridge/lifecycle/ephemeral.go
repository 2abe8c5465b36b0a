package lifecycle

import (
	"context"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// ephemerals are the ephemeral resources that were opened and must be kept
// valid until the provider is closed: nobody says when their values are used
// for the last time.
type ephemerals struct {
	provider tfprovider.Provider
	warn     func(context.Context, *diag.Diagnostic)

	// live ends when no more renewals are wanted.
	live     context.Context
	end      context.CancelFunc
	renewals sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	leases []*lease
	closed bool
}

// lease is one open ephemeral resource. Its private is the renewal's own
// until that has ended.
type lease struct {
	typeName string
	private  []byte
}

func newEphemerals(provider tfprovider.Provider, warn func(context.Context, *diag.Diagnostic)) *ephemerals {
	live, end := context.WithCancel(context.Background())
	return &ephemerals{provider: provider, warn: warn, live: live, end: end}
}

// open opens an ephemeral resource and keeps it open.
func (e *ephemerals) open(ctx context.Context, typeName string, config cty.Value) (tfprovider.EphemeralResponse, diag.List) {
	resp, diags := e.provider.OpenEphemeral(ctx, typeName, config)
	if diags.HasErrors() || resp.Deferred != "" {
		return resp, diags
	}
	l := &lease{typeName: typeName, private: resp.Private}
	if e.keep(l, resp.RenewAt) {
		return resp, diags
	}
	diags = append(diags, e.provider.CloseEphemeral(ctx, typeName, resp.Private)...)
	return tfprovider.EphemeralResponse{}, append(diags, closing())
}

// keep takes in a lease and has it renewed, unless it comes too late.
func (e *ephemerals) keep(l *lease, renewAt time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.leases = append(e.leases, l)
	if !renewAt.IsZero() {
		e.renewals.Go(func() { e.renew(l, renewAt) })
	}
	return true
}

// leastRenewal keeps a provider that always wants a renewal at once from
// being asked without pause.
const leastRenewal = time.Second

// renew renews a lease whenever it is due, until the provider wants no more
// of it, or fails, or the end.
func (e *ephemerals) renew(l *lease, at time.Time) {
	for !at.IsZero() {
		timer := time.NewTimer(max(time.Until(at), leastRenewal))
		select {
		case <-e.live.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		resp, diags := e.provider.RenewEphemeral(e.live, l.typeName, l.private)
		if e.live.Err() != nil {
			return
		}
		if diags.HasErrors() {
			e.warn(e.live, notRenewed(l.typeName, diags))
			return
		}
		at, l.private = resp.RenewAt, resp.Private
	}
}

// close ends the renewals and closes what is open. It may be called twice.
func (e *ephemerals) close(ctx context.Context) diag.List {
	e.mu.Lock()
	e.closed = true
	leases := e.leases
	e.leases = nil
	e.mu.Unlock()
	e.end()
	e.renewals.Wait()
	var diags diag.List
	for _, l := range leases {
		diags = append(diags, e.provider.CloseEphemeral(ctx, l.typeName, l.private)...)
	}
	return diags
}
