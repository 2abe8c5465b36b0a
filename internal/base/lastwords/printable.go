package lastwords

import (
	"strings"
	"unicode"
)

// Printable makes text of a process, or of anybody else, fit for a terminal: it
// is UTF-8, and cannot move the cursor or change colours. Line ends lose their
// carriage return.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
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
}
