package project

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// maxPlain bounds how many nodes plain visits: aliases can make a short file
// stand for an endless value.
const maxPlain = 100_000

var errTooLarge = errors.New("it stands for too large a value")

// plain is the value of n in Go's own types: nil, bool, int, float64, string,
// []any and map[string]any. Other scalars are strings.
func plain(n *yaml.Node) (any, error) {
	left := maxPlain
	return plainWithin(n, &left)
}

func plainWithin(n *yaml.Node, left *int) (any, error) {
	if *left--; *left < 0 {
		return nil, errTooLarge
	}
	n = resolve(n)
	switch n.Kind {
	case yaml.ScalarNode:
		return plainScalar(n)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			value, err := plainWithin(item, left)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		return plainMapping(n, left)
	}
	return nil, errTooLarge // an alias that leads to itself
}

func plainMapping(n *yaml.Node, left *int) (any, error) {
	object := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			return nil, errors.New("one of its keys is not text")
		}
		value, err := plainWithin(n.Content[i+1], left)
		if err != nil {
			return nil, err
		}
		object[key.Value] = value
	}
	return object, nil
}

func plainScalar(n *yaml.Node) (any, error) {
	var value any
	var err error
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		value, err = decodeAs[bool](n)
	case "!!int":
		if value, err = decodeAs[int](n); err != nil {
			value, err = decodeAs[float64](n)
		}
	case "!!float":
		value, err = decodeAs[float64](n)
	default:
		return n.Value, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not what its type says", n.Value)
	}
	return value, nil
}

func decodeAs[T any](n *yaml.Node) (T, error) {
	var v T
	err := n.Decode(&v)
	return v, err
}
