package packages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// jsonText is a JSON document that somebody laid out. What is set in it takes
// the bytes that it needs; all others stay.
type jsonText struct {
	src  []byte
	root *jsonValue
}

// jsonValue is where a value is, in bytes.
type jsonValue struct {
	kind       json.Delim // '{', '[' or 0 for others
	start, end int
	// members are those of an object, or the elements of an array, in their
	// order.
	members []jsonMember
}

// jsonMember is a value with its key; in an array it begins with its value.
type jsonMember struct {
	key           string
	start, keyEnd int
	value         *jsonValue
}

// parseJSON reads a document that is one object.
func parseJSON(src []byte) (jsonText, error) {
	if !json.Valid(src) {
		return jsonText{}, errors.New("it is no JSON")
	}
	p := &jsonParser{src: src, decoder: json.NewDecoder(bytes.NewReader(src))}
	root, err := p.value()
	if err != nil {
		return jsonText{}, err
	}
	if root.kind != '{' {
		return jsonText{}, errors.New("it is no JSON object")
	}
	return jsonText{src, root}, nil
}

// jsonParser notes where what a decoder reads begins and ends.
type jsonParser struct {
	src     []byte
	decoder *json.Decoder
}

// token reads one token, and returns where it begins.
func (p *jsonParser) token() (token json.Token, start int, err error) {
	start = int(p.decoder.InputOffset())
	for start < len(p.src) && strings.IndexByte(" \t\r\n,:", p.src[start]) >= 0 {
		start++
	}
	token, err = p.decoder.Token()
	return token, start, err
}

func (p *jsonParser) value() (*jsonValue, error) {
	token, start, err := p.token()
	if err != nil {
		return nil, err
	}
	v := &jsonValue{start: start}
	if v.kind, _ = token.(json.Delim); v.kind != 0 {
		for p.decoder.More() {
			if err := p.member(v); err != nil {
				return nil, err
			}
		}
		if _, err := p.decoder.Token(); err != nil {
			return nil, err
		}
	}
	v.end = int(p.decoder.InputOffset())
	return v, nil
}

func (p *jsonParser) member(of *jsonValue) error {
	var m jsonMember
	if of.kind == '{' {
		token, start, err := p.token()
		if err != nil {
			return err
		}
		m.key, _ = token.(string)
		m.start, m.keyEnd = start, int(p.decoder.InputOffset())
	}
	value, err := p.value()
	if err != nil {
		return err
	}
	if m.value = value; of.kind == '[' {
		m.start, m.keyEnd = value.start, value.start
	}
	of.members = append(of.members, m)
	return nil
}

// member finds a member. Of several, the last one counts, as it does for
// those who read the file.
func (v *jsonValue) member(key string) (*jsonValue, bool) {
	for _, m := range slices.Backward(v.members) {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

func (t jsonText) raw(v *jsonValue) []byte { return t.src[v.start:v.end] }

// item is a member to be, or with an empty name an element; both in JSON.
type item struct{ name, literal string }

func (i item) text(colon string) string {
	if i.name == "" {
		return i.literal
	}
	return i.name + colon + i.literal
}

// with sets a member of one of the document's tables, which is made where it
// is not there, or null.
func (t jsonText) with(table, key string, value any) ([]byte, error) {
	member := item{compact(key), compact(value)}
	holder, there := t.root.member(table)
	var changed []byte
	switch {
	case !there:
		changed = t.inserted(t.root, table, item{compact(table), t.wrapped('{', member, 1)})
	case string(t.raw(holder)) == "null":
		changed = t.replaced(holder, t.wrapped('{', member, 1))
	case holder.kind != '{':
		return nil, fmt.Errorf("its %q is no object", table)
	default:
		if old, there := holder.member(key); !there {
			changed = t.inserted(holder, key, member)
		} else if sameJSON(t.raw(old), value) {
			return t.src, nil
		} else {
			changed = t.replaced(old, member.literal)
		}
	}
	return t.proven(changed, table, func(old any) any {
		members, _ := old.(map[string]any)
		if members == nil {
			members = map[string]any{}
		}
		members[key] = value
		return members
	})
}

// withElement adds a text to one of the document's lists, unless it is there.
func (t jsonText) withElement(list, text string) ([]byte, error) {
	element := item{literal: compact(text)}
	holder, there := t.root.member(list)
	var changed []byte
	switch {
	case !there:
		changed = t.inserted(t.root, list, item{compact(list), t.wrapped('[', element, 1)})
	case holder.kind != '[':
		return nil, fmt.Errorf("its %q is no list", list)
	case slices.ContainsFunc(holder.members, func(m jsonMember) bool { return sameJSON(t.raw(m.value), text) }):
		return t.src, nil
	default:
		changed = t.inserted(holder, "", element)
	}
	return t.proven(changed, list, func(old any) any {
		elements, _ := old.([]any)
		return append(elements, text)
	})
}

func sameJSON(raw []byte, value any) bool {
	var got any
	return json.Unmarshal(raw, &got) == nil && reflect.DeepEqual(got, value)
}

// proven returns a changed text if a reader of JSON sees the change in it, and
// nothing else that is new.
func (t jsonText) proven(changed []byte, member string, change func(old any) any) ([]byte, error) {
	var before, after map[string]any
	if err := errors.Join(json.Unmarshal(t.src, &before), json.Unmarshal(changed, &after)); err != nil {
		return nil, err
	}
	before[member] = change(before[member])
	if !reflect.DeepEqual(before, after) {
		return nil, fmt.Errorf("%q cannot be changed as it is laid out", member)
	}
	return changed, nil
}

func (t jsonText) replaced(old *jsonValue, literal string) []byte {
	return slices.Concat(t.src[:old.start], []byte(literal), t.src[old.end:])
}

// inserted adds a member to an object, or an element to an array: at its place
// where keys are sorted, else at the end, and laid out as its neighbours are.
func (t jsonText) inserted(in *jsonValue, key string, fresh item) []byte {
	if len(in.members) == 0 {
		depth := 1
		if in == t.root {
			depth = 0
		}
		return t.replaced(in, t.wrapped(in.kind, fresh, depth))
	}
	at := in.placeOf(key, in == t.root || in.kind == '[')
	near := in.members[min(at, len(in.members)-1)]
	text, gap := fresh.text(string(t.src[near.keyEnd:near.value.start])), t.gap(in)
	if at < len(in.members) {
		return slices.Concat(t.src[:near.start], []byte(text+","+gap), t.src[near.start:])
	}
	return slices.Concat(t.src[:near.value.end], []byte(","+gap+text), t.src[near.value.end:])
}

// gap is the space between members: that before the second, or before the only
// one.
func (t jsonText) gap(in *jsonValue) string {
	start := in.members[min(1, len(in.members)-1)].start
	gap := string(t.src[len(bytes.TrimRight(t.src[:start], " \t\r\n")):start])
	if gap == "" && len(in.members) == 1 && t.spacious() {
		return " "
	}
	return gap
}

// placeOf is before which member a key belongs.
func (v *jsonValue) placeOf(key string, last bool) int {
	keys := make([]string, len(v.members))
	for i, m := range v.members {
		keys[i] = m.key
	}
	if last || !slices.IsSorted(keys) {
		return len(keys)
	}
	at, _ := slices.BinarySearch(keys, key)
	return at
}

// wrapped is an object or array of one item, so many levels down.
func (t jsonText) wrapped(kind json.Delim, only item, depth int) string {
	end := "}"
	if kind == '[' {
		end = "]"
	}
	if !t.spacious() {
		return kind.String() + only.text(":") + end
	}
	margin := t.newline() + strings.Repeat(t.indent(), depth)
	return kind.String() + margin + t.indent() + only.text(": ") + margin + end
}

// spacious reports whether the document has lines, or nothing yet.
func (t jsonText) spacious() bool {
	return len(t.root.members) == 0 || bytes.ContainsRune(bytes.TrimSpace(t.src), '\n')
}

func (t jsonText) newline() string {
	if bytes.Contains(t.src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// firstIndent is the space before the first member of a document.
var firstIndent = regexp.MustCompile(`^\s*\{[ \t\r]*\n([ \t]+)"`)

// indent is what one level is indented by; package managers take two spaces.
func (t jsonText) indent() string {
	if found := firstIndent.FindSubmatch(t.src); found != nil {
		return string(found[1])
	}
	return "  "
}

// compact is a text or boolean in JSON as people write it: < stays <.
func compact(v any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // these always have a form
	return strings.TrimSpace(out.String())
}
