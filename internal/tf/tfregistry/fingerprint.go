package tfregistry

import (
	"context"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

// fingerprint is the hash of a binary that the user points at. Reading the
// binary takes as long as a part of its start, so that it is hashed beside
// that.
type fingerprint struct {
	// before has the guard of the file from before anybody read it.
	before hashRecord
	// done is closed when hash is set; that is "" where reading failed.
	done chan struct{}
	hash string
}

// fingerprint begins to hash a file, unless an earlier run has done so.
func (r *Registry) fingerprint(path string) (*fingerprint, error) {
	before, err := r.recall(path)
	if err != nil {
		return nil, err
	}
	f := &fingerprint{before: before, done: make(chan struct{}), hash: before.Hash}
	if f.hash != "" {
		close(f.done)
		return f, nil
	}
	go func() {
		defer close(f.done)
		if after, err := r.complete(before, wholefile.SHA256); err == nil {
			f.hash = after.Hash
		}
	}()
	return f, nil
}

// Hashed reports whether Hash need not wait.
func (i Installed) Hashed() bool {
	if i.print == nil {
		return true
	}
	select {
	case <-i.print.done:
		return true
	default:
		return false
	}
}

// Hash returns the SHA-256 of the executable's content in hexadecimal. Of a
// binary that the user points at it may still be on its way. It is "" where
// the binary is not known or cannot be read, or where ctx ends first.
func (i Installed) Hash(ctx context.Context) string {
	if i.print == nil {
		return i.BinaryHash
	}
	select {
	case <-i.print.done:
		return i.print.hash
	case <-ctx.Done():
		return ""
	}
}

// Unchanged reports whether a binary that the user points at is still the file
// that was found; a package always is. What a run of it gave may be kept under
// its hash only where that is so after the run: the file was there before it
// was hashed and before it was started, and is there yet, so that both read
// the same content.
func (i Installed) Unchanged() bool {
	if i.print == nil {
		return true
	}
	now, err := guard(i.Path)
	return err == nil && now == i.print.before.Guard
}
