package project

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The parser tells where a node begins, and not where it ends. The functions
// here find that in the source, guided by the node. Where a file is stranger
// than they expect, an edit turns out wrong, and its check refuses it.

// end is the offset after the last byte of n, without what follows in its
// line. indent is how far the lines around n are indented.
func (d *document) end(n *yaml.Node, indent int) int {
	switch n.Kind {
	case yaml.AliasNode:
		return d.offset(n) + len("*") + len(n.Value)
	case yaml.ScalarNode:
		return d.endOfScalar(n, indent)
	case yaml.MappingNode, yaml.SequenceNode:
		return d.endOfCollection(n)
	}
	return len(d.src)
}

func (d *document) endOfCollection(n *yaml.Node) int {
	at := d.skipProperties(d.offset(n))
	var last int
	if len(n.Content) > 0 {
		last = d.end(n.Content[len(n.Content)-1], d.indentOf(n))
	}
	opening := byte(0)
	if at < len(d.src) {
		opening = d.src[at]
	}
	if n.Style&yaml.FlowStyle == 0 || opening != '{' && opening != '[' {
		return max(at, last)
	}
	at = d.skipFlowSpace(max(at+1, last))
	return min(at+1, len(d.src)) // the closing bracket
}

// indentOf is the column, from 0, in which the entries of a block collection
// begin.
func (d *document) indentOf(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Column - 1
	}
	return n.Column - 1
}

// skipFlowSpace passes over what may stand between the last value of a flow
// collection and its closing bracket.
func (d *document) skipFlowSpace(at int) int {
	for at < len(d.src) {
		switch c := d.src[at]; {
		case c == '#':
			at = d.endOfLine(at)
		case c == ',' || isSpace(c):
			at++
		default:
			return at
		}
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// endOfLine is the offset of the line break that ends the line of at.
func (d *document) endOfLine(at int) int {
	if n := bytes.IndexAny(d.src[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(d.src)
}

// skipProperties passes over a node's anchor and tag.
func (d *document) skipProperties(at int) int {
	for at < len(d.src) && (d.src[at] == '&' || d.src[at] == '!') {
		for at < len(d.src) && !isSpace(d.src[at]) {
			at++
		}
		for at < len(d.src) && isSpace(d.src[at]) {
			at++
		}
	}
	return at
}

func (d *document) endOfScalar(n *yaml.Node, indent int) int {
	at := d.skipProperties(d.offset(n))
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return d.endOfDoubleQuoted(at)
	case n.Style&yaml.SingleQuotedStyle != 0:
		return d.endOfSingleQuoted(at)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return d.endOfBlock(at, indent)
	}
	return d.endOfPlain(at, n.Value)
}

func (d *document) endOfDoubleQuoted(at int) int {
	for at++; at < len(d.src) && d.src[at] != '"'; at++ {
		if d.src[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(d.src))
}

func (d *document) endOfSingleQuoted(at int) int {
	for at++; at < len(d.src); at++ {
		if d.src[at] != '\'' {
			continue
		}
		if at+1 == len(d.src) || d.src[at+1] != '\'' {
			return at + 1
		}
		at++ // a quote that is doubled is text
	}
	return len(d.src)
}

// endOfBlock is the end of a literal or folded text: all lines that are
// indented more than the entry that it belongs to.
func (d *document) endOfBlock(at, indent int) int {
	end := d.endOfLine(at)
	for line := d.lineAt(at) + 1; line < len(d.lines); line++ {
		start := d.lines[line]
		stop := d.endOfLine(start)
		text := d.src[start:stop]
		trimmed := bytes.TrimLeft(text, " ")
		switch {
		case len(bytes.TrimSpace(text)) == 0:
		case len(text)-len(trimmed) > indent:
			end = stop
		default:
			return end
		}
	}
	return end
}

// endOfPlain walks along an unquoted text, in whose value line breaks were
// folded.
func (d *document) endOfPlain(at int, value string) int {
	for len(value) > 0 && at < len(d.src) {
		r, size := utf8.DecodeRuneInString(value)
		if unicode.IsSpace(r) {
			value = strings.TrimLeftFunc(value, unicode.IsSpace)
			at += len(d.src[at:]) - len(bytes.TrimLeftFunc(d.src[at:], unicode.IsSpace))
			continue
		}
		value, at = value[size:], at+size
	}
	return min(at, len(d.src))
}
