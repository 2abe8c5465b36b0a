// Package parallel runs independent work at bounded concurrency with results
// in input order, so that output never depends on who finished first.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Map calls work for every element of in, at most limit at a time (at least
// one), and returns the results in the order of in. Once ctx has ended no
// more work is begun; work that was not begun leaves a zero result, so
// callers check ctx.Err() afterwards.
func Map[In, Out any](ctx context.Context, limit int, in []In, work func(context.Context, In) Out) []Out {
	out := make([]Out, len(in))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(max(limit, 1), len(in)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(in) {
					return
				}
				out[i] = work(ctx, in[i])
			}
		})
	}
	workers.Wait()
	return out
}
