package golang

import (
	"go/doc/comment"
	"strings"
	"unicode"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// comment writes documentation above a declaration.
func (f *file) comment(description, deprecated string) {
	if text := f.text(description, deprecated); text != "" {
		f.body.WriteString(f.commentOf(text))
	}
}

// commentOr is comment with something to say where there is no description.
func (f *file) commentOr(description, otherwise, deprecated string) {
	if strings.TrimSpace(description) == "" {
		description = otherwise
	}
	f.comment(description, deprecated)
}

// commentOf is a text as documentation. Most are written several times in a
// file.
func (f *file) commentOf(text string) string {
	known, ok := f.comments[text]
	if !ok {
		known = commented("", asDocumentation(text))
		f.comments[text] = known
	}
	return known
}

// text is a description as Go shows it, with the paragraph on its deprecation
// that tools know; or "".
func (f *file) text(description, deprecated string) string {
	shown := f.shown(description)
	if deprecated == "" {
		return shown
	}
	return strings.TrimSpace(shown + "\n\nDeprecated: " + f.shown(deprecated))
}

// shown is a description as Go shows it.
func (f *file) shown(description string) string {
	if description == "" {
		return ""
	}
	known, ok := f.texts[description]
	if !ok {
		text := sdkgen.Docs(clean(description), "go", f.sdk.docName)
		text = sdkgen.RenameQuoted(text, f.sdk.properties, fieldName)
		known = strings.TrimSpace(fromMarkdown(text))
		f.texts[description] = known
	}
	return known
}

// docName is what a reference in a description shows.
func (s *sdk) docName(ref sdkgen.DocRef) string {
	name := pascal(sdkgen.MemberName(ref.Token))
	switch ref.Section {
	case "resources":
		name = s.resourceName(ref.Token)
	case "types":
		name = s.typeName(ref.Token)
	}
	return ref.In(name, fieldName(ref.Property))
}

// clean takes out what Go's comments do not keep, or cannot hold.
func clean(text string) string {
	if strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, 0) < 0 && !strings.Contains(text, "\ufeff") {
		return text
	}
	return strings.NewReplacer("\r", "", "\x00", "", "\ufeff", "").Replace(text)
}

// commented makes a comment of a text, with a newline at its end. Lines of
// code have their tab right behind the slashes.
func commented(indent, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(indent + "//")
		if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" && line[0] != '\t' {
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
