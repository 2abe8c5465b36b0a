package golang

import (
	"go/format"
	"strings"
	"unicode/utf8"
)

// What is written is formatted as gofmt would, so that it does not have to be
// read again for that: this file has the rules that depend on widths.

// row is a line whose cells stand below those of the lines around it, with
// documentation above it that parts it from the line before.
type row struct {
	documentation string
	cells         []string
}

// rows writes lines that are aligned as long as nothing stands between them.
func (f *file) rows(all []row) {
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].documentation == "" {
			to++
		}
		if text := all[from].documentation; text != "" {
			f.body.WriteString(commented("\t", text))
		}
		f.aligned(all[from:to])
		from = to
	}
}

// aligned writes lines below one another. All have as many cells.
func (f *file) aligned(lines []row) {
	widths := make([]int, len(lines[0].cells))
	for _, line := range lines {
		for i, cell := range line.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		f.body.WriteByte('\t')
		last := len(line.cells) - 1
		for i, cell := range line.cells {
			f.body.WriteString(cell)
			if i < last {
				f.pad(1 + widths[i] - utf8.RuneCountInString(cell))
			}
		}
		f.body.WriteByte('\n')
	}
}

func (f *file) pad(n int) {
	const spaces = "                                "
	for ; n > len(spaces); n -= len(spaces) {
		f.body.WriteString(spaces)
	}
	f.body.WriteString(spaces[:n])
}

// oneLine is how long a function without a name may be, in bytes, and stand on
// one line.
const oneLine = 100

// lambda writes a function without a name, whose body is one statement, in
// what a method returns.
func (f *file) lambda(before, signature, statement, behind string) {
	if len(signature)+len(statement) <= oneLine {
		f.printf("\treturn %s%s { %s }%s\n", before, signature, statement, behind)
		return
	}
	f.printf("\treturn %s%s {\n\t\t%s\n\t}%s\n", before, signature, statement, behind)
}

// formatted has gofmt align what follows rules of its own. Statements that it
// cannot read stay as they are.
func formatted(statements string) string {
	out, err := format.Source([]byte(statements))
	if err != nil {
		return statements
	}
	return string(out)
}

// indented moves statements in by a tab.
func indented(statements string) string {
	var b strings.Builder
	for line := range strings.Lines(statements) {
		b.WriteByte('\t')
		b.WriteString(line)
	}
	return b.String()
}
