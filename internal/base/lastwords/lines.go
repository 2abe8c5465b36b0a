package lastwords

import (
	"bytes"
	"strings"
	"sync"
)

// maxLine bounds a line, in bytes; a longer one comes in pieces.
const maxLine = 64 << 10

// Lines hands on what is written to it, a line at a time, without its end and
// fit to be shown. It may be used concurrently, but what several write is cut
// together as it comes.
type Lines struct {
	// Take gets every line; nil takes none. It must not write to the Lines.
	Take func(line string)

	mu   sync.Mutex
	rest []byte // a line that has not ended yet
}

// Write implements io.Writer. It never fails.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Take == nil {
		return len(p), nil
	}
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexByte(l.rest[:min(len(l.rest), maxLine)], '\n')
		switch {
		case end >= 0:
			l.take(end, end+1)
		case len(l.rest) >= maxLine:
			l.take(maxLine, maxLine)
		default:
			return len(p), nil
		}
	}
}

// Flush hands on a last line that has no end.
func (l *Lines) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) > 0 {
		l.take(len(l.rest), len(l.rest))
	}
}

// take hands on a line, and goes on at next.
func (l *Lines) take(end, next int) {
	l.Take(strings.ToValidUTF8(Printable(string(l.rest[:end])), "\ufffd"))
	l.rest = l.rest[next:]
}
