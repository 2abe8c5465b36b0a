package pschema

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/formation-iac/formation/internal/base/diag"
)

// document is the text of a schema, with the extent of every resource,
// function and type, so that each can be decoded by itself.
type document struct {
	filename string
	text     string
	// header is the schema without resources, functions and types.
	header                      PackageSpec
	resources, functions, types section
	// spans hold all of those and the members of the header, in the order of the text.
	spans    []span
	findings findings
	lines    lineTable
}

// section leads from tokens to where their specs stand.
type section map[string]span

// span is the extent of a member: its key is at from, and its value is
// text[start:end]. section is "" for a member of the schema itself.
type span struct {
	section, key     string
	from, start, end int
}

// pointer is the JSON pointer to the member.
func (s span) pointer() string {
	if s.section == "" {
		return "#/" + escapePointer(s.key)
	}
	return "#/" + s.section + "/" + escapePointer(s.key)
}

func (s span) place() Place { return Place(s.start) }

// newDocument checks the syntax and finds the extents. It returns nil and
// errors where the text is no JSON object.
func newDocument(filename, data string) (*document, diag.List) {
	doc := &document{filename: filename}
	if err := syntaxError(data); err != nil {
		// Places are of the text as it is, whatever its letters.
		doc.text = data
		return nil, diag.List{doc.resolve(notJSON(err))}
	}
	doc.text = strings.ToValidUTF8(data, string(utf8.RuneError))
	c := doc.cursor(span{end: len(doc.text)})
	if place := c.place(); c.peek() != '{' {
		return nil, diag.List{doc.resolve(wrongKind(place, "an object", kindOf(c.peek())))}
	}
	c.members(func(key string) { doc.topMember(c, key) })
	sort.Slice(doc.spans, func(i, j int) bool { return doc.spans[i].start < doc.spans[j].start })
	return doc, nil
}

// view is a document of the same text that others may narrow and find mistakes
// in without a trace here.
func (d *document) view() *document {
	return &document{
		filename: d.filename, text: d.text, header: d.header, spans: d.spans,
		resources: d.resources, functions: d.functions, types: d.types,
	}
}

// syntaxError returns nil where data is one JSON value.
func syntaxError(data string) *json.SyntaxError {
	if isJSON(data) {
		return nil
	}
	var value json.RawMessage
	if syntax := (*json.SyntaxError)(nil); errors.As(json.Unmarshal([]byte(data), &value), &syntax) {
		return syntax
	}
	return &json.SyntaxError{}
}

// topMember indexes or decodes one member of the schema.
func (d *document) topMember(c *cursor, key string) {
	switch key {
	case "resources":
		d.resources = d.section(c, key)
	case "functions":
		d.functions = d.section(c, key)
	case "types":
		d.types = d.section(c, key)
	default:
		start := int(c.place())
		c.headerMember(&d.header, key)
		d.spans = append(d.spans, span{key: key, from: start, start: start, end: c.pos})
	}
}

// section finds the extents of the members of a map.
func (d *document) section(c *cursor, key string) section {
	found := section{}
	c.entries(func(token string, place Place) {
		if _, twice := found[token]; twice {
			c.report(repeatedMember(place, token))
		}
		start := int(c.place())
		c.skip()
		extent := span{section: key, key: token, from: int(place), start: start, end: c.pos}
		found[token] = extent
		d.spans = append(d.spans, extent)
	})
	return found
}

// cursor begins to read what stands in a span.
func (d *document) cursor(at span) *cursor {
	return &cursor{text: d.text[at.start:at.end], at: at.start, report: d.findings.add}
}

// tokens of a section are sorted.
func (s section) tokens() []string {
	tokens := make([]string, 0, len(s))
	for token := range s {
		tokens = append(tokens, token)
	}
	sort.Strings(tokens)
	return tokens
}
