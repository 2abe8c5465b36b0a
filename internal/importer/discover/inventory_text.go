package discover

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// errNotUTF8 is of bytes for which decoders would put U+FFFD in place: an id
// with that is another object's, or nobody's.
var errNotUTF8 = errors.New("it is not UTF-8; write the inventory in that encoding")

var errUTF16 = errors.New("it is UTF-16, as PowerShell writes files; write it in UTF-8 (Out-File -Encoding utf8)")

// isUTF16 reports whether a text begins with the mark of UTF-16.
func isUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// unreadableText looks for what the decoder of JSON would pass over: bytes that
// are no UTF-8, and escapes that are half a character. The offset is where the
// first is.
func unreadableText(text []byte) (offset int, err error) {
	if offset := invalidUTF8(text); offset >= 0 {
		return offset, errNotUTF8
	}
	if offset := loneSurrogate(text); offset >= 0 {
		return offset, errors.New("the escape stands for half a character; write both halves, or the character itself")
	}
	return 0, nil
}

// invalidUTF8 is where the first byte is that is no UTF-8; or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// loneSurrogate is where the first escape of JSON is that is half of a pair
// whose other half is missing; or -1.
func loneSurrogate(text []byte) int {
	for i := 0; i < len(text); i++ {
		next := bytes.IndexByte(text[i:], '\\')
		if next < 0 {
			return -1
		}
		i += next
		first, ok := escapedRune(text[i:])
		switch {
		case !ok:
			i++ // over what is escaped
		case !utf16.IsSurrogate(first):
			i += escapeLength - 1
		default:
			second, _ := escapedRune(text[i+escapeLength:])
			if utf16.DecodeRune(first, second) == utf8.RuneError {
				return i
			}
			i += 2*escapeLength - 1
		}
	}
	return -1
}

const escapeLength = len(`\u0000`)

// escapedRune reads an escape such as \u00e9 that text begins with.
func escapedRune(text []byte) (rune, bool) {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	return rune(n), err == nil
}
