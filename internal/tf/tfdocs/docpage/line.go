package docpage

import (
	"strings"
)

// Fence follows the fenced code blocks of a text from line to line. The zero
// value stands before the first line.
type Fence struct{ mark string }

// Code reports whether line, the next one, is in a code block or begins or
// ends one.
func (f *Fence) Code(line string) bool {
	mark := fenceMark(line)
	switch {
	case f.mark == "" && mark == "":
		return false
	case f.mark == "":
		f.mark = mark
	case mark != "" && strings.HasPrefix(mark, f.mark):
		f.mark = ""
	}
	return true
}

// Open reports whether a code block has begun and not ended.
func (f *Fence) Open() bool { return f.mark != "" }

// fenceMark is the row of backticks or tildes with which line begins, if it is
// long enough to open or close a block, or "".
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// kind is what a line is.
type kind uint8

const (
	plain kind = iota
	blank
	code // in a fenced block, or its first or last line
	rule // a line across the page
	heading
	bullet
)

// line is a line of a page.
type line struct {
	kind kind
	text string
	// indent is how many columns stand before the text.
	indent int
	level  int    // of a heading
	title  string // of a heading
	rest   string // what comes behind a bullet
}

// scan tells the kinds of lines.
func scan(text string) []line {
	var lines []line
	var fence Fence
	for raw := range strings.SplitSeq(text, "\n") {
		l := line{text: raw, indent: indentation(raw)}
		if fence.Code(raw) {
			l.kind = code
		} else {
			l.classify(strings.TrimSpace(raw))
		}
		lines = append(lines, l)
	}
	return lines
}

// tabWidth is how many columns a tab stands for.
const tabWidth = 4

func indentation(text string) int {
	columns := 0
	for _, c := range []byte(text) {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += tabWidth
		default:
			return columns
		}
	}
	return columns
}

var (
	ruleLine   = lazily(`^(?:(?:- ?){3,}|(?:\* ?){3,}|(?:_ ?){3,})$`)
	bulletLine = lazily(`^(?:[*+-]|\d{1,3}[.)])[ \t]+(.*)$`)
)

func (l *line) classify(text string) {
	switch {
	case text == "":
		l.kind = blank
	case text[0] == '#':
		l.asHeading(text)
	case ruleLine().MatchString(text):
		l.kind = rule
	default:
		if match := bulletLine().FindStringSubmatch(text); match != nil {
			l.kind, l.rest = bullet, match[1]
		}
	}
}

// deepest is the level of the smallest headings.
const deepest = 6

func (l *line) asHeading(text string) {
	title := strings.TrimLeft(text, "#")
	level := len(text) - len(title)
	if level <= deepest && (title == "" || title[0] == ' ' || title[0] == '\t') {
		l.kind, l.level, l.title = heading, level, strings.TrimSpace(title)
	}
}
