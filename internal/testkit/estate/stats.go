package estate

import (
	"maps"
	"sync"
)

// Stats says how often the API was called since the last reset.
type Stats struct {
	// Calls counts by "<op> <kind>", such as "read buckets".
	Calls map[string]int `json:"calls"`
	// Total is the sum of Calls; Faults is how many of them a fault struck.
	Total  int `json:"total"`
	Faults int `json:"faults"`
}

type statsBox struct {
	mu     sync.Mutex
	calls  map[string]int
	total  int
	faults int
}

func (b *statsBox) count(c Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls == nil {
		b.calls = map[string]int{}
	}
	kind := c.Kind
	if kind == "" {
		kind = "tokens"
	}
	b.calls[string(c.Op)+" "+kind]++
	b.total++
}

func (b *statsBox) fault() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults++
}

// Stats answers the counters.
func (a *API) Stats() Stats {
	a.stats.mu.Lock()
	defer a.stats.mu.Unlock()
	calls := maps.Clone(a.stats.calls)
	if calls == nil {
		calls = map[string]int{}
	}
	return Stats{Calls: calls, Total: a.stats.total, Faults: a.stats.faults}
}

// ResetStats sets the counters to zero.
func (a *API) ResetStats() {
	a.stats.mu.Lock()
	defer a.stats.mu.Unlock()
	a.stats.calls, a.stats.total, a.stats.faults = nil, 0, 0
}
