package packages

import (
	"bufio"
	"io"
	"strings"
)

// indent lays a JSON document out as json.Indent does with two spaces, for
// documents that are many megabytes: it does not look whether src is valid,
// which who calls it knows, and writes as it goes.
func indent(w io.Writer, src string) error {
	out := bufio.NewWriterSize(w, indentBuffer) // keeps the first error for Flush
	depth := 0
	for at := 0; at < len(src); at++ {
		switch c := src[at]; c {
		case '"':
			end := stringEnd(src, at)
			_, _ = out.WriteString(src[at:end])
			at = end - 1
		case '{', '[':
			_ = out.WriteByte(c)
			if end := at + 1 + blanks(src[at+1:]); end < len(src) && src[end] == c+2 { // its other half
				_ = out.WriteByte(src[end])
				at = end
				continue
			}
			depth++
			newLine(out, depth)
		case '}', ']':
			depth--
			newLine(out, depth)
			_ = out.WriteByte(c)
		case ',':
			_ = out.WriteByte(c)
			newLine(out, depth)
		case ':':
			_, _ = out.WriteString(": ")
		case ' ', '\t', '\r', '\n':
		default:
			_ = out.WriteByte(c)
		}
	}
	return out.Flush()
}

// indentBuffer is how much is written at a time, in bytes.
const indentBuffer = 256 << 10

// stringEnd is where the string that begins at a quotation mark ends, behind
// the other one.
func stringEnd(src string, at int) int {
	for end := at + 1; ; {
		length := strings.IndexByte(src[end:], '"')
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
func blanks(text string) int {
	return len(text) - len(strings.TrimLeft(text, " \t\r\n"))
}

const manySpaces = "                                                                "

func newLine(out *bufio.Writer, depth int) {
	_ = out.WriteByte('\n')
	width := 2 * max(0, depth)
	for ; width > len(manySpaces); width -= len(manySpaces) {
		_, _ = out.WriteString(manySpaces)
	}
	_, _ = out.WriteString(manySpaces[:width])
}
