package workflow

import (
	"context"

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
