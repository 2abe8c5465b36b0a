// Package sealed writes files that tell whether they are as they were written:
// a head that says what they are, a text, and the CRC-32 of both, big-endian.
// It is for what can be made again. A file that is cut short, damaged or of
// another head is none.
package sealed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/formation-iac/formation/internal/base/bigtext"
)

// piece is how much of a file is read at a time, in bytes.
const piece = 256 << 10

// Write writes a file whose text write writes.
func Write(w io.Writer, head string, write func(io.Writer) error) error {
	sum := crc32.NewIEEE()
	both := io.MultiWriter(w, sum)
	if _, err := io.WriteString(both, head); err != nil {
		return err
	}
	if err := write(both); err != nil {
		return err
	}
	return binary.Write(w, binary.BigEndian, sum.Sum32())
}

// Text finds the text in what Write wrote, without a copy.
func Text(file []byte, head string) (text []byte, ok bool) {
	body := len(file) - crc32.Size
	if body < len(head) || string(file[:len(head)]) != head || crc32.ChecksumIEEE(file[:body]) != binary.BigEndian.Uint32(file[body:]) {
		return nil, false
	}
	return file[len(head):body], true
}

// Open finds the text in a file of that size, which is read to its end for
// that, and need not be in memory.
func Open(file io.ReaderAt, size int64, head string) (text *io.SectionReader, ok bool) {
	body := size - crc32.Size
	if !begins(io.NewSectionReader(file, 0, size), head) || body < int64(len(head)) {
		return nil, false
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyBuffer(sum, io.NewSectionReader(file, 0, body), make([]byte, min(piece, size))); err != nil {
		return nil, false
	}
	if !ends(io.NewSectionReader(file, body, size), sum.Sum32()) {
		return nil, false
	}
	return io.NewSectionReader(file, int64(len(head)), body-int64(len(head))), true
}

// Read reads a file of that size. Its text may be large: it is in memory once.
func Read(r io.Reader, size int64, head string) (text string, ok bool) {
	length := size - int64(len(head)) - crc32.Size
	if !begins(r, head) || length < 0 {
		return "", false
	}
	sum := crc32.NewIEEE()
	_, _ = io.WriteString(sum, head) // never fails
	text, err := bigtext.Read(io.TeeReader(io.LimitReader(r, length), sum), length)
	if err != nil || !ends(r, sum.Sum32()) {
		return "", false
	}
	return text, true
}

// begins takes a head off r.
func begins(r io.Reader, head string) bool {
	found := make([]byte, len(head))
	_, err := io.ReadFull(r, found)
	return err == nil && string(found) == head
}

// ends reports whether all that is left of r is a checksum.
func ends(r io.Reader, sum uint32) bool {
	found, err := io.ReadAll(io.LimitReader(r, crc32.Size+1))
	return err == nil && bytes.Equal(found, binary.BigEndian.AppendUint32(nil, sum))
}
