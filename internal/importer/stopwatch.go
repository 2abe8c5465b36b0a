package importer

import "time"

// stopwatch notes how long one stage after another takes.
type stopwatch struct {
	began   time.Time
	seconds map[string]float64
}

func startStopwatch() *stopwatch {
	return &stopwatch{began: time.Now(), seconds: map[string]float64{}}
}

// lap ends a stage; the next begins.
func (w *stopwatch) lap(stage string) {
	now := time.Now()
	w.seconds[stage] += now.Sub(w.began).Seconds()
	w.began = now
}
