package tfregistry

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/ast"
	hclparser "github.com/hashicorp/hcl/hcl/parser"
	"github.com/hashicorp/hcl/hcl/token"
	hcl2 "github.com/hashicorp/hcl/v2"
)

// cliEntry is one argument or block of a CLI configuration file. The format
// is the first HCL, in native or JSON syntax, where `a "b" {}`, `a { b {} }`
// and `{"a":{"b":{}}}` mean the same: here each is an entry a holding an
// entry b.
type cliEntry struct {
	key string
	at  hcl2.Range
	// entries are set for a block or object (maybe empty, never nil then),
	// list for a list; of the rest, scalar is a string, a bool or, for all
	// that no argument takes, nil.
	entries []cliEntry
	list    []cliEntry
	scalar  any
}

// maxCLIFile bounds a configuration file in bytes, and with it how deep the
// parsers' recursion can go.
const maxCLIFile = 256 << 10

// parseCLITree reads one file. The error is a diagnostic.
func parseCLITree(src []byte, filename string) ([]cliEntry, error) {
	if len(src) > maxCLIFile {
		return nil, invalidCLIFile(hcl2.Range{Filename: filename}, fmt.Sprintf("the file has %d bytes; at most %d are read", len(src), maxCLIFile))
	}
	if bytes.HasPrefix(bytes.TrimLeft(src, " \t\r\n"), []byte("{")) {
		return parseJSONTree(src, filename)
	}
	return parseNativeTree(src, filename)
}

// quoted finds what the parser quotes from the file, which may be a token.
var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)

// parseNativeTree reads native syntax. The parser is known to panic on some
// texts, and these are malformed like any other.
func parseNativeTree(src []byte, filename string) (entries []cliEntry, err error) {
	defer func() {
		if recover() != nil {
			entries, err = nil, invalidCLIFile(hcl2.Range{Filename: filename}, "the file is not in the format of CLI configuration files")
		}
	}()
	file, err := hcl.ParseBytes(src)
	if err != nil {
		at := hcl2.Range{Filename: filename}
		var positioned *hclparser.PosError
		if errors.As(err, &positioned) {
			at = rangeAt(filename, positioned.Pos)
			err = positioned.Err
		}
		return nil, invalidCLIFile(at, quoted.ReplaceAllString(err.Error(), "…"))
	}
	root, ok := file.Node.(*ast.ObjectList)
	if !ok {
		return nil, invalidCLIFile(hcl2.Range{Filename: filename}, "the file holds no object")
	}
	return entriesOf(root, filename), nil
}

func entriesOf(list *ast.ObjectList, filename string) []cliEntry {
	out := []cliEntry{}
	for _, item := range list.Items {
		if len(item.Keys) == 0 {
			continue
		}
		entry := valueEntry(item.Val, filename)
		for i := len(item.Keys) - 1; i >= 0; i-- {
			key := item.Keys[i].Token
			entry.key, _ = key.Value().(string)
			entry.at = rangeAt(filename, key.Pos)
			if i > 0 {
				entry = cliEntry{entries: []cliEntry{entry}}
			}
		}
		out = append(out, entry)
	}
	return out
}

func valueEntry(node ast.Node, filename string) cliEntry {
	switch node := node.(type) {
	case *ast.ObjectType:
		return cliEntry{at: rangeAt(filename, node.Lbrace), entries: entriesOf(node.List, filename)}
	case *ast.ListType:
		entry := cliEntry{at: rangeAt(filename, node.Lbrack), list: []cliEntry{}}
		for _, member := range node.List {
			entry.list = append(entry.list, valueEntry(member, filename))
		}
		return entry
	case *ast.LiteralType:
		entry := cliEntry{at: rangeAt(filename, node.Token.Pos)}
		switch node.Token.Type {
		case token.STRING, token.HEREDOC, token.BOOL:
			entry.scalar = node.Token.Value()
		}
		return entry
	}
	return cliEntry{at: hcl2.Range{Filename: filename}}
}

func rangeAt(filename string, pos token.Pos) hcl2.Range {
	start := hcl2.Pos{Line: pos.Line, Column: pos.Column, Byte: pos.Offset}
	return hcl2.Range{Filename: filename, Start: start, End: start}
}

// block returns the members of an object, taking a list of objects (JSON's
// way to repeat a block) as one.
func (e cliEntry) block() ([]cliEntry, error) {
	if e.entries != nil {
		return e.entries, nil
	}
	if e.list == nil {
		return nil, invalidCLIFile(e.at, fmt.Sprintf("%q must be a block", e.key))
	}
	out := []cliEntry{}
	for _, member := range e.list {
		if member.entries == nil {
			return nil, invalidCLIFile(e.at, fmt.Sprintf("%q must be a block", e.key))
		}
		out = append(out, member.entries...)
	}
	return out, nil
}

func (e cliEntry) text() (string, error) {
	if s, ok := e.scalar.(string); ok {
		return s, nil
	}
	return "", invalidCLIFile(e.at, fmt.Sprintf("%q must be a string", e.key))
}

func (e cliEntry) texts() ([]string, error) {
	if e.list == nil {
		return nil, invalidCLIFile(e.at, fmt.Sprintf("%q must be a list of strings", e.key))
	}
	out := make([]string, 0, len(e.list))
	for _, member := range e.list {
		member.key = e.key
		s, err := member.text()
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (e cliEntry) boolean() (bool, error) {
	if b, ok := e.scalar.(bool); ok {
		return b, nil
	}
	return false, invalidCLIFile(e.at, fmt.Sprintf("%q must be true or false", e.key))
}
