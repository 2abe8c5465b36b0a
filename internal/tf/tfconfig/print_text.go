package tfconfig

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// quote writes s as a quoted string without templates.
func quote(s string) string { return `"` + escape(s, false) + `"` }

// escape writes s as it stands between quotes. beforeReference says that
// `${` follows, which must not meet a dollar or percent sign of s.
func escape(s string, beforeReference bool) string {
	var b strings.Builder
	for i, r := range s {
		rest := s[i+1:] // right for the ASCII runes that look at it
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '$' || r == '%':
			b.WriteString(escapeIntroducer(s[:i], r, rest, beforeReference))
		case r > 0xffff && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeIntroducer writes a dollar or percent sign. Before a brace it is
// doubled, which the language reads as one; but after another such sign, or
// before a reference, doubling would be ambiguous, so its code is written.
func escapeIntroducer(before string, r rune, rest string, beforeReference bool) string {
	code := fmt.Sprintf(`\u%04x`, r)
	switch {
	case rest == "" && beforeReference:
		return code
	case !strings.HasPrefix(rest, "{"):
		return string(r)
	case strings.HasSuffix(before, "$") || strings.HasSuffix(before, "%"):
		return code
	}
	return string(r) + string(r)
}

// heredoc writes a text of several lines, the last one ended, as an indented
// heredoc where the language reads back the very same bytes. It answers false
// where quotes are needed: no final newline, characters that no heredoc can
// show, lines that the indentation rules would change, signs whose doubling
// would be ambiguous.
func heredoc(s string, depth int) (string, bool) {
	if !strings.HasSuffix(s, "\n") || strings.Count(s, "\n") < 2 || !visible(s) || ambiguous(s) {
		return "", false
	}
	marker, inner := endMarker(s), margin(depth+1)
	escaped := strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)

	var b strings.Builder
	b.WriteString("<<-" + marker + "\n")
	for line := range strings.Lines(escaped) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(inner)
		}
		b.WriteString(line)
	}
	for _, text := range []string{
		b.String() + margin(depth) + marker,
		"<<" + marker + "\n" + escaped + marker,
	} {
		if readsAs(text, s) {
			return text, true
		}
	}
	return "", false
}

// ambiguous reports whether s has a template sign right before an introducer.
func ambiguous(s string) bool {
	for _, twice := range []string{"$${", "%${", "$%{", "%%{"} {
		if strings.Contains(s, twice) {
			return true
		}
	}
	return false
}

// visible reports whether s is text that a reader can see in a file, and has
// at least one line that is not blank. Trailing blanks on a line are not seen.
func visible(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimRight(line, " \t") != line {
			return false
		}
		for _, r := range line {
			if r != '\t' && !unicode.IsPrint(r) {
				return false
			}
		}
	}
	return strings.TrimSpace(s) != ""
}

// endMarker is EOT, or EOT with a number that no line of s consists of.
func endMarker(s string) string {
	taken := map[string]bool{}
	for line := range strings.Lines(s) {
		taken[strings.TrimSpace(line)] = true
	}
	marker := "EOT"
	for n := 2; taken[marker]; n++ {
		marker = fmt.Sprintf("EOT%d", n)
	}
	return marker
}

// readsAs reports whether the expression in text is the string want.
func readsAs(text, want string) bool {
	expr, diags := hclsyntax.ParseExpression([]byte(text+"\n"), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	got, diags := expr.Value(nil)
	return !diags.HasErrors() && got.RawEquals(cty.StringVal(want))
}
