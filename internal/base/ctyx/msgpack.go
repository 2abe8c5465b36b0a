package ctyx

import (
	"encoding/binary"
	"errors"
)

var (
	errMsgpackEnds = errors.New("msgpack ends in the middle of a value")
	errMsgpackDeep = errors.New("msgpack is nested too deep")
	errMsgpackByte = errors.New("msgpack holds a byte that begins nothing")
)

// maxDepth bounds how deep values nest, far beyond any schema: decoders
// recurse.
const maxDepth = 1000

// checkMsgpack walks one value without decoding it. Decoders make room for as
// many elements as a header announces, so that five bytes can ask for more
// memory than there is; no header may announce more than there are bytes.
// Source: the MessagePack specification, format overview.
func checkMsgpack(data []byte) error {
	_, err := msgpackSize(data)
	return err
}

// msgpackSize is how many bytes the first value of data has.
func msgpackSize(data []byte) (int, error) {
	var room [8]uint64
	whole, open := len(data), append(room[:0], 1) // values to come, by depth
	for len(open) > 0 {
		last := len(open) - 1
		if open[last] == 0 {
			open = open[:last]
			continue
		}
		open[last]--
		size, members, err := msgpackHead(data)
		if err != nil {
			return 0, err
		}
		if size > uint64(len(data)) {
			return 0, errMsgpackEnds
		}
		data = data[size:]
		switch {
		case members > uint64(len(data)):
			return 0, errMsgpackEnds
		case members > 0 && len(open) == maxDepth:
			return 0, errMsgpackDeep
		case members > 0:
			open = append(open, members)
		}
	}
	return whole - len(data), nil
}

// KnownMsgpack reports whether a value in msgpack is known to have no unknown
// values: those are the only extensions in it. False says nothing.
func KnownMsgpack(data []byte) bool {
	whole := len(data) > 0
	for len(data) > 0 {
		size, _, err := msgpackHead(data)
		if err != nil || size > uint64(len(data)) || isExtension(data[0]) {
			return false
		}
		data = data[size:]
	}
	return whole
}

// isExtension reports whether a value that begins with b is of a type that is
// not msgpack's own.
func isExtension(b byte) bool { return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8 }

// msgpackHead returns the size in bytes of what comes first, members apart,
// and how many members follow it.
func msgpackHead(data []byte) (size, members uint64, err error) {
	if len(data) == 0 {
		return 0, 0, errMsgpackEnds
	}
	switch b := data[0]; {
	case b <= 0x7f, b >= 0xe0, b == 0xc0, b == 0xc2, b == 0xc3: // small numbers, nil, booleans
		return 1, 0, nil
	case b <= 0x8f: // map
		return 1, 2 * uint64(b&0x0f), nil
	case b <= 0x9f: // array
		return 1, uint64(b & 0x0f), nil
	case b <= 0xbf: // string
		return 1 + uint64(b&0x1f), 0, nil
	case b <= 0xc6 && b != 0xc1: // binary
		return lengthened(data, 1<<(b-0xc4), 0)
	case b >= 0xc7 && b <= 0xc9: // extension, with a byte for its type
		return lengthened(data, 1<<(b-0xc7), 1)
	case b == 0xca, b == 0xcb: // floats
		return 1 + 4<<(b-0xca), 0, nil
	case b >= 0xcc && b <= 0xcf: // unsigned
		return 1 + 1<<(b-0xcc), 0, nil
	case b >= 0xd0 && b <= 0xd3: // signed
		return 1 + 1<<(b-0xd0), 0, nil
	case b >= 0xd4 && b <= 0xd8: // extension of fixed length
		return 2 + 1<<(b-0xd4), 0, nil
	case b >= 0xd9 && b <= 0xdb: // string
		return lengthened(data, 1<<(b-0xd9), 0)
	case b >= 0xdc: // array and map: here the length counts members
		length, err := bigEndian(data[1:], 2<<(b&1))
		if b >= 0xde {
			length *= 2
		}
		return 1 + 2<<(b&1), length, err
	default:
		return 0, 0, errMsgpackByte
	}
}

// lengthened is the head of a value with its length after the first byte.
func lengthened(data []byte, width int, extra uint64) (size, members uint64, err error) {
	length, err := bigEndian(data[1:], width)
	return 1 + uint64(width) + extra + length, 0, err
}

func bigEndian(data []byte, width int) (uint64, error) {
	if len(data) < width {
		return 0, errMsgpackEnds
	}
	var wide [8]byte
	copy(wide[8-width:], data[:width])
	return binary.BigEndian.Uint64(wide[:]), nil
}
