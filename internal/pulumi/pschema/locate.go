package pschema

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// resolve gives a finding its range in the text and its JSON pointer (RFC
// 6901, as a URI fragment) as the address.
func (d *document) resolve(f finding) *diag.Diagnostic {
	start := min(max(int(f.at), 0), len(d.text))
	end := d.endAt(start)
	found := *f.Diagnostic
	return found.For(d.pointerTo(start)).At(hcl.Range{
		Filename: d.filename, Start: d.position(start), End: d.position(end),
	})
}

// endAt is the end of what stands at start: a string, a word, or the opening
// bracket of something larger, which nobody wants underlined as a whole.
func (d *document) endAt(start int) int {
	if start == len(d.text) {
		return start
	}
	switch d.text[start] {
	case '"':
		return endOfString(d.text, start)
	case '{', '[':
		return start + 1
	}
	word := (&cursor{text: d.text, pos: start}).word()
	return start + max(len(word), 1)
}

// position counts lines, and characters of a line, from 1.
func (d *document) position(offset int) hcl.Pos {
	line, begins := d.lines.at(d.text, offset)
	return hcl.Pos{
		Line: line, Byte: offset,
		Column: utf8.RuneCountInString(d.text[begins:offset]) + 1,
	}
}

// lineTable knows where lines begin, once it is asked.
type lineTable struct {
	once   sync.Once
	begins []int
}

// at returns the number of the line that offset is on, and where it begins.
func (l *lineTable) at(text string, offset int) (line, begins int) {
	l.once.Do(func() {
		l.begins = append(l.begins, 0)
		for i := 0; ; {
			next := strings.IndexByte(text[i:], '\n')
			if next < 0 {
				return
			}
			i += next + 1
			l.begins = append(l.begins, i)
		}
	})
	line = sort.SearchInts(l.begins, offset+1)
	return line, l.begins[line-1]
}

// pointerTo is the JSON pointer to what stands at offset, or to the innermost
// object or array around it.
func (d *document) pointerTo(offset int) string {
	at, found := slices.BinarySearchFunc(d.spans, offset, func(s span, offset int) int { return s.from - offset })
	if !found {
		at--
	}
	if at < 0 || offset >= d.spans[at].end {
		return "#"
	}
	if offset < d.spans[at].start {
		return d.spans[at].pointer()
	}
	c := &cursor{text: d.text[:d.spans[at].end], pos: d.spans[at].start, report: func(finding) {}}
	return d.spans[at].pointer() + c.pathTo(offset)
}

// pathTo descends from the next value to the one that holds offset.
func (c *cursor) pathTo(offset int) string {
	switch c.peek() {
	case '{':
		return c.pathInto(offset, func(enter func(name string)) {
			c.entries(func(key string, _ Place) { enter(escapePointer(key)) })
		})
	case '[':
		index := 0
		return c.pathInto(offset, func(enter func(name string)) {
			c.items(func() {
				enter(strconv.Itoa(index))
				index++
			})
		})
	}
	return ""
}

// pathInto finds among the parts of a value, each of which walk enters with
// the cursor at it, the one that holds offset. A key belongs to its value.
func (c *cursor) pathInto(offset int, walk func(enter func(name string))) string {
	path, done, before := "", false, c.pos
	walk(func(name string) {
		start := int(c.place())
		part := *c
		c.skip()
		if !done && offset > before && offset < c.pos {
			done = true
			path = "/" + name
			if offset >= start {
				path += part.pathTo(offset)
			}
		}
		before = c.pos
	})
	return path
}

// escapePointer writes a key as a part of a JSON pointer.
func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
