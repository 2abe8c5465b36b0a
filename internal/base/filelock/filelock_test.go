package filelock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/base/progress"
)

// TestExclusion has goroutines hold the lock, half of them removing the file as
// they leave.
func TestExclusion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "it.lock")
	var inside atomic.Int32
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			release, err := filelock.Acquire(t.Context(), path, "test")
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n != 1 {
				t.Errorf("%d hold the lock", n)
			}
			runtime.Gosched()
			inside.Add(-1)
			if i%2 == 0 {
				_ = os.Remove(path)
			}
			release()
		})
	}
	all.Wait()
}

func TestWaitingIsToldAndStops(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "it.lock")
	release, err := filelock.Acquire(t.Context(), path, "first")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, ok := filelock.TryAcquire(path); ok {
		t.Error("the lock was taken twice")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var told []progress.Event
	ctx = progress.WithListener(ctx, func(e progress.Event) {
		told = append(told, e)
		cancel()
	})
	if _, err := filelock.Acquire(ctx, path, "second"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(told) != 2 || told[0].Label != "second" || !told[1].End {
		t.Errorf("told %+v", told)
	}
}

func TestTryAcquire(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "it.lock")
	for range 2 {
		release, ok := filelock.TryAcquire(path)
		if !ok {
			t.Fatal("a free lock was not taken")
		}
		release()
	}
	if _, ok := filelock.TryAcquire(filepath.Join(path, "below")); ok {
		t.Error("a lock below a file was taken")
	}
}

func TestPlaceThatCannotBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Acquire(t.Context(), filepath.Join(file, "it.lock"), ""); err == nil {
		t.Error("a lock below a file was taken")
	}
}
