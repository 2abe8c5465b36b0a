package project

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Nodes for what an edit puts into a file.

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

func listNode(texts []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, text := range texts {
		n.Content = append(n.Content, textNode(text))
	}
	return n
}

func objectNode() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

// with appends an entry to a mapping, and returns it.
func with(object *yaml.Node, name string, value *yaml.Node) *yaml.Node {
	object.Content = append(object.Content, textNode(name), value)
	return object
}

// nest makes the mapping whose value at path is value.
func nest(path []string, value *yaml.Node) *yaml.Node {
	for _, name := range slices.Backward(path) {
		value = with(objectNode(), name, value)
	}
	return value
}

// textsNode makes a mapping of texts, sorted by name.
func textsNode(texts map[string]string) *yaml.Node {
	object := objectNode()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		with(object, name, textNode(texts[name]))
	}
	return object
}

// entry is the index of the value that a mapping has under name, or -1.
func entry(object *yaml.Node, name string) int {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value == name && object.Content[i].ShortTag() != "!!merge" {
			return i + 1
		}
	}
	return -1
}

// same reports whether two nodes stand for the same value.
func same(a, b *yaml.Node) bool {
	x, err := plain(a)
	if err != nil {
		return false
	}
	y, err := plain(b)
	return err == nil && reflect.DeepEqual(x, y)
}

// assign puts value at path of a mapping, or nothing where value is nil. ok is
// false where something other than a mapping is on the way.
func assign(object *yaml.Node, path []string, value *yaml.Node) (ok bool) {
	if object.Kind != yaml.MappingNode {
		return false
	}
	at := entry(object, path[0])
	switch {
	case at < 0 && value == nil:
	case at < 0:
		with(object, path[0], nest(path[1:], value))
	case len(path) > 1 && !isNull(object.Content[at]):
		return assign(object.Content[at], path[1:], value)
	case value == nil:
		object.Content = slices.Delete(object.Content, at-1, at+1)
	default:
		object.Content[at] = nest(path[1:], value)
	}
	return true
}

// comments counts the lines of comment in and around n, each one times by.
func comments(n *yaml.Node, by int, into map[string]int) {
	for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(text) {
			into[strings.TrimSpace(line)] += by
		}
	}
	for _, inner := range n.Content {
		comments(inner, by, into)
	}
}
