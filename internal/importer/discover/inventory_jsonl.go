package discover

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// jsonLines takes in one JSON object per line; blank lines are skipped.
func (in *intake) jsonLines(name string, r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(scanRawLines)
	pos := hcl.Pos{Line: 1, Column: 1}
	for !in.stopped && lines.Scan() {
		line := lines.Bytes()
		if text := bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(text)) > 0 {
			in.jsonLine(name, pos, text)
		}
		pos.Line++
		pos.Byte += len(line)
	}
	if err := lines.Err(); err != nil && !in.stopped {
		at := hcl.Range{Filename: name, Start: pos, End: pos}
		if errors.Is(err, bufio.ErrTooLong) {
			in.fault(lineTooLong(at))
			return
		}
		in.fault(unreadableInventory(name, err))
	}
}

// spreadObject reports whether what begins with head is a JSON object over
// several lines, in place of one a line: each of its lines would be a fault.
func spreadObject(head []byte) bool {
	first, rest, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 || rest[0] == '{' { // then only the first line is cut
		return false
	}
	var object json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(first)).Decode(&object), io.ErrUnexpectedEOF)
}

// looksLikeState reports whether what begins with head has the marks of a
// state, which are among its first lines.
func looksLikeState(head []byte) bool {
	return bytes.Contains(head, []byte(`"terraform_version"`)) || bytes.Contains(head, []byte(`"lineage"`))
}

// scanRawLines is bufio.ScanLines with the line's end kept, so that byte
// offsets can be counted.
func scanRawLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

func (in *intake) jsonLine(name string, start hcl.Pos, text []byte) {
	at := hcl.Range{Filename: name, Start: start, End: start}
	at.End.Column += len(text)
	at.End.Byte += len(text)
	e, offset, err := decodeJSONEntry(text)
	if err != nil {
		at.Start.Column += offset
		at.Start.Byte += offset
		in.fault(badJSONLine(at, err))
		return
	}
	e.at = at
	in.add(e)
}

// decodeJSONEntry decodes one object. Keys that it does not know, and keys
// that come twice, are errors. The offset is where the error is, from 0.
func decodeJSONEntry(text []byte) (e entry, offset int, err error) {
	if offset, err := unreadableText(text); err != nil {
		return e, offset, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	place := func() int { return min(int(dec.InputOffset()), len(text)) }
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return e, place(), cmpErr(err, "a JSON object such as {\"type\":\"…\",\"id\":\"…\"} must stand here")
	}
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return e, syntaxOffset(err, place()), unexpectedEnd(err)
		}
		key, _ := tok.(string)
		if seen[key] {
			return e, place(), fmt.Errorf("the key %q is there twice", key)
		}
		seen[key] = true
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return e, syntaxOffset(err, place()), unexpectedEnd(err)
		}
		if err := e.setJSON(key, raw); err != nil {
			return e, place(), err
		}
	}
	if _, err := dec.Token(); err != nil {
		return e, syntaxOffset(err, place()), unexpectedEnd(err)
	}
	if rest := bytes.TrimSpace(text[place():]); len(rest) > 0 {
		return e, place(), errors.New("there is more after the object; put each object on a line of its own")
	}
	return e, 0, nil
}

func cmpErr(err error, otherwise string) error {
	if err == nil {
		return errors.New(otherwise)
	}
	return unexpectedEnd(err)
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the line ends before the object does; write each object on one line")
	}
	return err
}

// syntaxOffset finds the place of a syntax error; otherwise is used where the
// error has none.
func syntaxOffset(err error, otherwise int) int {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return max(0, int(syntax.Offset)-1)
	}
	return otherwise
}

func (e *entry) setJSON(key string, raw json.RawMessage) (err error) {
	switch key {
	case "type":
		e.typeName, err = jsonString(key, raw, false)
	case "id":
		e.id, err = jsonString(key, raw, true)
	case "name":
		e.name, err = jsonString(key, raw, false)
	case "identity":
		e.identity, err = jsonObject(raw)
	default:
		err = fmt.Errorf("there is no key %q; the keys are type, id, identity and name", key)
	}
	return err
}

// jsonString decodes a string; null is "". Where numbers is true a number is
// taken as it is written, since many ids are numbers to the tools that print
// them.
func jsonString(key string, raw json.RawMessage, numbers bool) (text string, err error) {
	switch first := raw[0]; {
	case first == '"':
		err = json.Unmarshal(raw, &text)
		return text, err
	case first == 'n':
		return "", nil
	case numbers && (first == '-' || first >= '0' && first <= '9'):
		return string(raw), nil
	default:
		return "", fmt.Errorf("%q must be a string", key)
	}
}

// jsonObject decodes an identity; null is nil.
func jsonObject(raw json.RawMessage) (parts map[string]cty.Value, err error) {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil, nil
	}
	ty, err := ctyjson.ImpliedType(raw)
	if err != nil || !ty.IsObjectType() {
		return nil, cmpErr(err, "\"identity\" must be an object")
	}
	v, err := ctyjson.Unmarshal(raw, ty)
	if err != nil {
		return nil, err
	}
	parts = v.AsValueMap()
	if parts == nil {
		parts = map[string]cty.Value{}
	}
	return parts, nil
}
