package pschema

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode writes a schema as JSON without a newline: members in the order of
// the structs, maps sorted by key, so that one schema has one text. It fails
// where a Const, Default or Value is nothing that JSON knows, or where a
// [Language] holds no JSON.
func Encode(spec PackageSpec) ([]byte, error) {
	data, err := marshal(spec)
	if err != nil {
		return nil, fmt.Errorf("encode the schema of package %s: %w", spec.Name, err)
	}
	return data, nil
}

// Text is the schema that was opened, without what [Package.Subset] left out
// and with the space between its members as it may be. It is JSON.
func (p *Package) Text() []byte {
	out := []byte{'{'}
	for _, at := range p.doc.spans {
		if at.section == "" {
			out = p.doc.appendMember(out, at)
		}
	}
	for _, part := range []struct {
		key     string
		members section
	}{{"resources", p.doc.resources}, {"functions", p.doc.functions}, {"types", p.doc.types}} {
		out = append(appendKey(out, part.key), '{')
		for _, token := range part.members.tokens() {
			out = p.doc.appendMember(out, part.members[token])
		}
		out = append(out, '}')
	}
	return append(out, '}')
}

// appendMember adds a member as it stands in the text.
func (d *document) appendMember(out []byte, at span) []byte {
	return append(appendKey(out, at.key), d.text[at.start:at.end]...)
}

// appendKey adds what is before a member's value.
func appendKey(out []byte, key string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	quoted, _ := json.Marshal(key) // texts have no errors
	return append(append(out, quoted...), ':')
}

// marshal leaves <, > and & as they are: descriptions are full of them.
func marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// MarshalJSON writes an object, or the bare token where a.Bare.
func (a AliasSpec) MarshalJSON() ([]byte, error) {
	if a.Bare {
		return marshal(a.Type)
	}
	return marshal(struct {
		Type string `json:"type"`
	}{a.Type})
}

// MarshalJSON writes the member that is set. An object keeps its "properties"
// even where it has none, since that tells it from a type.
func (r ReturnSpec) MarshalJSON() ([]byte, error) {
	if r.Object == nil {
		return marshal(r.Type)
	}
	object := struct {
		ObjectTypeSpec
		Properties map[string]PropertySpec `json:"properties"`
		Plain      any                     `json:"plain,omitempty"`
	}{ObjectTypeSpec: *r.Object, Properties: r.Object.Properties}
	if object.Properties == nil {
		object.Properties = map[string]PropertySpec{}
	}
	switch {
	case r.ObjectIsPlain:
		object.Plain = true
	case len(r.Object.Plain) > 0:
		object.Plain = r.Object.Plain
	}
	return marshal(object)
}
