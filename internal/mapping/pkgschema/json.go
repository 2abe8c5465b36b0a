package pkgschema

import (
	"bytes"
	"encoding/json"
	"io"
)

// document is JSON that is being written. It is put together from finished
// parts, since the same properties stand in a resource three times over.
type document struct{ json []byte }

// open begins an object: the value of the member called name, or the whole
// document where name is "". close ends it.
func (d *document) open(name string) {
	if name != "" {
		d.key(name)
	}
	d.json = append(d.json, '{')
}

func (d *document) close() { d.json = append(d.json, '}') }

// key begins a member of the object that is open.
func (d *document) key(name string) {
	if last := len(d.json) - 1; last >= 0 && d.json[last] != '{' {
		d.json = append(d.json, ',')
	}
	d.json = append(appendString(d.json, name), ':')
}

// add writes a member whose value is JSON already.
func (d *document) add(name string, value []byte) {
	d.key(name)
	d.json = append(d.json, value...)
}

// enough is how many bytes are worth a write.
const enough = 1 << 20

// handOn writes what there is, if it is enough, but for the last byte, which
// says whether a comma comes next.
func (d *document) handOn(w io.Writer) error {
	last := len(d.json) - 1
	if last < enough {
		return nil
	}
	_, err := w.Write(d.json[:last])
	d.json = append(d.json[:0], d.json[last])
	return err
}

// text, flag and list write a member unless it says nothing.
func (d *document) text(name, value string) {
	if value != "" {
		d.key(name)
		d.json = appendString(d.json, value)
	}
}

func (d *document) flag(name string, value bool) {
	if value {
		d.add(name, []byte("true"))
	}
}

func (d *document) list(name string, values []string) {
	if len(values) > 0 {
		d.array(name, values)
	}
}

// array writes a member also where it is empty.
func (d *document) array(name string, values []string) {
	d.key(name)
	d.json = append(d.json, '[')
	for i, v := range values {
		if i > 0 {
			d.json = append(d.json, ',')
		}
		d.json = appendString(d.json, v)
	}
	d.json = append(d.json, ']')
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	if !isPlain(s) {
		return append(dst, encode(s)...)
	}
	return append(append(append(dst, '"'), s...), '"')
}

// isPlain reports whether JSON has s as it is, as most names and texts are.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// encode writes strings and what consists of them, in which nothing can fail.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
