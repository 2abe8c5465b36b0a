package bridge

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAnswerCache saves answers of all sizes and reads them again.
func TestAnswerCache(t *testing.T) {
	t.Parallel()
	c := answerCache{file: filepath.Join(t.TempDir(), "new", "a.schema"), build: "1.0.0"}
	for _, size := range []int{0, 1, piece, 3*piece + 1} {
		want := strings.Repeat("a", size)
		if err := c.save(inPieces(want)); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.load(); !ok || got != want {
			t.Errorf("%d bytes became %d, %t", size, len(got), ok)
		}
	}
	for _, build := range []string{"1.0", "1.0.0 1", ""} {
		if _, ok := (answerCache{file: c.file, build: build}).load(); ok {
			t.Errorf("build %q takes the answer of build %q", build, c.build)
		}
	}
}

// TestKeeping ends while answers are being saved, and before any is.
func TestKeeping(t *testing.T) {
	t.Parallel()
	k := newKeeping()
	finish, saved := make(chan struct{}), 0
	var mu sync.Mutex
	for range 2 {
		k.begin(func() {
			<-finish
			mu.Lock()
			defer mu.Unlock()
			saved++
		})
	}
	time.AfterFunc(10*time.Millisecond, func() { close(finish) })
	k.end(t.Context())
	if saved != 2 {
		t.Errorf("%d of 2 were waited for", saved)
	}
	k.begin(func() { t.Error("begun after the end") })
	k.running.Wait()
}

// TestKeepingHurried ends although an answer cannot be saved.
func TestKeepingHurried(t *testing.T) {
	t.Parallel()
	k := newKeeping()
	stuck := make(chan struct{})
	defer close(stuck)
	k.begin(func() { <-stuck })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.end(ctx) // does not wait, or the test would not end
}
