package golang

import (
	"go/doc/comment"
	"strings"
	"unicode"
)

// comment writes documentation above a declaration.
func (f *file) comment(text, deprecated string) {
	if text = withDeprecation(text, deprecated); text == "" {
		return
	}
	known, ok := f.comments[text]
	if !ok { // most texts are written several times in a file
		known = commented("", asDocumentation(text))
		f.comments[text] = known
	}
	f.body.WriteString(known)
}

// withDeprecation is a description with the paragraph that tools know; or "".
func withDeprecation(text, deprecated string) string {
	text = strings.TrimSpace(clean(text))
	if deprecated == "" {
		return text
	}
	return strings.TrimSpace(text + "\n\nDeprecated: " + clean(deprecated))
}

// clean takes out what Go's comments do not keep, or cannot hold.
func clean(text string) string {
	if strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, 0) < 0 && !strings.Contains(text, "\ufeff") {
		return text
	}
	return strings.NewReplacer("\r", "", "\x00", "", "\ufeff", "").Replace(text)
}

// commented makes a comment of a text, with a newline at its end. Lines of
// code in documentation have their tab right behind the slashes.
func commented(indent, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(indent + "//")
		if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" && (line[0] != '\t' || indent != "") {
			b.WriteByte(' ')
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// asDocumentation writes a text as gofmt does.
func asDocumentation(text string) string {
	if isProse(text) {
		return text
	}
	var parser comment.Parser
	var printer comment.Printer
	var trimmed strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		trimmed.WriteString(strings.TrimRightFunc(line, unicode.IsSpace) + "\n")
	}
	return strings.TrimRight(string(printer.Comment(parser.Parse(trimmed.String()))), "\n")
}

// isProse reports whether a text is one line that begins like a sentence and
// has no marks that documentation reads anything into.
func isProse(text string) bool {
	first := text[0]
	return (first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z') &&
		!strings.Contains(text, "\n") && !strings.Contains(text, "``") && !strings.Contains(text, "''")
}
