package tfregistry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	hcl2 "github.com/hashicorp/hcl/v2"
)

// parseJSONTree reads JSON syntax, keeping the order of members.
func parseJSONTree(src []byte, filename string) ([]cliEntry, error) {
	p := &jsonTree{src: src, filename: filename, dec: json.NewDecoder(bytes.NewReader(src))}
	root, err := p.value()
	if err == nil {
		if _, err = p.dec.Token(); errors.Is(err, io.EOF) {
			return root.entries, nil
		}
		err = errors.New("something follows the object")
	}
	// What the decoder says may quote the file, and with it a token.
	return nil, invalidCLIFile(p.here(), "the file is not valid JSON: "+quoted.ReplaceAllString(err.Error(), "…"))
}

type jsonTree struct {
	src      []byte
	filename string
	dec      *json.Decoder
}

// here is the place up to which was read.
func (p *jsonTree) here() hcl2.Range {
	offset := min(int(p.dec.InputOffset()), len(p.src))
	before := p.src[:offset]
	pos := hcl2.Pos{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: offset - bytes.LastIndexByte(before, '\n'),
		Byte:   offset,
	}
	return hcl2.Range{Filename: p.filename, Start: pos, End: pos}
}

func (p *jsonTree) value() (cliEntry, error) {
	tok, err := p.dec.Token()
	entry := cliEntry{at: p.here()}
	if err != nil {
		return entry, err
	}
	switch tok := tok.(type) {
	case string, bool:
		entry.scalar = tok
	case json.Delim:
		if tok == '[' {
			entry.list, err = p.members(false)
		} else {
			entry.entries, err = p.members(true)
		}
	}
	return entry, err
}

// members reads an object or list up to its end.
func (p *jsonTree) members(keyed bool) ([]cliEntry, error) {
	out := []cliEntry{}
	for p.dec.More() {
		key := ""
		at := p.here()
		if keyed {
			tok, err := p.dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ = tok.(string)
			at = p.here()
		}
		entry, err := p.value()
		if err != nil {
			return nil, err
		}
		entry.key, entry.at = key, at
		out = append(out, entry)
	}
	_, err := p.dec.Token()
	return out, err
}
