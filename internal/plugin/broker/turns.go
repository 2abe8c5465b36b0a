package broker

import (
	"context"
	"sync"
)

// turns lets one caller at a time do what has the same key. The others wait,
// for as long as their contexts last. The zero value is ready.
type turns struct {
	mu     sync.Mutex
	queues map[string]*queue
}

type queue struct {
	token   chan struct{} // holds one value while nobody's turn it is
	members int
}

// take waits for the turn of a key. done ends it.
func (t *turns) take(ctx context.Context, key string) (done func(), err error) {
	q := t.join(key)
	select {
	case <-q.token:
		return func() {
			q.token <- struct{}{}
			t.leave(key, q)
		}, nil
	case <-ctx.Done():
		t.leave(key, q)
		return nil, context.Cause(ctx)
	}
}

func (t *turns) join(key string) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.queues == nil {
		t.queues = map[string]*queue{}
	}
	q := t.queues[key]
	if q == nil {
		q = &queue{token: make(chan struct{}, 1)}
		q.token <- struct{}{}
		t.queues[key] = q
	}
	q.members++
	return q
}

func (t *turns) leave(key string, q *queue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.members--; q.members == 0 {
		delete(t.queues, key)
	}
}
