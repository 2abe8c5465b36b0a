package progress

import "sync/atomic"

// Counter reports how many things of a known total are done. It is safe for
// concurrent use.
type Counter struct {
	listener Listener
	event    Event
	done     atomic.Int64
}

// NewCounter counts total things of a task; unit is their plural noun.
func NewCounter(listener Listener, task, unit string, total int) *Counter {
	return &Counter{listener: listener, event: Event{Task: task, Unit: unit, Total: int64(total)}}
}

// Step counts one more.
func (c *Counter) Step() { c.send(c.done.Add(1), false) }

// End says that the task is over.
func (c *Counter) End() { c.send(c.done.Load(), true) }

func (c *Counter) send(done int64, end bool) {
	event := c.event
	event.Done, event.End = done, end
	c.listener.Send(event)
}
