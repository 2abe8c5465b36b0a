package ctyx

import "bytes"

// OtherMembers returns the names of the attributes whose bytes differ in two
// objects in msgpack. ok is false where these are not two objects of the same
// attributes in the same order: then nothing is known of them.
//
// What has the same bytes is the same value, under one type. What has others
// may be the same as well.
func OtherMembers(a, b []byte) (names []string, ok bool) {
	x, y := unpacker{rest: a}, unpacker{rest: b}
	n, okX := x.members(0x80, 0xde)
	m, okY := y.members(0x80, 0xde)
	if !okX || !okY || n != m {
		return nil, false
	}
	for range n {
		name, okX := x.raw()
		again, okY := y.raw()
		if !okX || !okY || !bytes.Equal(name, again) {
			return nil, false
		}
		before, okX := x.raw()
		after, okY := y.raw()
		if !okX || !okY {
			return nil, false
		}
		if bytes.Equal(before, after) {
			continue
		}
		key := unpacker{rest: name}
		text, ok := key.text()
		if !ok {
			return nil, false
		}
		names = append(names, text)
	}
	return names, true
}

// raw returns the bytes of the next value.
func (u *unpacker) raw() (out []byte, ok bool) {
	size, err := msgpackSize(u.rest)
	if err != nil {
		return nil, false
	}
	return u.take(size)
}
