package workflow

import (
	"context"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
)

// unlessInterrupted returns what read does, or that ctx ended first: to open a
// pipe that nobody writes to takes forever. Then read is left to itself, and
// must change nothing that others see.
func unlessInterrupted[T any](ctx context.Context, read func() (T, diag.List)) (T, diag.List) {
	type result struct {
		value T
		diags diag.List
	}
	done := make(chan result, 1)
	go func() {
		value, diags := read()
		done <- result{value, diags}
	}()
	select {
	case r := <-done:
		return r.value, r.diags
	case <-ctx.Done():
		var none T
		return none, diag.List{interrupted(context.Cause(ctx))}
	}
}

// calmed says once that work was interrupted, in place of what failed since for
// that reason. Warnings stay.
func calmed(ctx context.Context, diags diag.List) diag.List {
	if ctx.Err() == nil {
		return diags
	}
	failed := func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }
	return append(slices.DeleteFunc(slices.Clone(diags), failed), interrupted(context.Cause(ctx)))
}
