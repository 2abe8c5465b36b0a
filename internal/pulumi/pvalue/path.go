package pvalue

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// maxKey is the longest key, in bytes, that property.Path holds.
const maxKey = 1<<14 - 1

// Key is a step to a key of a map, which property.NewSegment panics at where
// it is too long: such a key is cut.
func Key(key string) property.PathSegment {
	return property.NewSegment(key[:min(len(key), maxKey)])
}

// PathText writes a path in the notation that the engine reads: `a.b[0]`, and
// `["k.x"]` for a key with anything but letters, digits and underscores. The
// empty path is "".
func PathText(path property.Path) string {
	var b strings.Builder
	for segment := range path.Segments {
		switch s := segment.(type) {
		case property.IndexSegment:
			fmt.Fprintf(&b, "[%d]", s.Index())
		case property.KeySegment:
			writeKey(&b, s.Key())
		}
	}
	return b.String()
}

func writeKey(b *strings.Builder, key string) {
	if !bare(key) {
		b.WriteString(`["` + strings.ReplaceAll(key, `"`, `\"`) + `"]`)
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.WriteString(key)
}

func bare(key string) bool {
	return key != "" && strings.IndexFunc(key, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_')
	}) < 0
}

// ParsePattern reads what [PathText] writes, and `*` and `[*]` for every key
// or index. It is as lenient as the engine: a bare key goes up to the next dot
// or bracket.
func ParsePattern(text string) (property.Glob, error) {
	var out property.Glob
	if text == "" {
		return out, errors.New("the path is empty")
	}
	for rest := text; rest != ""; {
		segment, after, err := parseSegment(rest, len(rest) == len(text))
		if err != nil {
			return property.Glob{}, fmt.Errorf("at character %d: %w", len(text)-len(rest)+1, err)
		}
		out, rest = out.AppendSegment(segment), after
	}
	return out, nil
}

func parseSegment(rest string, first bool) (segment property.GlobSegment, after string, err error) {
	if !first && rest[0] == '.' {
		rest = rest[1:]
	}
	switch {
	case strings.HasPrefix(rest, `["`):
		return parseQuoted(rest[2:])
	case strings.HasPrefix(rest, "["):
		return parseIndex(rest[1:])
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	switch rest[:end] {
	case "":
		return nil, "", errors.New("a name is missing")
	case "*":
		return property.Splat, rest[end:], nil
	}
	return Key(rest[:end]), rest[end:], nil
}

// parseQuoted reads a key and the `"]` after it. Only quotes are escaped.
func parseQuoted(rest string) (property.GlobSegment, string, error) {
	var key strings.Builder
	for i := 0; i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], `\"`):
			i++
			key.WriteByte('"')
		case strings.HasPrefix(rest[i:], `"]`):
			return Key(key.String()), rest[i+2:], nil
		case rest[i] == '"':
			return nil, "", errors.New("a bracket is missing after the key")
		default:
			key.WriteByte(rest[i])
		}
	}
	return nil, "", errors.New("the key has no end")
}

func parseIndex(rest string) (property.GlobSegment, string, error) {
	text, after, ok := strings.Cut(rest, "]")
	if !ok {
		return nil, "", errors.New("the bracket is not closed")
	}
	if text == "*" {
		return property.Splat, after, nil
	}
	i, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return nil, "", errors.New("a number is expected in the brackets")
	}
	return property.NewSegment(int(i)), after, nil
}
