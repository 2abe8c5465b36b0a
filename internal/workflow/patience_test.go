package workflow

import (
	"context"
	"errors"
	"testing"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TestCalmed holds that an interruption is told once, and what was wrong
// without one as it is.
func TestCalmed(t *testing.T) {
	t.Parallel()
	said := diag.List{diag.Warnf("W1", "Mind that", "It is so."), diag.Errorf("E1", "Given up", "Ctrl-C."), diag.Errorf("E2", "Given up, too", "Ctrl-C.")}
	if got := calmed(t.Context(), said); len(got) != 3 {
		t.Error(got)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("ctrl-c"))
	got := calmed(ctx, said)
	if len(got) != 2 || got[0].Code != "W1" || got[1].Code != "WF0008" || said[1].Code != "E1" {
		t.Error(got)
	}
}
