package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
)

// say writes diagnostics to standard error, each once. Of many warnings with
// one code the first few are written, and the rest counted.
func (a *app) say(diags diag.List, sources diag.Sources) {
	a.said = append(a.said, diags...)
	style := diag.Style{Color: a.colored(a.process.Stderr)}
	hidden := 0
	seen := map[string]bool{}
	warned := map[string]int{}
	for _, d := range diags {
		text := diag.Text(d, sources, style)
		if seen[text] {
			continue
		}
		seen[text] = true
		if d.Severity == diag.Warning && !a.verbose {
			if warned[d.Code]++; warned[d.Code] > maxAlike {
				hidden++
				continue
			}
		}
		fmt.Fprint(a.process.Stderr, text)
	}
	if hidden > 0 {
		fmt.Fprintf(a.process.Stderr, "%d more warnings like these; see them with --verbose.\n", hidden)
	}
}

// maxAlike is how many warnings with one code are written.
const maxAlike = 3

// writeJSON writes one document to standard output.
func (a *app) writeJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return &outputError{err}
	}
	return nil
}

// writeFailure writes what was said for a program that reads standard output,
// where a command failed before it had a document of its own.
func (a *app) writeFailure() {
	if !a.json || a.stdout.begun {
		return
	}
	_ = a.writeJSON(map[string]any{"diagnostics": orEmpty(a.said)}) // the command failed already
}

// print writes text for people to standard output. Ids, names and values in it
// are others' words, which cannot do anything to a terminal.
func (a *app) print(text string) { fmt.Fprint(a.stdout, lastwords.Printable(text)) }

// output is standard output. It remembers the first write that failed, which
// the end of the command tells of: who prints need not look.
type output struct {
	to io.Writer
	// begun says that there is something in it: of a plugin, too, which has it
	// for its own.
	begun bool
	err   error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.begun = true
	n, err := o.to.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// failure is an [outputError], or nil.
func (o *output) failure() error {
	if o.err == nil {
		return nil
	}
	return &outputError{o.err}
}

// outputError is an outcome that is not, or not whole, in standard output.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// colored reports whether w is a terminal whose user wants colour.
func (a *app) colored(w io.Writer) bool {
	return a.environment().Lookup("NO_COLOR") == "" && a.environment().Lookup("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
