package tfprovider

import (
	"errors"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is an encoded message that is being read, as text: the strings that
// are read from it share that.
type message struct {
	text string
	// depth is how many messages it lies in.
	depth int
	// err is why there is no more to read before the end; the first reason.
	err error
}

// tag is the number of a field and how it is encoded, as on the wire:
// number<<3 | encoding. Source: protobuf's encoding, "Message Structure".
type tag uint64

// The encodings that our messages use.
const (
	varint = tag(protowire.VarintType)
	length = tag(protowire.BytesType)
)

// field is one field of a message: a number where it is a varint, and a body
// where it has a length.
type field struct {
	tag    tag
	number uint64
	body   string
}

var (
	errDepth = errors.New("messages are nested too deep")
	errText  = errors.New("a text is not UTF-8")
	errTag   = errors.New("a field has a number that no field has")
	errShort = errors.New("a field is cut short or malformed")
)

// maxDepth is how deep messages may be nested; protobuf's own limit.
const maxDepth = 10000

// next reads the next field, if there is one.
func (m *message) next(f *field) bool {
	switch {
	case m.err != nil || m.text == "":
		return false
	case m.depth > maxDepth:
		m.err = errDepth
		return false
	}
	ok := m.tag(f) && m.value(f)
	if !ok {
		m.fail(errShort)
	}
	return ok
}

func (m *message) tag(f *field) (ok bool) {
	var key uint64
	key, m.text, ok = cutVarint(m.text)
	if id := key >> 3; ok && (id == 0 || id > uint64(protowire.MaxValidNumber)) {
		m.fail(errTag)
	}
	f.tag = tag(key)
	return m.err == nil && ok
}

func (m *message) value(f *field) (ok bool) {
	switch protowire.Type(f.tag & 7) {
	case protowire.VarintType:
		f.number, m.text, ok = cutVarint(m.text)
	case protowire.BytesType:
		var size uint64
		if size, m.text, ok = cutVarint(m.text); ok {
			f.body, m.text, ok = cut(m.text, size)
		}
	case protowire.Fixed32Type:
		_, m.text, ok = cut(m.text, 4)
	case protowire.Fixed64Type:
		_, m.text, ok = cut(m.text, 8)
	default: // groups, which these messages never had
	}
	return ok
}

// fail ends the reading.
func (m *message) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// count is how many fields m has of a kind. It reads nothing.
func (m message) count(kind tag) (n int) {
	var f field
	for m.next(&f) {
		if f.tag == kind {
			n++
		}
	}
	return n
}

// inner is the message in a field.
func (m *message) inner(f *field) *message { return &message{text: f.body, depth: m.depth + 1} }

// string is the text in a field.
func (m *message) string(f *field) string {
	if !utf8.ValidString(f.body) {
		m.fail(errText)
	}
	return f.body
}

// cut takes as many bytes off text.
func cut(text string, size uint64) (head, rest string, ok bool) {
	if size > uint64(len(text)) {
		return "", text, false
	}
	return text[:size], text[size:], true
}

// cutVarint takes a varint off text.
func cutVarint(text string) (value uint64, rest string, ok bool) {
	if text != "" && text[0] < 0x80 {
		return uint64(text[0]), text[1:], true
	}
	head := text[:min(len(text), maxVarint)]
	value, size := protowire.ConsumeVarint([]byte(head))
	if size < 0 {
		return 0, text, false
	}
	return value, text[size:], true
}

// maxVarint is the length of the longest varint, in bytes.
const maxVarint = 10

// bool is the flag in a field.
func (f *field) bool() bool { return protowire.DecodeBool(f.number) }
