// Package filelock excludes other processes by a lock on a file. The system
// frees the lock when its holder ends, however it ends.
package filelock

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/formation-iac/formation/internal/base/progress"
)

// poll is how often a lock that another process holds is tried again.
const poll = 20 * time.Millisecond

// Acquire takes the lock at path, making the file and its directory, and
// waits while somebody else holds it; label tells people for what. The file
// stays when the lock is released. The lock is one between open files: it
// excludes other callers in this process as well.
func Acquire(ctx context.Context, path, label string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	for {
		held, err := take(ctx, path, label)
		if err != nil {
			return nil, err
		}
		if current(held, path) {
			return func() { _ = held.Close() }, nil
		}
		// Its holder before us removed the file: who comes next would take
		// the lock on another one.
		_ = held.Close()
	}
}

// TryAcquire is [Acquire] for who does not wait; ok is false where somebody
// else holds the lock.
func TryAcquire(path string) (release func(), ok bool) {
	held := flock.New(path)
	if ok, err := held.TryLock(); !ok || err != nil || !current(held, path) {
		_ = held.Close()
		return nil, false
	}
	return func() { _ = held.Close() }, true
}

func take(ctx context.Context, path, label string) (*flock.Flock, error) {
	held := flock.New(path)
	ok, err := held.TryLock()
	if !ok && err == nil {
		event := progress.Event{Task: "wait", Label: label}
		progress.From(ctx).Send(event)
		ok, err = held.TryLockContext(ctx, poll)
		event.End = true
		progress.From(ctx).Send(event)
	}
	if ok {
		return held, nil
	}
	_ = held.Close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, err
}

// current reports whether the file that is locked is still the one at path.
func current(held *flock.Flock, path string) bool {
	locked, err := held.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(locked, now)
}
