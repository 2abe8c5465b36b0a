package tfstate

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// document is the text that nodes point into, and gathers what is wrong.
type document struct {
	filename string
	src      []byte
	diags    diag.List
	errors   int
	// providers are those read so far, by their text: most resources of a
	// state share one.
	providers map[string]providerRef
	names     map[string]string // of members, by their text
	// dependencies are those that are valid.
	dependencies map[string]bool
}

// node is a JSON value at its place in a document that is known to be valid.
type node struct {
	doc        *document
	start, end int // bytes from 0, end not included
}

// member is a node under its name.
type member struct {
	name string
	node
}

// parse checks src as a whole, so that the scanners below need not.
func parse(src []byte, filename string) (node, *document) {
	doc := &document{filename: filename, src: src, providers: map[string]providerRef{}, names: map[string]string{}, dependencies: map[string]bool{}}
	if !json.Valid(src) {
		var raw json.RawMessage
		err := json.Unmarshal(src, &raw) // says why
		offset := len(src)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			offset = int(max(syntax.Offset-1, 0))
		}
		doc.diags = append(doc.diags, badSyntax(doc.rangeOf(offset, offset), err))
		return node{doc: doc}, doc
	}
	start := doc.skipSpace(0)
	return node{doc: doc, start: start, end: doc.skipValue(start)}, doc
}

// rangeOf is the source range between two byte offsets.
func (d *document) rangeOf(start, end int) hcl.Range {
	return hcl.Range{Filename: d.filename, Start: d.pos(start), End: d.pos(end)}
}

func (d *document) pos(offset int) hcl.Pos {
	offset = min(max(offset, 0), len(d.src))
	before := d.src[:offset]
	line := bytes.Count(before, []byte("\n"))
	column := offset - (bytes.LastIndexByte(before, '\n') + 1)
	return hcl.Pos{Line: line + 1, Column: column + 1, Byte: offset}
}

// skipSpace returns the offset of the next byte that is not white space.
func (d *document) skipSpace(at int) int {
	for at < len(d.src) && strings.IndexByte(" \t\r\n", d.src[at]) >= 0 {
		at++
	}
	return at
}

// skipValue returns the offset after the value that starts at at.
func (d *document) skipValue(at int) int {
	depth := 0
	for at < len(d.src) {
		switch c := d.src[at]; c {
		case '"':
			at = d.skipString(at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if depth == 0 {
				return d.skipLiteral(at)
			}
			at++
		}
		if depth == 0 {
			return at
		}
	}
	return at
}

func (d *document) skipString(at int) int {
	for at++; at < len(d.src); at++ {
		switch d.src[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(d.src)
}

func (d *document) skipLiteral(at int) int {
	for at < len(d.src) && strings.IndexByte(",]} \t\r\n", d.src[at]) < 0 {
		at++
	}
	return at
}

// raw is the node's text. It shares the document's memory.
func (n node) raw() json.RawMessage { return json.RawMessage(n.doc.src[n.start:n.end:n.end]) }

func (n node) isNull() bool { return string(n.raw()) == "null" }

func (n node) at() hcl.Range { return n.doc.rangeOf(n.start, n.end) }

// maxErrors is how many errors one file is worth; it is not read anyway.
const maxErrors = 100

func (n node) fail(d *diag.Diagnostic) {
	if d.Severity == diag.Error {
		if n.doc.errors == maxErrors {
			return
		}
		n.doc.errors++
	}
	n.doc.diags = append(n.doc.diags, d)
}

func (n node) malformed(what, want string) { n.fail(malformed(n.at(), what, want)) }

// rawObject is the text of an object that is decoded later; nil for null.
func (n node) rawObject(what string) json.RawMessage {
	if n.isNull() {
		return nil
	}
	if n.doc.src[n.start] != '{' {
		n.malformed(what, "an object")
	}
	return n.raw()
}

// object returns the members in file order. A null is an empty object.
func (n node) object(what string) []member {
	if n.isNull() {
		return nil
	}
	if n.doc.src[n.start] != '{' {
		n.malformed(what, "an object")
		return nil
	}
	var out []member
	var before earlier
	for at := n.doc.skipSpace(n.start + 1); n.doc.src[at] != '}'; {
		nameEnd := n.doc.skipString(at)
		name := n.doc.name(node{n.doc, at, nameEnd})
		start := n.doc.skipSpace(n.doc.skipSpace(nameEnd) + 1)
		value := node{n.doc, start, n.doc.skipValue(start)}
		if before.has(name, out) {
			value.fail(duplicateMember(value.at(), name))
		}
		out = append(out, member{name, value})
		at = n.doc.nextItem(value.end)
	}
	return out
}

// name decodes a member's name. A state has few, many times.
func (d *document) name(n node) string {
	raw := d.src[n.start:n.end]
	if known, ok := d.names[string(raw)]; ok {
		return known
	}
	name := n.text()
	d.names[string(raw)] = name
	return name
}

// earlier tells whether a member of an object was there before.
type earlier struct{ names map[string]bool }

func (e *earlier) has(name string, before []member) bool {
	const few = 16
	if len(before) < few {
		return slices.ContainsFunc(before, func(m member) bool { return m.name == name })
	}
	if e.names == nil {
		e.names = make(map[string]bool, 2*few)
		for _, m := range before {
			e.names[m.name] = true
		}
	}
	known := e.names[name]
	e.names[name] = true
	return known
}

// array returns the elements. A null is an empty array.
func (n node) array(what string) []node {
	if n.isNull() {
		return nil
	}
	if n.doc.src[n.start] != '[' {
		n.malformed(what, "an array")
		return nil
	}
	var out []node
	for at := n.doc.skipSpace(n.start + 1); n.doc.src[at] != ']'; {
		elem := node{n.doc, at, n.doc.skipValue(at)}
		out = append(out, elem)
		at = n.doc.nextItem(elem.end)
	}
	return out
}

// nextItem skips the comma after an item, if there is one.
func (d *document) nextItem(at int) int {
	at = d.skipSpace(at)
	if d.src[at] == ',' {
		at = d.skipSpace(at + 1)
	}
	return at
}

// text decodes a string that is known to be one.
func (n node) text() string {
	if inside := n.doc.src[n.start+1 : n.end-1]; isPlain(inside) {
		return string(inside)
	}
	var s string
	_ = json.Unmarshal(n.raw(), &s) // valid, or "" will do
	return s
}

// isPlain reports whether a string in JSON is what stands between its quotes.
func isPlain(inside []byte) bool {
	return !bytes.ContainsFunc(inside, func(r rune) bool { return r == '\\' || r > unicode.MaxASCII })
}

// str decodes a string; null is "".
func (n node) str(what string) string {
	if n.isNull() {
		return ""
	}
	if n.doc.src[n.start] != '"' {
		n.malformed(what, "a string")
		return ""
	}
	return n.text()
}

// uint decodes a whole number that is not negative; null is 0.
func (n node) uint(what string) uint64 {
	if n.isNull() {
		return 0
	}
	v, err := strconv.ParseUint(string(n.raw()), 10, 64)
	if err != nil {
		n.malformed(what, "a whole number that is not negative")
	}
	return v
}

func (n node) boolean(what string) bool {
	switch string(n.raw()) {
	case "true":
		return true
	case "false", "null":
		return false
	}
	n.malformed(what, "true or false")
	return false
}

// key decodes an instance key: a string, a number, or null for none. Of a
// number the whole part counts.
func (n node) key(what string) cty.Value {
	switch raw := string(n.raw()); {
	case raw == "null":
		return cty.NilVal
	case raw[0] == '"':
		return cty.StringVal(n.text())
	default:
		if i, err := strconv.ParseInt(raw, 10, 64); err == nil {
			return cty.NumberIntVal(i)
		}
		if f, err := strconv.ParseFloat(raw, 64); err == nil && math.Abs(f) < maxKey {
			return cty.NumberIntVal(int64(f))
		}
	}
	n.malformed(what, "a string or a number")
	return cty.NilVal
}

// maxKey is more than any number of instances, and exact as a float.
const maxKey = 1 << 53

// keep appends a member that is not known.
func (m *Members) keep(known member) {
	*m = append(*m, Member{Name: known.name, Value: known.raw()})
}
