package read

import (
	"context"
	"time"
)

// pauses come before the tries that follow the second: as long as a service
// takes to start again.
func pauses() []time.Duration { return []time.Duration{time.Second, 4 * time.Second} }

// outage reports whether failures look like those of a service that was
// there and went away: many, while others were read, and not all of one type
// of which none could be. What is wrong with a few objects, with a type, or
// with the provider's configuration, waiting does not heal.
func outage(outcomes []Outcome) bool {
	const few, share = 10, 10
	failed := failures(outcomes)
	if len(failed) < max(few, len(outcomes)/share) {
		return false
	}
	readable, broken := map[string]bool{}, map[string]bool{}
	for _, o := range outcomes {
		if len(o.Objects) > 0 {
			readable[o.Found.Type] = true
		}
	}
	partly := false
	for _, i := range failed {
		broken[outcomes[i].Found.Type] = true
		partly = partly || readable[outcomes[i].Found.Type]
	}
	return partly || len(readable) > 0 && len(broken) > 1
}

// wait returns false where ctx ended before.
func wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
