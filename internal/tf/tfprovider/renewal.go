package tfprovider

import (
	"context"
	"time"
)

// Renewal says when a process that has grown gives way to a new one: the
// SDKs hold on to a part of what each call needed until the process ends.
// Nothing is renewed where the system does not say how large a process is.
type Renewal struct {
	// Calls is after how many calls a process is looked at, each time; 0
	// means 5,000.
	Calls int
	// Growth is how many bytes it must have grown by since it was ready; 0
	// means 256 MiB.
	Growth int64
}

func (r Renewal) withDefaults() Renewal {
	if r.Calls == 0 {
		r.Calls = 5000
	}
	if r.Growth == 0 {
		r.Growth = 256 << 20
	}
	return r
}

// grown counts a call, and reports whether the process is to be renewed.
func (s *session) grown(r Renewal) bool {
	if s.pid == 0 || s.served.Add(1)%int64(r.Calls) != 0 {
		return false
	}
	return residentMemory(s.pid)-s.size.Load() >= r.Growth
}

// renewalPatience bounds how long calls that run may keep others waiting for a
// renewal.
const renewalPatience = 2 * time.Second

// renewGrown lets a new process take the place of s, if that has grown. The
// new one is ready, configuration included, before the old one ends; where it
// is not, the old one goes on. So it does while lists or ephemeral resources
// are open, which live in it, and while calls take their time.
func (v *supervisor) renewGrown(ctx context.Context, s *session) {
	if s == nil || !s.grown(v.config.Renewal) {
		return
	}
	patience, cancel := context.WithTimeout(ctx, renewalPatience)
	defer cancel()
	if v.gate.Acquire(patience, everyone) != nil {
		return
	}
	defer v.gate.Release(everyone)
	if v.turn.Acquire(patience, 1) != nil {
		return
	}
	defer v.turn.Release(1)
	if !v.replaceable(s) {
		return
	}
	fresh, _ := v.renew(ctx)
	if fresh == nil {
		return
	}
	v.mu.Lock()
	v.current = fresh
	v.mu.Unlock()
	v.ending.Go(s.end)
}

func (v *supervisor) replaceable(s *session) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.current == s && v.running == 0 && v.held <= 0
}

// hold counts what lives in the process from one call to another.
func (v *supervisor) hold(n int) {
	v.mu.Lock()
	v.held += n
	v.mu.Unlock()
}
