package estate

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Op is what a call does.
type Op string

// The operations of the API.
const (
	OpList   Op = "list"
	OpRead   Op = "read"
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
)

// Call is one request as faults and statistics see it. ID is "" for lists and
// creations.
type Call struct {
	Op   Op
	Kind string
	ID   string
}

// Target selects calls; an empty member matches everything.
type Target struct {
	Op   Op     `json:"op,omitempty"`
	Kind string `json:"kind,omitempty"`
	ID   string `json:"id,omitempty"`
}

func (t Target) matches(c Call) bool {
	return (t.Op == "" || t.Op == c.Op) && (t.Kind == "" || t.Kind == c.Kind) && (t.ID == "" || t.ID == c.ID)
}

// Refusal answers the calls of Target with Status (403 where 0) and Message.
type Refusal struct {
	Target
	Status  int    `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
}

// Crash asks the provider to die while it serves the calls of Target: the
// answer carries [CrashHeader], and the providers of this testkit obey it.
// Times limits how often; 0 means always.
type Crash struct {
	Target
	Message string `json:"message,omitempty"`
	Times   int    `json:"times,omitempty"`
}

// CrashHeader carries a crash's message from the API to a provider.
const CrashHeader = "X-Estate-Crash"

// Faults is what the API does wrong on purpose. The zero value does nothing.
type Faults struct {
	// LatencyMS delays every call by so many milliseconds.
	LatencyMS int `json:"latency_ms,omitempty"`
	// ThrottleEvery answers every Nth call with 429; RetryAfter is what that
	// answer's Retry-After header says, in seconds.
	ThrottleEvery int `json:"throttle_every,omitempty"`
	RetryAfter    int `json:"retry_after,omitempty"`
	// Refuse, Crash, Reset and Hang strike the calls that they match, in
	// this order. A reset closes the connection without an answer; a hang
	// lasts until the client gives up.
	Refuse []Refusal `json:"refuse,omitempty"`
	Crash  []Crash   `json:"crash,omitempty"`
	Reset  []Target  `json:"reset,omitempty"`
	Hang   []Target  `json:"hang,omitempty"`
	// Turn has the lists of an object begin one element later each time that a
	// call that it matches reads it, as those do that are kept in no order.
	Turn []Target `json:"turn,omitempty"`
}

// faultBox holds the faults in force and what they need to remember.
type faultBox struct {
	mu      sync.Mutex
	faults  Faults
	calls   int
	crashed map[int]int
	turns   map[Call]int
}

// SetFaults replaces the faults in force, at once.
func (a *API) SetFaults(f Faults) {
	a.faults.mu.Lock()
	defer a.faults.mu.Unlock()
	a.faults.faults, a.faults.calls, a.faults.crashed, a.faults.turns = f, 0, map[int]int{}, map[Call]int{}
}

// CurrentFaults answers the faults in force.
func (a *API) CurrentFaults() Faults {
	a.faults.mu.Lock()
	defer a.faults.mu.Unlock()
	return a.faults.faults
}

// strike applies the faults in force to one call and says whether it has
// answered.
func (b *faultBox) strike(w http.ResponseWriter, r *http.Request, call Call) bool {
	b.mu.Lock()
	f := b.faults
	b.calls++
	throttled := f.ThrottleEvery > 0 && b.calls%f.ThrottleEvery == 0
	crash, crashes := b.crashFor(call)
	b.mu.Unlock()

	if !pause(r, time.Duration(f.LatencyMS)*time.Millisecond) {
		return true
	}
	if throttled {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
		answerError(w, &Error{http.StatusTooManyRequests, "Throttled", "too many calls; try again later"})
		return true
	}
	for _, refusal := range f.Refuse {
		if refusal.matches(call) {
			answerError(w, refusal.asError(call))
			return true
		}
	}
	if crashes {
		w.Header().Set(CrashHeader, crash.message(call))
		answer(w, http.StatusOK, Object{})
		return true
	}
	for _, target := range f.Reset {
		if target.matches(call) {
			panic(http.ErrAbortHandler)
		}
	}
	for _, target := range f.Hang {
		if target.matches(call) {
			// A server looks for the client's end only once it has the body.
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return true
		}
	}
	return false
}

// crashFor finds the crash that strikes a call, if any. It runs under mu.
func (b *faultBox) crashFor(call Call) (Crash, bool) {
	for i, crash := range b.faults.Crash {
		if !crash.matches(call) || crash.Times > 0 && b.crashed[i] >= crash.Times {
			continue
		}
		b.crashed[i]++
		return crash, true
	}
	return Crash{}, false
}

// turned is an object as a call reads it.
func (b *faultBox) turned(call Call, obj Object) Object {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.faults.Turn, func(t Target) bool { return t.matches(call) }) {
		return obj
	}
	b.turns[call]++
	out := maps.Clone(obj)
	for name, v := range out {
		if list, ok := v.([]any); ok && len(list) > 1 {
			by := b.turns[call] % len(list)
			out[name] = slices.Concat(list[by:], list[:by])
		}
	}
	return out
}

func (f Refusal) asError(call Call) *Error {
	status, message := f.Status, f.Message
	if status == 0 {
		status = http.StatusForbidden
	}
	if message == "" {
		message = "not allowed to " + string(call.Op) + " " + call.Kind + " " + strconv.Quote(call.ID)
	}
	return &Error{status, http.StatusText(status), message}
}

func (c Crash) message(call Call) string {
	if c.Message != "" {
		return c.Message
	}
	return "crash asked for at " + string(call.Op) + " " + call.Kind + " " + strconv.Quote(call.ID)
}

// pause waits, and says false when the client left meanwhile.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// parseFaults reads a Faults document and refuses members it does not know.
func parseFaults(d *json.Decoder) (Faults, error) {
	var f Faults
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Faults{}, invalid("faults: %v", err)
	}
	return f, nil
}
