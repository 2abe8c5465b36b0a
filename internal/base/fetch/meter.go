package fetch

import (
	"context"

	"github.com/formation-iac/formation/internal/base/progress"
)

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// meter reports what passes through it, about every hundredth of the whole.
type meter struct {
	ctx         context.Context
	label       string
	done, total int64
	reported    int64
}

func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	if m.done-m.reported >= max(m.total/100, 64<<10) {
		m.report()
	}
	return len(p), nil
}

func (m *meter) report() {
	m.reported = m.done
	progress.From(m.ctx).Send(progress.Event{
		Task: "download", Label: m.label, Done: m.done, Total: m.total, Unit: progress.UnitBytes,
	})
}
