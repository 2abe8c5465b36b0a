package read

import "time"

// A provider that answers out of this machine's memory, or by calculating,
// presses nobody. More calls at a time then spare much waking of its process
// and of ours.
const (
	// trial is how many objects say how fast a provider is.
	trial = 100
	// rapid is how many objects a second no service across a network gives.
	rapid = 500
)

// pace is the concurrency after a trial at the usual one: most where the
// provider is rapid. One that fails may do so because it is pressed.
func pace(outcomes []Outcome, took time.Duration, concurrency, most int) int {
	if len(failures(outcomes)) > 0 || float64(len(outcomes)) < rapid*took.Seconds() {
		return concurrency
	}
	return max(concurrency, most)
}
