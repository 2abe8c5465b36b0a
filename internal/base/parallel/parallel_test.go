package parallel_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/parallel"
)

func TestMapKeepsOrderAndLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{-1, 0, 1, 3, 100} {
		var running, most atomic.Int64
		in := []int{5, 4, 3, 2, 1}
		got := parallel.Map(t.Context(), limit, in, func(_ context.Context, n int) int {
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			defer running.Add(-1)
			return n * n
		})
		if diff := cmp.Diff([]int{25, 16, 9, 4, 1}, got); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
		if most.Load() > int64(max(limit, 1)) {
			t.Errorf("limit %d: %d ran at once", limit, most.Load())
		}
	}
}

func TestMapStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	got := parallel.Map(ctx, 1, []int{1, 2, 3}, func(_ context.Context, n int) int {
		if n == 2 {
			cancel()
		}
		return n
	})
	if diff := cmp.Diff([]int{1, 2, 0}, got); diff != "" {
		t.Error(diff)
	}
}
