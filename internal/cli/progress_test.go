package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formation-iac/formation/internal/base/progress"
)

// terminal keeps what is written to it.
type terminal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (w *terminal) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// all returns everything that is there.
func (w *terminal) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// drain returns what came since it was last called.
func (w *terminal) drain() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.text.Reset()
	return w.text.String()
}

// erased ends what is written when bars go away: up to where they began, and
// everything from there on cleared.
const erased = "A\x1b[J"

func TestBars(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		screen := &terminal{}
		b := newBars(screen)
		download := progress.Event{Task: "download", Label: "time 0.14.2", Total: 10 << 20, Unit: progress.UnitBytes}
		read := progress.Event{Task: "read", Total: 40, Unit: "objects"}
		list := progress.Event{Task: "list", Unit: "objects"} // nobody knows how many there are
		step := func(e progress.Event, done int64) {
			e.Done = done
			b.listen(e)
		}
		for _, e := range []progress.Event{download, read, list} {
			step(e, 0)
		}
		time.Sleep(barDelay / 2)
		step(read, 2)
		time.Sleep(barDelay / 4)
		if early := screen.drain(); strings.TrimSpace(early) != "" {
			t.Errorf("shown before it was worth it: %q", early)
		}
		time.Sleep(barDelay)
		step(download, 5<<20)
		step(read, 10)
		step(list, 7)
		time.Sleep(time.Second)
		shown := screen.drain()
		for _, want := range []string{"download time 0.14.2 ", "5.0 MiB / 10.0 MiB\n", "read ", "[=====>---", "10 / 40 objects\n", "list ", " 7 objects\n"} {
			if !strings.Contains(shown, want) {
				t.Errorf("not shown: %q in\n%q", want, shown)
			}
		}
		step(read, 20)
		time.Sleep(time.Second)
		if shown := screen.drain(); !strings.Contains(shown, "20 / 40 objects") {
			t.Errorf("the bar stands still:\n%q", shown)
		}
		read.End = true
		step(read, 40)
		time.Sleep(time.Second)
		last := screen.drain()
		last = last[strings.LastIndex(last, erased):]
		if strings.Contains(last, "read") || !strings.Contains(last, "download") {
			t.Errorf("what ended is still there, or more went with it:\n%q", last)
		}
		b.close()
		if rest := screen.drain(); !strings.HasSuffix(rest, erased) {
			t.Errorf("bars are left behind:\n%q", rest)
		}
	})
}

// TestNoBarsForShortWork: what ends at once is never seen.
func TestNoBarsForShortWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		screen := &terminal{}
		b := newBars(screen)
		b.listen(progress.Event{Task: "read", Total: 1, Unit: "objects"})
		time.Sleep(2 * barDelay)
		b.listen(progress.Event{Task: "read", Done: 1, Total: 1, Unit: "objects", End: true})
		b.close()
		if shown := screen.drain(); shown != "" {
			t.Errorf("shown: %q", shown)
		}
	})
}
