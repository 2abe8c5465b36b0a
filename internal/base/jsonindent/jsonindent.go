// Package jsonindent lays JSON out as [encoding/json.Indent] does with two
// spaces, for documents that are many megabytes: it does not look whether they
// are valid, which who calls it knows, and writes as it goes. What goes wrong,
// the Flush of the writer says.
package jsonindent

import (
	"bufio"
	"strings"
)

// Write lays out a value that stands depth levels deep.
func Write(out *bufio.Writer, src string, depth int) {
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
			Line(out, depth)
		case '}', ']':
			depth--
			Line(out, depth)
			_ = out.WriteByte(c)
		case ',':
			_ = out.WriteByte(c)
			Line(out, depth)
		case ':':
			_, _ = out.WriteString(": ")
		case ' ', '\t', '\r', '\n':
		default:
			_ = out.WriteByte(c)
		}
	}
}

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

// Line begins a line, depth levels deep.
func Line(out *bufio.Writer, depth int) {
	_ = out.WriteByte('\n')
	width := 2 * max(0, depth)
	for ; width > len(manySpaces); width -= len(manySpaces) {
		_, _ = out.WriteString(manySpaces)
	}
	_, _ = out.WriteString(manySpaces[:width])
}
