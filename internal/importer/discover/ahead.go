package discover

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Ahead begins at once to read the inventory, while the provider starts, say:
// it asks no provider. What it returns is the inventory as a source, for the
// same scope. Ctx ending ends the reading.
func (i Inventory) Ahead(ctx context.Context, scope Scope) Source {
	a := &ahead{Inventory: i, read: make(chan struct{})}
	go func() {
		defer close(a.read)
		a.outcome, a.diags = i.Discover(ctx, scope, func(f Found) error {
			a.found = append(a.found, f)
			return ctx.Err()
		})
	}()
	return a
}

// ahead is an inventory that is being read. The results may be looked at once
// it has been.
type ahead struct {
	Inventory
	read    chan struct{}
	found   []Found
	outcome Outcome
	diags   diag.List
}

// Discover passes on what was read.
func (a *ahead) Discover(ctx context.Context, _ Scope, yield func(Found) error) (Outcome, diag.List) {
	select {
	case <-a.read:
	case <-ctx.Done():
		return Outcome{}, diag.List{interrupted(a.Name(), context.Cause(ctx))}
	}
	for _, f := range a.found {
		if err := yield(f); err != nil {
			return a.outcome, append(a.diags, interrupted(a.Name(), err))
		}
	}
	return a.outcome, a.diags
}
