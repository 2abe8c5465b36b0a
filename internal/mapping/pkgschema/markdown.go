package pkgschema

import (
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// outsideCode changes the lines of a text that are in no fenced code block.
func outsideCode(text string, change func(line string) string) string {
	if !strings.Contains(text, "\n") {
		return change(text)
	}
	lines := strings.Split(text, "\n")
	var fence docpage.Fence
	for i, line := range lines {
		if !fence.Code(line) {
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "\n")
}

// quoteNote turns Terraform's marks for notes, tips and warnings into a
// quote.
func quoteNote(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	for _, mark := range []string{"-> ", "~> ", "!> "} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return line[:len(line)-len(trimmed)] + "> " + rest
		}
	}
	return line
}

// inlineCode changes what stands between single backticks in a line. Where
// one backtick is alone, nothing is code.
func inlineCode(line string, change func(code string) string) string {
	ticks := strings.Count(line, "`")
	if ticks == 0 || ticks%2 == 1 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for range ticks / 2 {
		text, rest, _ := strings.Cut(line, "`")
		code, after, _ := strings.Cut(rest, "`")
		b.WriteString(text)
		b.WriteByte('`')
		b.WriteString(change(code))
		b.WriteByte('`')
		line = after
	}
	b.WriteString(line)
	return b.String()
}

// resolveLinks makes links in a line lead somewhere: those from the root of
// Terraform's site get its name, those into the provider's own pages become
// their text.
func resolveLinks(line string) string {
	if !strings.Contains(line, "](") {
		return line
	}
	var b strings.Builder
	for from := 0; ; {
		i := strings.IndexByte(line[from:], '[')
		if i < 0 {
			b.WriteString(line[from:])
			return b.String()
		}
		start := from + i
		label, target, end, ok := parseLink(line, start)
		if !ok || strings.Count(line[:start], "`")%2 == 1 { // a bracket, or code
			b.WriteString(line[from : start+1])
			from = start + 1
			continue
		}
		b.WriteString(line[from:start] + resolved(label, target))
		from = end
	}
}

// parseLink reads `[label](target)` at start; end is behind it.
func parseLink(line string, start int) (label, target string, end int, ok bool) {
	middle := strings.Index(line[start:], "](")
	if middle < 0 {
		return "", "", 0, false
	}
	middle += start
	length := strings.IndexByte(line[middle:], ')')
	if length < 0 {
		return "", "", 0, false
	}
	return line[start+1 : middle], line[middle+2 : middle+length], middle + length + 1, true
}

func resolved(label, target string) string {
	switch {
	case strings.Contains(target, "://"), strings.HasPrefix(target, "mailto:"):
		return "[" + label + "](" + target + ")"
	case strings.HasPrefix(target, "/"):
		return "[" + label + "](https://www.terraform.io" + target + ")"
	default:
		return label
	}
}
