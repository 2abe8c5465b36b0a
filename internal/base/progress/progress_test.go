package progress_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/progress"
)

func TestListener(t *testing.T) {
	t.Parallel()
	var got []progress.Event
	ctx := progress.WithListener(t.Context(), func(e progress.Event) { got = append(got, e) })
	inner, cancel := context.WithCancel(ctx)
	cancel()
	want := []progress.Event{
		{Task: "download", Label: "time 0.14.2", Done: 1, Total: 2, Unit: progress.UnitBytes},
		{Task: "download", Done: 2, Total: 2, Unit: progress.UnitBytes, End: true},
	}
	progress.From(ctx).Send(want[0])
	progress.From(inner).Send(want[1]) // inherited, ended or not
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNobodyListens sends to a context without a listener.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	if l := progress.From(t.Context()); l != nil {
		t.Error("there is a listener")
	}
	progress.From(t.Context()).Send(progress.Event{Task: "read"})
	progress.From(progress.WithListener(t.Context(), nil)).Send(progress.Event{Task: "read"})
}
