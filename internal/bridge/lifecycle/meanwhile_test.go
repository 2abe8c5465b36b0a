package lifecycle

import (
	"strings"
	"testing"
)

// TestMeanwhile panics where a result is waited for, and nowhere else.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	if got := meanwhile(func() int { return 1 })(); got != 1 {
		t.Errorf("got %d", got)
	}
	done := make(chan struct{})
	made := meanwhile(func() int {
		defer close(done)
		panic("odd value")
	})
	<-done // nobody has waited for it yet
	defer func() {
		err, ok := recover().(error)
		if !ok || !strings.Contains(err.Error(), "odd value") || !strings.Contains(err.Error(), "meanwhile_test.go") {
			t.Errorf("got %v", err)
		}
	}()
	t.Errorf("got %d", made())
}
