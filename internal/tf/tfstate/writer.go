package tfstate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// writer writes JSON as [json.MarshalIndent] would with two spaces, members
// in the order in which they are added. Its zero value has written nothing.
type writer struct {
	text  []byte
	depth int
	begun bool // the innermost object or array has something in it
	err   error
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// open begins an object or an array.
func (w *writer) open(bracket byte) {
	w.text = append(w.text, bracket)
	w.depth++
	w.begun = false
}

// close ends the innermost object or array, which leaves something in the one
// around it.
func (w *writer) close(bracket byte) {
	w.depth--
	if w.begun {
		w.line()
	}
	w.text = append(w.text, bracket)
	w.begun = true
}

// line begins a line.
func (w *writer) line() {
	w.text = append(w.text, '\n')
	for range w.depth {
		w.text = append(w.text, "  "...)
	}
}

// item begins an element of an array, or a member.
func (w *writer) item() {
	if w.begun {
		w.text = append(w.text, ',')
	}
	w.begun = true
	w.line()
}

// append adds what other writers wrote of the innermost array.
func (w *writer) append(parts []writer) {
	room := 0
	for _, part := range parts {
		room += len(part.text) + 1
	}
	w.text = slices.Grow(w.text, room)
	for _, part := range parts {
		if w.begun && part.begun {
			w.text = append(w.text, ',')
		}
		w.begun = w.begun || part.begun
		w.text = append(w.text, part.text...)
		w.fail(part.err)
	}
}

func (w *writer) name(name string) {
	w.item()
	w.text = append(ctyx.AppendJSONText(w.text, name), ": "...)
}

func (w *writer) add(name string, value any) {
	w.name(name)
	switch value := value.(type) {
	case string:
		w.text = ctyx.AppendJSONText(w.text, value)
	case uint64:
		w.text = strconv.AppendUint(w.text, value, 10)
	case bool:
		w.text = strconv.AppendBool(w.text, value)
	default:
		raw, err := json.Marshal(value) // checks and compacts JSON, too
		if err != nil {
			w.fail(fmt.Errorf("%s: %w", name, err))
			return
		}
		w.json(raw)
	}
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

// json writes a value that is compact, valid JSON.
func (w *writer) json(raw []byte) {
	for len(raw) > 0 {
		switch c := raw[0]; c {
		case '{', '[':
			w.open(c)
			if raw[1] != closing(c) {
				w.item()
			}
		case '}', ']':
			w.close(c)
		case ',':
			w.item()
		case ':':
			w.text = append(w.text, ": "...)
		case '"':
			n := textLength(raw)
			w.text = append(w.text, raw[:n]...)
			raw = raw[n:]
			continue
		default:
			w.text = append(w.text, c)
		}
		raw = raw[1:]
	}
}

func closing(bracket byte) byte {
	if bracket == '{' {
		return '}'
	}
	return ']'
}

// textLength is how many bytes a string that raw begins with takes, quotes
// included.
func textLength(raw []byte) int {
	for n := 1; ; n++ {
		switch raw[n] {
		case '\\':
			n++ // what stands behind it ends no string
		case '"':
			return n + 1
		}
	}
}
