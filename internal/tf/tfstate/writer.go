package tfstate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/jsonindent"
)

// writer writes JSON as [json.MarshalIndent] would with two spaces, members
// in the order in which they are added.
type writer struct {
	text  bytes.Buffer
	out   *bufio.Writer // to text
	depth int
	begun bool // the innermost object or array has something in it
	err   error
}

// newWriter writes what stands depth levels deep.
func newWriter(depth int) *writer {
	w := &writer{depth: depth}
	w.out = bufio.NewWriter(&w.text)
	return w
}

// finish returns all that was written.
func (w *writer) finish() ([]byte, error) {
	w.fail(w.out.Flush())
	if w.err != nil {
		return nil, w.err
	}
	return w.text.Bytes(), nil
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// open begins an object or an array.
func (w *writer) open(bracket byte) {
	_ = w.out.WriteByte(bracket) // finish would say what is wrong
	w.depth++
	w.begun = false
}

// close ends the innermost object or array, which leaves something in the one
// around it.
func (w *writer) close(bracket byte) {
	w.depth--
	if w.begun {
		jsonindent.Line(w.out, w.depth)
	}
	_ = w.out.WriteByte(bracket)
	w.begun = true
}

// item begins an element of an array, or a member.
func (w *writer) item() {
	if w.begun {
		_ = w.out.WriteByte(',')
	}
	w.begun = true
	jsonindent.Line(w.out, w.depth)
}

// append adds what other writers wrote of the innermost array, an element or
// more each.
func (w *writer) append(parts []*writer) {
	for _, part := range parts {
		if w.begun {
			_ = w.out.WriteByte(',')
		}
		w.begun = true
		text, err := part.finish()
		w.fail(err)
		_, _ = w.out.Write(text)
	}
}

func (w *writer) name(name string) {
	w.item()
	w.quote(name)
	_, _ = w.out.WriteString(": ")
}

func (w *writer) quote(text string) {
	_, _ = w.out.Write(ctyx.AppendJSONText(w.out.AvailableBuffer(), text))
}

func (w *writer) add(name string, value any) {
	w.name(name)
	if text, ok := value.(string); ok {
		w.quote(text)
		return
	}
	raw, err := json.Marshal(value) // checks and compacts JSON, too
	if err != nil {
		w.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	jsonindent.Write(w.out, string(raw), w.depth)
}

// addUnless is add for members that are left out when they say nothing.
func (w *writer) addUnless(empty bool, name string, value any) {
	if !empty {
		w.add(name, value)
	}
}

func (w *writer) keep(unknown Members) {
	for _, m := range unknown {
		w.add(m.Name, m.Value)
	}
}
