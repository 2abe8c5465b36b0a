package packages

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlText is a TOML document that somebody laid out. What is set in it takes
// the bytes that it needs; all others stay.
type tomlText struct {
	src     []byte
	tree    map[string]any
	entries []tomlEntry
}

// tomlEntry is a key with its value, or a header.
type tomlEntry struct {
	// path is the whole way to it. Its first part, section long, is that of the
	// header that it stands below.
	path    []string
	section int
	kind    unstable.Kind // Table, ArrayTable or KeyValue
	// inline says that it stands in an inline table, and many that it stands
	// in an array of tables, of which each has another.
	inline, many bool
	// start and end are where a key begins and its value ends, in bytes; of a
	// header, they are around its names.
	start, end int
	// value is where the value begins, and of which kind it is.
	value     int
	valueKind unstable.Kind
	// elements are the texts of an array.
	elements []tomlElement
}

// tomlElement is a text in an array, and where it is, in bytes.
type tomlElement struct {
	text       string
	start, end int
}

var errLayout = errors.New("it cannot be changed as it is laid out")

// parseTOML reads a document.
func parseTOML(src []byte) (*tomlText, error) {
	t := &tomlText{src: src}
	if err := toml.Unmarshal(src, &t.tree); err != nil {
		return nil, err
	}
	parser := &unstable.Parser{}
	parser.Reset(src)
	var section []string
	many := false
	for parser.NextExpression() {
		node := parser.Expression()
		if node.Kind == unstable.KeyValue {
			t.add(node, tomlEntry{path: section, section: len(section), many: many})
			continue
		}
		path, start, end := tomlKeys(node)
		section, many = path, node.Kind == unstable.ArrayTable || t.belowMany(path)
		t.entries = append(t.entries, tomlEntry{path: path, section: len(path), kind: node.Kind, many: many, start: start, end: end})
	}
	return t, parser.Error()
}

// belowMany reports whether a header is one below an array of tables.
func (t *tomlText) belowMany(path []string) bool {
	return slices.ContainsFunc(t.entries, func(e tomlEntry) bool {
		return e.kind == unstable.ArrayTable && len(e.path) <= len(path) && slices.Equal(e.path, path[:len(e.path)])
	})
}

// tomlKeys are the names of a key or header, and where they are.
func tomlKeys(node *unstable.Node) (path []string, start, end int) {
	start = -1
	for keys := node.Key(); keys.Next(); {
		key := keys.Node()
		if start < 0 {
			start = int(key.Raw.Offset)
		}
		end = int(key.Raw.Offset + key.Raw.Length)
		path = append(path, string(key.Data))
	}
	return path, start, end
}

// add notes a key below what is known of where it stands, and those inside its
// value.
func (t *tomlText) add(node *unstable.Node, e tomlEntry) {
	names, _, nameEnd := tomlKeys(node)
	e.kind, e.path = unstable.KeyValue, slices.Concat(e.path, names)
	e.start, e.end = int(node.Raw.Offset), int(node.Raw.Offset+node.Raw.Length)
	rest := t.src[nameEnd:e.end]
	e.value = e.end - len(bytes.TrimLeft(rest[bytes.IndexByte(rest, '=')+1:], " \t"))
	value := node.Value()
	e.valueKind = value.Kind
	if value.Kind == unstable.Array {
		for elements := value.Children(); elements.Next(); {
			if element := elements.Node(); element.Kind == unstable.String {
				raw := element.Raw
				e.elements = append(e.elements, tomlElement{string(element.Data), int(raw.Offset), int(raw.Offset + raw.Length)})
			}
		}
	}
	t.entries = append(t.entries, e)
	if value.Kind == unstable.InlineTable {
		for members := value.Children(); members.Next(); {
			if member := members.Node(); member.Kind == unstable.KeyValue {
				t.add(member, tomlEntry{path: e.path, section: e.section, inline: true, many: e.many})
			}
		}
	}
}

// find returns the key at a path; nil where there is none, or a header.
func (t *tomlText) find(path ...string) *tomlEntry {
	return t.findKind(unstable.KeyValue, path)
}

func (t *tomlText) findKind(kind unstable.Kind, path []string) *tomlEntry {
	for i, e := range t.entries {
		if e.kind == kind && !e.many && slices.Equal(e.path, path) {
			return &t.entries[i]
		}
	}
	return nil
}

// replaced is the document with another value of a key.
func (t *tomlText) replaced(e *tomlEntry, literal string) []byte {
	return slices.Concat(t.src[:e.value], []byte(literal), t.src[e.end:])
}

// inserted is the document with another key in a table, which is made where it
// is not there.
func (t *tomlText) inserted(table []string, key, literal string) []byte {
	line := tomlKey(key) + " = " + literal
	if header := t.findKind(unstable.Table, table); header != nil {
		return t.below(t.lastOf(header), line)
	}
	if e := t.find(table...); e != nil && e.valueKind == unstable.InlineTable {
		return t.within(e, line)
	}
	if e := t.lastDotted(table); e != nil {
		for _, name := range slices.Backward(table[e.section:]) {
			line = tomlKey(name) + "." + line
		}
		return t.below(e, line)
	}
	return t.appended(table, line)
}

// lastOf is the last key of a header's own, or the header.
func (t *tomlText) lastOf(header *tomlEntry) *tomlEntry {
	last, inside := header, false
	for i := range t.entries {
		e := &t.entries[i]
		switch {
		case e == header:
			inside = true
		case inside && e.kind != unstable.KeyValue:
			return last
		case inside && !e.inline:
			last = e
		}
	}
	return last
}

// lastDotted is the last key whose dots make a table; nil where none do.
func (t *tomlText) lastDotted(table []string) (last *tomlEntry) {
	for i, e := range t.entries {
		if e.kind == unstable.KeyValue && !e.inline && !e.many && e.section < len(table) &&
			len(e.path) > len(table) && slices.Equal(e.path[:len(table)], table) {
			last = &t.entries[i]
		}
	}
	return last
}

// below adds a line after that of an entry, indented like it.
func (t *tomlText) below(e *tomlEntry, line string) []byte {
	begin := bytes.LastIndexByte(t.src[:e.start], '\n') + 1
	margin := t.src[begin : begin+len(t.src[begin:])-len(bytes.TrimLeft(t.src[begin:], " \t"))]
	at := len(t.src)
	if length := bytes.IndexByte(t.src[e.end:], '\n'); length >= 0 {
		at = e.end + length + 1
	}
	return slices.Concat(t.ended(t.src[:at]), margin, []byte(line+t.newline()), t.src[at:])
}

// within adds a key to an inline table.
func (t *tomlText) within(e *tomlEntry, line string) []byte {
	body := bytes.TrimRight(t.src[e.value:e.end-1], " \t\r\n")
	if len(body) == 1 { // the brace alone
		return t.replaced(e, "{ "+line+" }")
	}
	at := e.value + len(body)
	return slices.Concat(t.src[:at], []byte(", "+line), t.src[at:])
}

// appended adds a table at the end.
func (t *tomlText) appended(table []string, line string) []byte {
	names := make([]string, len(table))
	for i, name := range table {
		names[i] = tomlKey(name)
	}
	before := t.ended(t.src)
	if len(before) > 0 {
		before = append(before, t.newline()...)
	}
	return append(before, "["+strings.Join(names, ".")+"]"+t.newline()+line+t.newline()...)
}

// ended is a text whose last line has an end.
func (t *tomlText) ended(text []byte) []byte {
	text = slices.Clone(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, t.newline()...)
	}
	return text
}

func (t *tomlText) newline() string {
	if bytes.Contains(t.src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// withElement is the document with another text at the end of an array, laid
// out as those before it.
func (t *tomlText) withElement(e *tomlEntry, text string) []byte {
	literal := compact(text)
	if len(e.elements) == 0 {
		return t.firstElement(e, literal)
	}
	last := e.elements[len(e.elements)-1]
	comma := tomlComma(t.src[last.end : e.end-1])
	begin := bytes.LastIndexByte(t.src[:last.start], '\n') + 1
	margin := t.src[begin:last.start]
	if begin <= e.value || len(bytes.TrimLeft(margin, " \t")) > 0 { // it has neighbours on its line
		return slices.Concat(t.src[:last.end], []byte(", "+literal), t.src[last.end:])
	}
	ends := last.end + bytes.IndexByte(t.src[last.end:], '\n') + 1
	if ends <= last.end || ends > e.end { // the bracket is on its line
		return slices.Concat(t.src[:last.end], []byte(","+t.newline()), margin, []byte(literal), t.src[last.end:])
	}
	if comma {
		return slices.Concat(t.src[:ends], margin, []byte(literal+","+t.newline()), t.src[ends:])
	}
	return slices.Concat(t.src[:last.end], []byte(","), t.src[last.end:ends], margin, []byte(literal+t.newline()), t.src[ends:])
}

// tomlComma reports whether a comma stands in what follows an array's last
// element, outside of comments.
func tomlComma(rest []byte) bool {
	for line := range bytes.Lines(rest) {
		code, _, _ := bytes.Cut(line, []byte("#"))
		if bytes.IndexByte(code, ',') >= 0 {
			return true
		}
	}
	return false
}

func (t *tomlText) firstElement(e *tomlEntry, literal string) []byte {
	close := e.end - 1
	begin := bytes.LastIndexByte(t.src[:close], '\n') + 1
	if begin <= e.value {
		return t.replaced(e, "["+literal+"]")
	}
	return slices.Concat(t.src[:begin], []byte("    "+literal+","+t.newline()), t.src[begin:])
}

// proven returns a changed document if a reader of TOML sees the change in it,
// and nothing else that is new. change is made to a tree of the document's own.
func (t *tomlText) proven(changed []byte, change func(tree map[string]any)) ([]byte, error) {
	want, got := map[string]any{}, map[string]any{}
	if err := toml.Unmarshal(t.src, &want); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(changed, &got); err != nil {
		return nil, fmt.Errorf("%w: %w", errLayout, err)
	}
	if change(want); !reflect.DeepEqual(want, got) {
		return nil, errLayout
	}
	return changed, nil
}

// tomlTable is the table at a path of a tree, made where it is not there; nil
// where something else is.
func tomlTable(tree map[string]any, path ...string) map[string]any {
	for _, name := range path {
		if _, there := tree[name]; !there {
			tree[name] = map[string]any{}
		}
		next, ok := tree[name].(map[string]any)
		if !ok {
			return nil
		}
		tree = next
	}
	return tree
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func tomlKey(name string) string {
	if bareKey.MatchString(name) {
		return name
	}
	return compact(name)
}
