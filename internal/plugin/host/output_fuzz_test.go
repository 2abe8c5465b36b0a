package host

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/formation-iac/formation/internal/base/lastwords"
)

// FuzzOutput reads what a plugin may write: lines are bounded, fit for a
// terminal, and none of the text is lost; what is quoted of them is bounded
// too; and a first line is a port or an error.
func FuzzOutput(f *testing.F) {
	for _, seed := range []string{"12345\nhello\n", "\x1b]9;4;3;\x1b\\8080\r\n", "panic: x\n\ngoroutine 1", "0\n", "+1\n", strings.Repeat("x", 3*maxLine)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, written []byte) {
		var words lastwords.Tail
		var text strings.Builder
		eachLine(newLineReader(bytes.NewReader(written)), func(line string) {
			if len(line) > 3*maxLine || strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && r != '\n' && unicode.IsControl(r) }) {
				t.Fatalf("a line of %d bytes, or one that is not fit for a terminal: %.100q", len(line), line)
			}
			text.WriteString(line)
			fmt.Fprintln(&words, line)
		})
		letters := func(s string) int { return strings.Count(s, "x") }
		if letters(text.String()) != letters(string(written)) {
			t.Fatal("text is lost")
		}
		quoted := words.String()
		if len(quoted) > 2*lastwords.Shown || !utf8.ValidString(quoted) {
			t.Fatalf("quoted are %d bytes", len(quoted))
		}
		first, _, _ := bytes.Cut(written, []byte("\n"))
		if port, err := (portLine{text: string(first)}).port(); err == nil && (port < 1 || port > 65535) {
			t.Fatalf("port %d", port)
		}
	})
}
