package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
)

// document is a YAML file, of which JSON is a part, with its places. Only the
// first document of a file counts.
type document struct {
	path string
	src  []byte
	// lines holds the offset of every line's first byte.
	lines []int
	// root is a mapping.
	root *yaml.Node
}

// byteOrderMark may open a file. It belongs to no line's text.
const byteOrderMark = "\ufeff"

// maxSource bounds a manifest, in bytes: more is no manifest.
const maxSource = 16 << 20

// parse reads src as a mapping. The document is nil where it is none.
func parse(path string, src []byte) (*document, diag.List) {
	switch {
	case len(src) > maxSource:
		return nil, diag.List{invalidYAML(path, fmt.Errorf("it is larger than %d MiB", maxSource>>20))}
	case !utf8.Valid(src):
		return nil, diag.List{invalidYAML(path, errors.New("it is not text in UTF-8"))}
	}
	d := &document{path: path, src: src, lines: lineStarts(src)}
	var top yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(src)).Decode(&top)
	switch {
	case errors.Is(err, io.EOF):
		return nil, diag.List{notAMapping(path, d.start())}
	case err != nil:
		return nil, diag.List{invalidYAML(path, err)}
	}
	d.root = resolve(top.Content[0])
	if d.root.Kind != yaml.MappingNode {
		return nil, diag.List{notAMapping(path, d.start())}
	}
	return d, nil
}

// lineStarts finds lines as YAML does, for which more than LF ends one.
func lineStarts(src []byte) []int {
	lines := []int{0}
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		lines[0] = len(byteOrderMark)
	}
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		at += size
		switch r {
		case '\r':
			if at < len(src) && src[at] == '\n' {
				continue
			}
		case '\n', '\u0085', '\u2028', '\u2029':
		default:
			continue
		}
		lines = append(lines, at)
	}
	return lines
}

// resolve follows aliases. One that leads to itself is left as it is.
func resolve(n *yaml.Node) *yaml.Node {
	for range 8 {
		if n.Kind != yaml.AliasNode || n.Alias == nil {
			break
		}
		n = n.Alias
	}
	return n
}

func isScalar(n *yaml.Node) bool { return resolve(n).Kind == yaml.ScalarNode }

// isNull reports whether n says nothing, as the value in "packages:" does.
func isNull(n *yaml.Node) bool {
	n = resolve(n)
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// offset is where n begins in the source, in bytes.
func (d *document) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(d.lines) {
		return len(d.src)
	}
	at := d.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(d.src[at:])
		at += size
	}
	return at
}

// rangeOf is where n stands.
func (d *document) rangeOf(n *yaml.Node) hcl.Range {
	start := d.offset(n)
	return hcl.Range{Filename: d.path, Start: d.pos(start), End: d.pos(max(start, d.end(n, 0)))}
}

// start is the empty range at the beginning of the file.
func (d *document) start() hcl.Range {
	at := hcl.Pos{Line: 1, Column: 1}
	return hcl.Range{Filename: d.path, Start: at, End: at}
}

// pos is the place of the byte at offset.
func (d *document) pos(offset int) hcl.Pos {
	line := d.lineAt(offset)
	from := min(d.lines[line], offset)
	return hcl.Pos{Line: line + 1, Column: utf8.RuneCount(d.src[from:offset]) + 1, Byte: offset}
}

// lineAt is the line of the byte at offset, from 0.
func (d *document) lineAt(offset int) int {
	line := len(d.lines) - 1
	for line > 0 && d.lines[line] > offset {
		line--
	}
	return line
}
