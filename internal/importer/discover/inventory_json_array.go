package discover

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/hashicorp/hcl/v2"
)

// jsonArray takes in one JSON array of the objects that JSON lines have, over
// as many lines as it likes.
func (in *intake) jsonArray(name string, r io.Reader) {
	src, ok := in.whole(name, r)
	if !ok {
		return
	}
	at := placer{name: name, src: src, pos: hcl.InitialPos}
	var elements []json.RawMessage
	if err := json.Unmarshal(src, &elements); err != nil {
		in.fault(badJSONArray(at.point(syntaxOffset(err, 0)), err))
		return
	}
	end := bytes.IndexByte(src, '[') + 1
	for _, element := range elements {
		start := end + bytes.Index(src[end:], element) // only blanks and a comma are between
		end = start + len(element)
		in.jsonElement(&at, start, element)
	}
}

// jsonElement takes in the element that begins at a byte of the array.
func (in *intake) jsonElement(at *placer, start int, element []byte) {
	e, offset, err := decodeJSONEntry(element)
	if err != nil {
		in.fault(badJSONArray(at.point(start+offset), err))
		return
	}
	e.at = at.span(start, start+len(element))
	in.add(e)
}

// placer turns bytes of a text into places. They are asked for in order, so
// that the text is counted once.
type placer struct {
	name string
	src  []byte
	pos  hcl.Pos
}

func (p *placer) to(offset int) hcl.Pos {
	passed := p.src[p.pos.Byte:max(p.pos.Byte, min(offset, len(p.src)))]
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.pos.Line += bytes.Count(passed, []byte("\n"))
		p.pos.Column = len(passed) - last
	} else {
		p.pos.Column += len(passed)
	}
	p.pos.Byte += len(passed)
	return p.pos
}

func (p *placer) point(offset int) hcl.Range { return p.span(offset, offset) }

func (p *placer) span(start, end int) hcl.Range {
	return hcl.Range{Filename: p.name, Start: p.to(start), End: p.to(end)}
}
