package cli

import "bytes"

// indented lays a JSON document out as json.Indent does with two spaces, for
// documents that are many megabytes: it does not look whether src is valid,
// which who calls it knows.
func indented(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/2)
	depth := 0
	for at := 0; at < len(src); at++ {
		switch c := src[at]; c {
		case '"':
			end := stringEnd(src, at)
			out = append(out, src[at:end]...)
			at = end - 1
		case '{', '[':
			out = append(out, c)
			if end := at + 1 + blanks(src[at+1:]); end < len(src) && src[end] == c+2 { // its other half
				out = append(out, src[end])
				at = end
				continue
			}
			depth++
			out = newLine(out, depth)
		case '}', ']':
			depth--
			out = append(newLine(out, depth), c)
		case ',':
			out = newLine(append(out, c), depth)
		case ':':
			out = append(out, ": "...)
		case ' ', '\t', '\r', '\n':
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringEnd is where the string that begins at a quotation mark ends, behind
// the other one.
func stringEnd(src []byte, at int) int {
	for end := at + 1; ; {
		length := bytes.IndexByte(src[end:], '"')
		if length < 0 {
			return len(src)
		}
		end += length + 1
		escapes := 0
		for src[end-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
	}
}

// blanks is how much white space a text begins with.
func blanks(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
}

const manySpaces = "                                                                "

func newLine(out []byte, depth int) []byte {
	out = append(out, '\n')
	width := 2 * max(0, depth)
	for ; width > len(manySpaces); width -= len(manySpaces) {
		out = append(out, manySpaces...)
	}
	return append(out, manySpaces[:width]...)
}
