package host

import (
	"strings"
	"sync"
)

// maxWords bounds what is quoted of a plugin's output, in bytes.
const maxWords = 4 << 10

// lastWords keeps the end of a plugin's stderr to quote when the plugin ends:
// from the start of a panic on, since a stack trace is longer than what leads
// to it, or else the last lines. It is safe for concurrent use.
type lastWords struct {
	mu       sync.Mutex
	lines    []string
	size     int
	panicked bool
}

func (w *lastWords) add(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
		w.lines, w.size, w.panicked = nil, 0, true
	}
	if w.panicked && w.size+len(line) > maxWords {
		return
	}
	if len(line) > maxWords {
		line = line[len(line)-maxWords:]
	}
	w.lines = append(w.lines, line)
	w.size += len(line)
	for w.size > maxWords {
		w.size -= len(w.lines[0])
		w.lines = w.lines[1:]
	}
}

// String returns the lines, or "".
func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(strings.Join(w.lines, "\n"), "")
}
