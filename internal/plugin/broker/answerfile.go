package broker

import (
	"encoding/binary"
	"hash/crc32"
	"io"
)

// magic opens a file: a name and a format number. The answer follows, and the
// CRC-32 of both, big-endian.
const magic = "formation-answer-1\n"

// piece is how much of a file is read at a time, in bytes.
const piece = 256 << 10

// decodeAnswer finds the answer in a file of that size, whole or not at all.
func decodeAnswer(file io.ReaderAt, size int64) (answer *io.SectionReader, ok bool) {
	length := size - int64(len(magic)) - crc32.Size
	if length < 0 {
		return nil, false
	}
	head := make([]byte, len(magic))
	if _, err := file.ReadAt(head, 0); err != nil || string(head) != magic {
		return nil, false
	}
	sum := crc32.NewIEEE()
	body := io.NewSectionReader(file, 0, size-crc32.Size)
	if _, err := io.CopyBuffer(sum, body, make([]byte, min(piece, size))); err != nil {
		return nil, false
	}
	trailer := make([]byte, crc32.Size)
	// All of it may be read although the file ends there.
	if n, _ := file.ReadAt(trailer, size-crc32.Size); n < len(trailer) || binary.BigEndian.Uint32(trailer) != sum.Sum32() {
		return nil, false
	}
	return io.NewSectionReader(file, int64(len(magic)), length), true
}

// encodeAnswer writes a file whose answer write writes.
func encodeAnswer(w io.Writer, write func(io.Writer) error) error {
	sum := crc32.NewIEEE()
	both := io.MultiWriter(w, sum)
	if _, err := io.WriteString(both, magic); err != nil {
		return err
	}
	if err := write(both); err != nil {
		return err
	}
	return binary.Write(w, binary.BigEndian, sum.Sum32())
}
