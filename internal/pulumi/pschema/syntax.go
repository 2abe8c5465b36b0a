package pschema

import "strings"

// isJSON reports whether a text is one JSON value, as json.Valid does. Schemas
// have many megabytes, most of them in strings; it is made for these.
func isJSON(text string) bool {
	s := syntax{text: text}
	s.blanks()
	if !s.value(0) {
		return false
	}
	s.blanks()
	return s.at == len(text)
}

// deepest is how many values may stand in each other, as in encoding/json.
const deepest = 10_000

// syntax reads a JSON text from front to back.
type syntax struct {
	text string
	at   int
}

// peek is the next byte; 0 at the end, which no value begins with.
func (s *syntax) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *syntax) blanks() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// take reads a byte, if it is the next.
func (s *syntax) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *syntax) value(depth int) bool {
	switch c := s.peek(); c {
	case '{':
		return s.members(depth+1, '}', func() bool {
			if s.blanks(); !s.str() {
				return false
			}
			s.blanks()
			return s.take(':') && s.element(depth+1)
		})
	case '[':
		return s.members(depth+1, ']', func() bool { return s.element(depth + 1) })
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

// element reads a value with the white space around it.
func (s *syntax) element(depth int) bool {
	s.blanks()
	if !s.value(depth) {
		return false
	}
	s.blanks()
	return true
}

// members reads an object or an array, whose first byte is next.
func (s *syntax) members(depth int, end byte, member func() bool) bool {
	if depth > deepest {
		return false
	}
	s.at++
	if s.blanks(); s.take(end) {
		return true
	}
	for member() {
		if s.take(end) {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
	return false
}

func (s *syntax) word(text string) bool {
	if !strings.HasPrefix(s.text[s.at:], text) {
		return false
	}
	s.at += len(text)
	return true
}

func (s *syntax) str() bool {
	if !s.take('"') {
		return false
	}
	for {
		s.at += plain(s.text[s.at:])
		switch s.peek() {
		case '"':
			s.at++
			return true
		case '\\':
			if !s.escape() {
				return false
			}
		default: // a control character, or the end
			return false
		}
	}
}

// plain is how many bytes a text begins with that mean themselves in a string.
func plain(text string) int {
	for at := range len(text) {
		if c := text[at]; c == '"' || c == '\\' || c < ' ' {
			return at
		}
	}
	return len(text)
}

func (s *syntax) escape() bool {
	s.at++
	c := s.peek()
	s.at++
	if c != 'u' {
		return c != 0 && strings.IndexByte(`"\/bfnrt`, c) >= 0
	}
	for range 4 {
		if !isHex(s.peek()) {
			return false
		}
		s.at++
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func (s *syntax) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		_ = s.take('+') || s.take('-')
		return s.digits()
	}
	return true
}

// digits reads one digit or more.
func (s *syntax) digits() bool {
	from := s.at
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > from
}
