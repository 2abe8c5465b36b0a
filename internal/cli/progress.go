package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/formation-iac/formation/internal/base/progress"
)

// watched returns a context whose work reports its progress: as bars on a
// terminal, as JSON lines to standard error with --json, else not at all.
// The returned function must be called before anything else is written.
func (a *app) watched(ctx context.Context) (context.Context, func()) {
	switch {
	case a.json && a.verbose:
		s := &stream{out: a.process.Stderr, now: time.Now}
		return progress.WithListener(ctx, s.listen), func() {}
	case !a.json && isTerminal(a.process.Stderr):
		b := newBars(a.process.Stderr)
		return progress.WithListener(ctx, b.listen), b.close
	default:
		return ctx, func() {}
	}
}

// stream writes events as JSON lines, at most a few a second for each task.
type stream struct {
	out io.Writer
	now func() time.Time

	mu   sync.Mutex
	last map[string]time.Time
}

const streamInterval = 250 * time.Millisecond

func (s *stream) listen(e progress.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[string]time.Time{}
	}
	key := e.Task + "\x00" + e.Label
	now := s.now()
	if !e.End && now.Sub(s.last[key]) < streamInterval {
		return
	}
	s.last[key] = now
	line, err := json.Marshal(struct {
		Progress string `json:"progress"`
		Label    string `json:"label,omitempty"`
		Done     int64  `json:"done"`
		Total    int64  `json:"total,omitempty"`
		Unit     string `json:"unit"`
		End      bool   `json:"end,omitempty"`
	}{e.Task, e.Label, e.Done, e.Total, e.Unit, e.End})
	if err == nil {
		fmt.Fprintf(s.out, "%s\n", line)
	}
}

// bars shows a bar for each task that takes long enough to be worth one.
type bars struct {
	container *mpb.Progress

	mu    sync.Mutex
	began map[string]time.Time
	bars  map[string]*mpb.Bar
}

// barDelay is how long a task runs unseen.
const barDelay = 500 * time.Millisecond

func newBars(out io.Writer) *bars {
	return &bars{
		container: mpb.New(mpb.WithOutput(out), mpb.WithWidth(48), mpb.WithAutoRefresh()),
		began:     map[string]time.Time{}, bars: map[string]*mpb.Bar{},
	}
}

func (b *bars) listen(e progress.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := e.Task + "\x00" + e.Label
	bar := b.bars[key]
	if bar == nil {
		if _, ok := b.began[key]; !ok {
			b.began[key] = time.Now()
		}
		if e.End || time.Since(b.began[key]) < barDelay {
			return
		}
		bar = b.container.AddBar(e.Total, mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(title(e)+" ")), mpb.AppendDecorators(counters(e)))
		b.bars[key] = bar
	}
	bar.SetTotal(e.Total, false)
	bar.SetCurrent(e.Done)
	if e.End {
		bar.Abort(true)
	}
}

func title(e progress.Event) string {
	if e.Label == "" {
		return e.Task
	}
	return e.Task + " " + e.Label
}

func counters(e progress.Event) decor.Decorator {
	switch {
	case e.Unit == progress.UnitBytes:
		return decor.CountersKibiByte("% .1f / % .1f")
	case e.Total == 0:
		return decor.CurrentNoUnit("%d " + e.Unit)
	default:
		return decor.CountersNoUnit("%d / %d " + e.Unit)
	}
}

// close takes the bars away.
func (b *bars) close() {
	b.mu.Lock()
	for _, bar := range b.bars {
		bar.Abort(true)
	}
	b.mu.Unlock()
	b.container.Wait()
}
