package host

import (
	"bufio"
	"errors"
	"io"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/plugin"
)

// Listener takes what plugins say. Its functions may be nil. They are called
// from several goroutines at once, and must return quickly: a plugin waits for
// them.
type Listener struct {
	// Line takes a line that a plugin wrote to its stdout or stderr.
	Line func(Line)
	// Log takes a message that a plugin sent to its engine.
	Log func(Log)
}

// Line is a line of a plugin's output, without its end. It is fit for a
// terminal, and was split where it was longer than 64 KiB.
type Line struct {
	Kind plugin.Kind
	Name string
	// Stderr says which of the two streams it came from.
	Stderr bool
	Text   string
}

// Log is a message of a plugin to its engine.
type Log struct {
	Severity pulumirpc.LogSeverity
	// URN is the resource that it is about; or "".
	URN  string
	Text string
	// Ephemeral messages tell of progress, and need not be kept.
	Ephemeral bool
}

// maxLine bounds a line of output, in bytes.
const maxLine = 64 << 10

// newLineReader reads output in lines.
func newLineReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, maxLine) }

// eachLine hands on the lines of r until it ends. A line that is too long
// comes in pieces, and the last one may lack its end.
func eachLine(r *bufio.Reader, take func(string)) {
	for {
		line, err := r.ReadSlice('\n')
		if text := printable(string(line)); strings.TrimSpace(text) != "" {
			take(text)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// printable makes a plugin's text fit for a terminal. Line ends at its end are
// cut.
func printable(text string) string {
	return lastwords.Printable(strings.TrimRight(text, "\r\n"))
}
