package project

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// editor gathers the patches that turn values of a document into others. It
// touches what differs and nothing else.
type editor struct {
	doc     *document
	newline string
	// step is how far the file indents, in spaces.
	step    int
	patches []patch
	// removed are keys, values and items that a patch takes out.
	removed map[*yaml.Node]bool
}

func newEditor(doc *document) *editor {
	e := &editor{doc: doc, newline: "\n", step: 2, removed: map[*yaml.Node]bool{}}
	if bytes.Contains(doc.src, []byte("\r\n")) {
		e.newline = "\r\n"
	}
	if step := indentation(doc.root); step > 0 {
		e.step = step
	}
	return e
}

// indentation is how far the first mapping in n is indented, or 0.
func indentation(n *yaml.Node) int {
	for i := 1; i < len(n.Content); i += 2 {
		value := n.Content[i]
		if n.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && len(value.Content) > 0 && value.Content[0].Line > n.Content[i-1].Line {
			return value.Content[0].Column - n.Content[i-1].Column
		}
	}
	return 0
}

// put makes want the value at path of a mapping.
func (e *editor) put(in *yaml.Node, path []string, want *yaml.Node) {
	at := entry(in, path[0])
	switch {
	case at < 0:
		e.insert(in, path[0], nest(path[1:], want))
	case len(path) > 1 && in.Content[at].Kind == yaml.MappingNode:
		e.put(in.Content[at], path[1:], want)
	default:
		e.change(in, at, nest(path[1:], want))
	}
}

// drop removes the value at path of a mapping, where there is one.
func (e *editor) drop(in *yaml.Node, path []string) {
	at := entry(in, path[0])
	switch {
	case at < 0:
	case len(path) > 1:
		e.drop(in.Content[at], path[1:])
	default:
		e.remove(in, at)
	}
}

// change makes want the value at an index of a collection.
func (e *editor) change(in *yaml.Node, at int, want *yaml.Node) {
	old := in.Content[at]
	switch {
	case same(old, want):
	case old.Kind != want.Kind || len(old.Content) == 0 || len(want.Content) == 0:
		e.replace(in, at, want)
	case old.Kind == yaml.MappingNode:
		e.changeFields(old, want)
	case old.Kind == yaml.SequenceNode:
		e.changeItems(old, want)
	default:
		e.replace(in, at, want)
	}
}

func (e *editor) changeFields(old, want *yaml.Node) {
	for i := 0; i+1 < len(old.Content); i += 2 {
		if entry(want, old.Content[i].Value) < 0 {
			e.remove(old, i+1)
		}
	}
	for i := 0; i+1 < len(want.Content); i += 2 {
		e.put(old, []string{want.Content[i].Value}, want.Content[i+1])
	}
}

func (e *editor) changeItems(old, want *yaml.Node) {
	for i := len(want.Content); i < len(old.Content); i++ {
		e.remove(old, i)
	}
	for i, item := range want.Content {
		if i < len(old.Content) {
			e.change(old, i, item)
		} else {
			e.insert(old, "", item)
		}
	}
}

func (e *editor) patch(from, to int, text string) {
	e.patches = append(e.patches, patch{from, to, text})
}

// first is the node with which the element at an index begins: the key of a
// mapping's value, or the item itself.
func first(in *yaml.Node, at int) *yaml.Node {
	if in.Kind == yaml.MappingNode {
		return in.Content[at-1]
	}
	return in.Content[at]
}

// flow reports whether a collection is written in brackets.
func flow(in *yaml.Node) bool { return in.Style&yaml.FlowStyle != 0 }

// replace writes want in the place of the value at an index.
func (e *editor) replace(in *yaml.Node, at int, want *yaml.Node) {
	old := in.Content[at]
	from := e.doc.offset(old)
	to := e.doc.end(old, e.doc.indentOf(in))
	switch {
	case flow(in):
		e.patch(from, to, e.spaced(from)+e.flowText(want, e.margin(from)))
	case want.Kind == yaml.ScalarNode:
		e.patch(from, to, e.spaced(from)+e.blockLines(want, "")[0])
	default:
		e.replaceByBlock(in, at, want, from, to)
	}
}

// replaceByBlock writes a block below its key. What stands behind the old
// value in its line, a comment, stays behind the key.
func (e *editor) replaceByBlock(in *yaml.Node, at int, want *yaml.Node, from, to int) {
	lines := e.entryLines(in, first(in, at).Value, want)[1:]
	if in.Content[at].Line > first(in, at).Line {
		e.patch(e.doc.lines[e.doc.lineAt(from)], to, strings.Join(lines, e.newline))
		return
	}
	trimmed := from
	for trimmed > 0 && e.doc.src[trimmed-1] == ' ' {
		trimmed--
	}
	eol := e.doc.endOfLine(to)
	e.patch(trimmed, to, "")
	e.patch(eol, eol, e.newline+strings.Join(lines, e.newline))
}

// spaced is the space that a value needs after a colon or a dash.
func (e *editor) spaced(at int) string {
	if at > 0 && (e.doc.src[at-1] == ':' || e.doc.src[at-1] == '-') {
		return " "
	}
	return ""
}

// insert adds an element to the end of a collection; name is "" for an item of
// a list.
func (e *editor) insert(in *yaml.Node, name string, want *yaml.Node) {
	last := e.lastKept(in)
	switch {
	case flow(in):
		e.insertFlow(in, last, name, want)
	case last < 0:
		e.patches = append(e.patches, impossible())
	default:
		at := e.doc.endOfLine(e.doc.end(in.Content[last], e.doc.indentOf(in)))
		e.patch(at, at, e.newline+strings.Join(e.entryLines(in, name, want), e.newline))
	}
}

// impossible is a patch that makes the whole edit fail.
func impossible() patch { return patch{from: 1, to: 0} }

// lastKept is the index of the last value that stays, or -1.
func (e *editor) lastKept(in *yaml.Node) int {
	for at := len(in.Content) - 1; at >= 0; at -= stride(in) {
		if !e.removed[first(in, at)] {
			return at
		}
	}
	return -1
}

// stride is how many nodes one element of a collection has.
func stride(in *yaml.Node) int {
	if in.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

func (e *editor) insertFlow(in *yaml.Node, last int, name string, want *yaml.Node) {
	if last < 0 {
		at := e.doc.offset(in) + len("{")
		e.patch(at, at, e.flowEntry(name, want, ""))
		return
	}
	separator := ", "
	margin := e.margin(e.doc.offset(first(in, last)))
	if margin != "" {
		separator = "," + margin
	}
	at := e.doc.end(in.Content[last], 0)
	e.patch(at, at, separator+e.flowEntry(name, want, margin))
}

// margin is the line break and the indentation before the line of at, where
// at is the first thing in it; else "".
func (e *editor) margin(at int) string {
	line := e.doc.lineAt(at)
	indent := e.doc.src[e.doc.lines[line]:at]
	if line == 0 || len(bytes.TrimLeft(indent, " \t")) > 0 {
		return ""
	}
	return e.newline + string(indent)
}

// remove takes the element at an index out, with its line where it has one.
// Comments above it stay.
func (e *editor) remove(in *yaml.Node, at int) {
	begin := first(in, at)
	e.removed[begin], e.removed[in.Content[at]] = true, true
	from := e.doc.offset(begin)
	to := e.doc.end(in.Content[at], e.doc.indentOf(in))
	switch next := at + stride(in); {
	case !flow(in):
		e.patch(e.doc.lines[e.doc.lineAt(from)], e.doc.nextLine(to), "")
	case next < len(in.Content):
		e.patch(from, e.doc.offset(first(in, next)), "")
	case at >= stride(in):
		e.patch(e.doc.end(in.Content[at-stride(in)], 0), to, "")
	default:
		e.patch(from, to, "")
	}
}

// nextLine is the offset at which the line after that of at begins.
func (d *document) nextLine(at int) int {
	if line := d.lineAt(at) + 1; line < len(d.lines) {
		return d.lines[line]
	}
	return len(d.src)
}
