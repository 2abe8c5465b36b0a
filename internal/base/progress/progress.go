// Package progress carries events from long work to whoever shows them. The
// terminal bar and the JSON stream are two listeners; work itself never
// prints.
package progress

import "context"

// Event says how far one task has come. Events of one task arrive in order;
// tasks may overlap.
type Event struct {
	// Task names the work, such as "download" or "read".
	Task string
	// Label says which, for people: "hashicorp/time 0.14.2". May be "".
	Label string
	// Done and Total count Unit; Total is 0 where it is not known.
	Done, Total int64
	// Unit is what is counted: UnitBytes, or a plural noun.
	Unit string
	// End is true in the last event of a task.
	End bool
}

// UnitBytes marks counts that should be shown as sizes.
const UnitBytes = "bytes"

// Listener takes events. It may be called from several goroutines at once
// and must return quickly. A nil Listener drops everything; call [Listener.Send].
type Listener func(Event)

// Send delivers e, or does nothing where l is nil.
func (l Listener) Send(e Event) {
	if l != nil {
		l(e)
	}
}

type contextKey struct{}

// WithListener returns a context whose work reports to l.
func WithListener(ctx context.Context, l Listener) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From returns the listener of ctx, or a nil one.
func From(ctx context.Context) Listener {
	l, _ := ctx.Value(contextKey{}).(Listener)
	return l
}
