package golang

import (
	"regexp"
	"strings"
)

// fromMarkdown turns what documentation in Go writes otherwise: blocks of code
// between fences, headings, and links.
func fromMarkdown(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "#") && !strings.Contains(text, "](") {
		return text
	}
	m := markdown{links: regexp.MustCompile(`\[([^\[\]]+)\]\((https?://[^()\s]+)\)`)}
	for line := range strings.SplitSeq(text, "\n") {
		m.line(line)
	}
	return strings.Join(m.out, "\n")
}

// markdown is a text on its way from line to line.
type markdown struct {
	out []string
	// fence is what ends the block of code at hand, or "", and indent what its
	// lines have in front.
	fence, indent string
	links         *regexp.Regexp
}

func (m *markdown) line(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case m.fence != "" && strings.HasPrefix(trimmed, m.fence):
		m.fence = ""
		m.blank()
	case m.fence != "":
		m.out = append(m.out, "\t"+strings.TrimPrefix(line, m.indent))
	case strings.HasPrefix(trimmed, "```"):
		m.fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		m.indent = line[:strings.IndexByte(line, '`')]
		m.blank()
	case isHeading(trimmed):
		m.blank()
		m.out = append(m.out, "# "+strings.TrimSpace(strings.Trim(trimmed, "#")))
		m.blank()
	default:
		m.out = append(m.out, m.links.ReplaceAllString(line, "$1 ($2)"))
	}
}

// blank makes sure of a blank line.
func (m *markdown) blank() {
	if last := len(m.out) - 1; last >= 0 && strings.TrimSpace(m.out[last]) != "" {
		m.out = append(m.out, "")
	}
}

func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(rest) < len(line) && strings.HasPrefix(rest, " ") && strings.TrimSpace(strings.Trim(line, "#")) != ""
}
