package lifecycle_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/testkit/estate"
)

// TestConcurrency makes 32 resources at once through one provider.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	ids := make([]string, 32)
	var creating sync.WaitGroup
	for i := range ids {
		creating.Go(func() {
			it := lifecycle.Resource{URN: fmt.Sprint("urn:", i), Token: networkToken, Name: fmt.Sprint("n", i)}
			inputs := w.check(t, it, property.Map{}, props(object{"cidr": p(fmt.Sprintf("10.%d.0.0/16", i))}))
			created, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: it, Inputs: inputs})
			if err != nil {
				t.Error(err)
			}
			ids[i] = created.ID
		})
	}
	creating.Wait()
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(seen) != 32 || w.estate.Store.Count("networks") != 32 {
		t.Errorf("%d IDs for %d networks", len(seen), w.estate.Store.Count("networks"))
	}
}

// TestNoGrowth checks and compares very often, and keeps nothing: after all
// calls there is no more than after the first tenth.
func TestNoGrowth(t *testing.T) {
	w := faked(t, newFake())
	s := stored(t, w, object{"items": p(array{p("a")})})
	heap, goroutines := held(t, w, s, calls/10)
	after, more := held(t, w, s, calls-calls/10)
	if after > heap+1<<20 || more > goroutines {
		t.Errorf("heap from %d to %d bytes, goroutines from %d to %d", heap, after, goroutines, more)
	}
}

// held makes n calls of Check and Diff, several at a time, and says what is
// there afterwards.
func held(t *testing.T, w world, s state, n int) (heap uint64, goroutines int) {
	t.Helper()
	workers := runtime.GOMAXPROCS(0)
	var calling sync.WaitGroup
	for range workers {
		calling.Go(func() {
			for range n / 2 / workers {
				_, diff := w.diff(t, s, object{"name": p("n"), "zone": p("z"), "items": p(array{p("b")})})
				if len(diff.Detailed) != 1 {
					t.Errorf("got %v", diff)
					return
				}
			}
		})
	}
	calling.Wait()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}
