package tfprovider

import (
	"errors"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is an encoded message that is being read.
type message struct {
	data []byte
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
	body   []byte
}

var (
	errDepth = errors.New("messages are nested too deep")
	errText  = errors.New("a text is not UTF-8")
	errTag   = errors.New("a field has a number that no field has")
)

// maxDepth is how deep messages may be nested; protobuf's own limit.
const maxDepth = 10000

// next reads the next field, if there is one.
func (m *message) next(f *field) bool {
	if m.depth > maxDepth {
		m.fail(errDepth)
	}
	if m.err != nil || len(m.data) == 0 {
		return false
	}
	id, encoding, size := protowire.ConsumeTag(m.data)
	if !m.skip(size) {
		return false
	}
	if id > protowire.MaxValidNumber {
		m.fail(errTag)
		return false
	}
	f.tag = tag(id)<<3 | tag(encoding)
	switch encoding {
	case protowire.VarintType:
		f.number, size = protowire.ConsumeVarint(m.data)
	case protowire.BytesType:
		f.body, size = protowire.ConsumeBytes(m.data)
	default: // nothing of ours
		size = protowire.ConsumeFieldValue(id, encoding, m.data)
	}
	return m.skip(size)
}

// skip passes over what was read; a negative size is protowire's code for what
// is wrong with it.
func (m *message) skip(size int) bool {
	if size < 0 {
		m.fail(protowire.ParseError(size))
		return false
	}
	m.data = m.data[size:]
	return true
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
func (m *message) inner(f *field) *message { return &message{data: f.body, depth: m.depth + 1} }

// string is the text in a field. It shares the bytes of the message, which are
// not to change.
func (m *message) string(f *field) string {
	if !utf8.Valid(f.body) {
		m.fail(errText)
	}
	return unsafe.String(unsafe.SliceData(f.body), len(f.body))
}

// bool is the flag in a field.
func (f *field) bool() bool { return protowire.DecodeBool(f.number) }
