// Package lastwords keeps the end of what a process writes, to quote when the
// process ends, and makes text of processes fit to be shown.
package lastwords

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

const (
	// kept is how many bytes of a process's output are remembered.
	kept = 64 << 10
	// Shown is how many of them are quoted at the most, before what cannot be
	// shown is replaced.
	Shown = 4 << 10
)

// Tail keeps the end of what is written to it. The zero value is ready for use,
// also concurrently.
type Tail struct {
	// Also gets everything; may be nil.
	Also io.Writer
	// Quotable returns what of the output may be quoted; nil stands for all of
	// it. It gets whole lines, and is not asked about a panic.
	Quotable func(output []byte) []byte

	mu  sync.Mutex
	buf []byte
	cut bool // the first line is the end of one
}

// Write implements io.Writer. It never fails: losing a process's chatter must
// not end the process.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Also != nil {
		_, _ = t.Also.Write(p)
	}
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - 2*kept; extra > 0 { // moved seldom, so cheaply
		t.buf, t.cut = append(t.buf[:0], t.buf[len(t.buf)-kept:]...), true
	}
	return len(p), nil
}

// String returns whole lines to quote, printable, or "": those from the start of a panic on,
// since a stack trace is longer than what leads to it, or else the last.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if start := panicStart(t.buf); start >= 0 {
		return strings.TrimSpace(Printable(firstLines(t.buf[start:])))
	}
	return strings.TrimSpace(Printable(lastLines(t.quotable())))
}

func (t *Tail) quotable() []byte {
	if t.Quotable == nil {
		return t.buf
	}
	whole := t.buf
	if t.cut {
		whole = whole[bytes.IndexByte(whole, '\n')+1:]
	}
	return t.Quotable(whole)
}

// panicStart returns where the Go runtime reports the process's end, or -1.
func panicStart(b []byte) int {
	for _, opening := range []string{"panic: ", "fatal error: "} {
		if bytes.HasPrefix(b, []byte(opening)) {
			return 0
		}
		if i := bytes.LastIndex(b, []byte("\n"+opening)); i >= 0 {
			return i + 1
		}
	}
	return -1
}

func firstLines(b []byte) string {
	if len(b) <= Shown {
		return string(b)
	}
	b = b[:Shown]
	return string(b[:bytes.LastIndexByte(b, '\n')+1]) + "…"
}

func lastLines(b []byte) string {
	if len(b) <= Shown {
		return string(b)
	}
	b = b[len(b)-Shown:]
	return string(b[bytes.IndexByte(b, '\n')+1:])
}
