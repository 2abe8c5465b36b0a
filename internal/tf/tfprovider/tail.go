package tfprovider

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode"
)

const (
	// tailKept is how many bytes of a provider's stderr are remembered.
	tailKept = 64 << 10
	// tailShown is how many of them a report quotes.
	tailShown = 4 << 10
)

// tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	also io.Writer // gets everything; may be nil

	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer. It never fails: losing a provider's chatter
// must not end the provider.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.also != nil {
		_, _ = t.also.Write(p)
	}
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - 2*tailKept; extra > 0 { // moved seldom, so cheaply
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailKept:]...)
	}
	return len(p), nil
}

// String returns whole lines to quote: those from the start of a panic on,
// since a stack trace is longer than what leads to it, or else the last.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if start := panicStart(t.buf); start >= 0 {
		return printable(firstLines(t.buf[start:]))
	}
	return printable(lastLines(t.buf))
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
	if len(b) <= tailShown {
		return string(b)
	}
	b = b[:tailShown]
	return string(b[:bytes.LastIndexByte(b, '\n')+1]) + "…"
}

func lastLines(b []byte) string {
	if len(b) <= tailShown {
		return string(b)
	}
	b = b[len(b)-tailShown:]
	return string(b[bytes.IndexByte(b, '\n')+1:])
}

// printable makes text of a process fit for a terminal: it cannot move the
// cursor or change colours, and has no space around it.
func printable(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		default:
			return r
		}
	}, text)
	return strings.TrimSpace(clean)
}
