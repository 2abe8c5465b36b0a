package project

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entryLines are the lines of one element of a block collection, indented as
// its neighbours are; name is "" for an item of a list.
func (e *editor) entryLines(in *yaml.Node, name string, value *yaml.Node) []string {
	margin := strings.Repeat(" ", max(0, e.doc.indentOf(in)))
	if in.Kind == yaml.SequenceNode {
		return e.blockLines(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{value}}, margin)
	}
	return e.blockLines(with(objectNode(), name, value), margin)
}

// blockLines writes a node in block style, without line breaks.
func (e *editor) blockLines(n *yaml.Node, margin string) []string {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(e.step)
	if err := encoder.Encode(n); err != nil {
		return []string{""} // the check after an edit refuses this
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = margin + line
		}
	}
	return lines
}

// flowEntry writes one element of a flow collection.
func (e *editor) flowEntry(name string, value *yaml.Node, margin string) string {
	if name == "" {
		return e.flowText(value, margin)
	}
	return quoted(name) + ": " + e.flowText(value, margin)
}

// flowText writes a node as JSON, which is YAML as well: in one line, or where
// margin is a line break and an indentation, over several.
func (e *editor) flowText(n *yaml.Node, margin string) string {
	if n.Kind == yaml.ScalarNode {
		return quoted(n.Value)
	}
	inner, separator := "", ", "
	if margin != "" {
		inner = margin + strings.Repeat(" ", e.step)
		separator = "," + inner
	}
	var elements []string
	for at := stride(n) - 1; at < len(n.Content); at += stride(n) {
		name := ""
		if n.Kind == yaml.MappingNode {
			name = n.Content[at-1].Value
		}
		elements = append(elements, e.flowEntry(name, n.Content[at], inner))
	}
	body := inner + strings.Join(elements, separator) + margin
	if n.Kind == yaml.MappingNode {
		return "{" + body + "}"
	}
	return "[" + body + "]"
}

func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""` // the check after an edit refuses this
	}
	return strings.TrimSuffix(out.String(), "\n")
}
