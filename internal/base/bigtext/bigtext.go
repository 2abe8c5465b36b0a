// Package bigtext puts together texts of many megabytes.
package bigtext

import (
	"io"
	"unsafe"
)

// Builder is a [strings.Builder] for texts that are large: where the system
// has large pages of memory, theirs are such. The first touch of a page costs
// microseconds whatever its size, which for a large text is more time than it
// takes to write it. The zero value is ready.
type Builder struct{ buf []byte }

// Grow makes room for n more bytes.
func (b *Builder) Grow(n int) {
	if n <= cap(b.buf)-len(b.buf) {
		return
	}
	room := make([]byte, len(b.buf), max(len(b.buf)+n, 2*cap(b.buf)))
	useLargePages(room[:cap(room)])
	copy(room, b.buf)
	b.buf = room
}

// Write implements io.Writer. It does not fail.
func (b *Builder) Write(p []byte) (int, error) {
	b.Grow(len(p))
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// String is the text. What is written later is not in it.
func (b *Builder) String() string {
	// Bytes that were written are never written again.
	return unsafe.String(unsafe.SliceData(b.buf), len(b.buf))
}

// Read reads a text to its end. It is about size bytes long.
func Read(r io.Reader, size int64) (string, error) {
	var text Builder
	text.Grow(int(size))
	_, err := io.Copy(&text, r)
	return text.String(), err
}
