package pschema

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cursor reads JSON that is known to be valid, once and from front to back.
// Strings are cut out of the text, not copied, unless they hold escapes. What
// is not of the wanted type is reported and skipped.
type cursor struct {
	text string
	pos  int
	// at is where text begins in the document, for reports.
	at     int
	report func(finding)
	// keys are the members seen so far of the objects being read, innermost
	// last, to find repeated ones.
	keys []string
}

// place is where the next value stands in the document.
func (c *cursor) place() Place {
	c.space()
	return Place(c.at + c.pos)
}

func (c *cursor) space() {
	for c.pos < len(c.text) && c.text[c.pos] <= ' ' {
		c.pos++
	}
}

// peek is the first byte of the next value, or what follows the last one.
func (c *cursor) peek() byte {
	c.space()
	if c.pos == len(c.text) {
		return 0
	}
	return c.text[c.pos]
}

// skip passes over the next value.
func (c *cursor) skip() {
	depth := 0
	for c.pos < len(c.text) {
		switch c.peek() {
		case '"':
			c.pos = endOfString(c.text, c.pos)
		case '{', '[':
			depth++
			c.pos++
		case '}', ']':
			depth--
			c.pos++
		case ',', ':':
			c.pos++
			continue
		default:
			c.word()
		}
		if depth <= 0 {
			return
		}
	}
}

// word takes a number, true, false or null.
func (c *cursor) word() string {
	c.space()
	start := c.pos
	for c.pos < len(c.text) && !endsWord(c.text[c.pos]) {
		c.pos++
	}
	return c.text[start:c.pos]
}

func endsWord(b byte) bool { return b <= ' ' || b == ',' || b == ']' || b == '}' }

// raw takes the next value as it is written.
func (c *cursor) raw() string {
	c.space()
	start := c.pos
	c.skip()
	return c.text[start:c.pos]
}

// endOfString is the byte after the string that begins at start.
func endOfString(text string, start int) int {
	for i := start + 1; i < len(text); {
		next := strings.IndexByte(text[i:], '"')
		if next < 0 {
			return len(text)
		}
		end := i + next
		if !escaped(text, start, end) {
			return end + 1
		}
		i = end + 1
	}
	return len(text)
}

// escaped reports whether an odd number of backslashes stands before at.
func escaped(text string, start, at int) bool {
	count := 0
	for at-1-count > start && text[at-1-count] == '\\' {
		count++
	}
	return count%2 == 1
}

// quoted takes a string, which the next value is.
func (c *cursor) quoted() string {
	c.space()
	start := c.pos
	c.pos = endOfString(c.text, start)
	inner := c.text[start+1 : c.pos-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return unquote(c.text[start:c.pos])
}

func unquote(quoted string) string {
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		return strings.ToValidUTF8(quoted, string(utf8.RuneError)) // not reached: the text is valid
	}
	return text
}

// is reports whether the next value begins as wanted. A null is skipped like
// an absent member; anything else that is not wanted is reported and skipped.
func (c *cursor) is(want string, begins byte) bool {
	place := c.place()
	found := c.peek()
	if found == begins {
		return true
	}
	if found != 'n' {
		c.report(wrongKind(place, want, kindOf(found)))
	}
	c.skip()
	return false
}

func kindOf(begins byte) string {
	switch begins {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

func (c *cursor) string() string {
	if !c.is("a string", '"') {
		return ""
	}
	return c.quoted()
}

func (c *cursor) bool() bool {
	if c.peek() == 't' {
		c.word()
		return true
	}
	if c.is("a boolean", 'f') {
		c.word()
	}
	return false
}

// members calls take for each member of an object, with the cursor at its
// value, which take must pass. A member that stands there twice is reported.
func (c *cursor) members(take func(key string)) {
	if !c.is("an object", '{') {
		return
	}
	outer := len(c.keys)
	c.each('}', func() {
		place := c.place()
		key := c.quoted()
		c.noteMember(outer, key, place)
		c.space()
		c.pos++ // the colon
		take(key)
	})
	c.keys = c.keys[:outer]
}

// maxKeys bounds how many keys of one object are remembered: more than any
// object has that is no map, so that a hostile one costs no more than it is long.
const maxKeys = 64

// noteMember remembers a key of the object whose keys begin at outer.
func (c *cursor) noteMember(outer int, key string, place Place) {
	for _, earlier := range c.keys[outer:] {
		if earlier == key {
			c.report(repeatedMember(place, key))
			return
		}
	}
	if len(c.keys)-outer < maxKeys {
		c.keys = append(c.keys, key)
	}
}

// entries calls take for each member of an object that is a map, as members
// does, but leaves repeated keys to the caller, who has the map to find them.
func (c *cursor) entries(take func(key string, place Place)) {
	if !c.is("an object", '{') {
		return
	}
	c.each('}', func() {
		place := c.place()
		key := c.quoted()
		c.space()
		c.pos++ // the colon
		take(key, place)
	})
}

// items calls take for each element of an array, with the cursor at it.
func (c *cursor) items(take func()) {
	if c.is("an array", '[') {
		c.each(']', take)
	}
}

// each steps from the opening bracket past the closing one.
func (c *cursor) each(closing byte, take func()) {
	c.pos++
	for c.pos < len(c.text) {
		switch c.peek() {
		case closing:
			c.pos++
			return
		case ',':
			c.pos++
		default:
			take()
		}
	}
}

// find looks for the part of the next value that has a name, or a number in
// an array, and stays before that value.
func (c *cursor) find(name string) (place Place, found bool) {
	ahead, index := *c, 0
	note := func(key string) {
		if key == name {
			place, found = ahead.place(), true
		}
		ahead.skip()
	}
	switch ahead.peek() {
	case '{':
		ahead.entries(func(key string, _ Place) { note(key) })
	case '[':
		ahead.items(func() { note(strconv.Itoa(index)); index++ })
	}
	return place, found
}
