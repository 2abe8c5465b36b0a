package lifecycle_test

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// counted lists so many things, and counts the lists that run.
func counted(n int, running, begun *atomic.Int64) func(context.Context, tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent] {
	return func(ctx context.Context, _ tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent] {
		return func(yield func(tfprovider.ListEvent) bool) {
			begun.Add(1)
			running.Add(1)
			defer running.Add(-1)
			for i := range n {
				identity := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(fmt.Sprint(i))})
				if ctx.Err() != nil || !yield(tfprovider.ListEvent{Identity: identity}) {
					return
				}
			}
		}
	}
}

// TestListings keeps lists between pages, but not too many, and none at the
// end.
func TestListings(t *testing.T) {
	t.Parallel()
	var running, begun atomic.Int64
	f := newFake()
	f.listed = counted(3, &running, &begun)
	w := faked(t, f)
	page := func(limit int64, token string) lifecycle.ListResponse {
		t.Helper()
		got, err := w.List(t.Context(), lifecycle.ListRequest{Token: thingToken, PageSize: 1, Limit: limit, Continuation: token})
		must(t, err)
		return got
	}
	var tokens []string
	for i := range 20 {
		tokens = append(tokens, page(int64(100+i), "").Continuation)
	}
	if running.Load() != 8 {
		t.Errorf("%d lists stand open", running.Load())
	}
	want := []lifecycle.Listed{{ID: "1"}}
	for i, token := range tokens {
		if got := page(int64(100+i), token); !cmp.Equal(want, got.Results) {
			t.Errorf("second page of %d: %+v", i, got)
		}
	}
	if begun.Load() <= 20 {
		t.Error("none began anew")
	}
	must(t, w.Close(t.Context()))
	if running.Load() != 0 {
		t.Errorf("%d lists after the end", running.Load())
	}
	page(7, "")
	if running.Load() != 0 {
		t.Error("a list outlives the end")
	}
}

func TestListFaults(t *testing.T) {
	t.Parallel()
	var running, begun atomic.Int64
	f := newFake()
	f.listed = func(context.Context, tfprovider.ListRequest) iter.Seq[tfprovider.ListEvent] {
		return func(yield func(tfprovider.ListEvent) bool) {
			warning := diag.List{diag.Warnf(tfprovider.CodeProvider, "Slow", "")}
			_ = yield(tfprovider.ListEvent{Diagnostics: warning}) && yield(tfprovider.ListEvent{Diagnostics: said()})
		}
	}
	w := faked(t, f)
	if _, err := w.List(t.Context(), lifecycle.ListRequest{Token: thingToken}); code(err) != tfprovider.CodeProvider || len(w.log.codes()) != 1 {
		t.Errorf("got %v after %v", err, w.log.codes())
	}
	f.listed = counted(3, &running, &begun)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.List(ctx, lifecycle.ListRequest{Token: thingToken}); err == nil || running.Load() != 0 {
		t.Errorf("got %v with %d lists", err, running.Load())
	}
	for _, token := range []string{"!", "e30", "bnVsbA"} {
		if _, err := w.List(t.Context(), lifecycle.ListRequest{Token: thingToken, Continuation: token}); code(err) != "LC0016" {
			t.Errorf("%s: %v", token, err)
		}
	}
}
