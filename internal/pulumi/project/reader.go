package project

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
)

// reader takes typed values out of a document, and gathers what is wrong.
type reader struct {
	doc   *document
	diags diag.List
	// merges counts the "<<" entries that were followed.
	merges int
}

func (r *reader) report(d *diag.Diagnostic) { r.diags = append(r.diags, d) }

// field is one entry of a mapping.
type field struct {
	name       string
	key, value *yaml.Node
}

// maxMerges bounds how many "<<" entries are followed: they can lead in
// circles, and in few lines to very many.
const maxMerges = 1000

// fields are the entries of a mapping, in order; none where n is null. Merged
// entries ("<<") stand after those that override them.
func (r *reader) fields(n *yaml.Node) []field {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		if !isNull(n) {
			r.report(wrongShape("an object", r.doc.rangeOf(n)))
		}
		return nil
	}
	var own, merged []field
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.ShortTag() == "!!merge" && r.merges < maxMerges {
			merged = append(merged, r.merged(value)...)
			continue
		}
		if named(own, key.Value) {
			r.report(duplicateField(key.Value, r.doc.rangeOf(key)))
			continue
		}
		own = append(own, field{key.Value, key, value})
	}
	for _, m := range merged {
		if !named(own, m.name) {
			own = append(own, m)
		}
	}
	return own
}

func named(fields []field, name string) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.name == name })
}

// merged are the entries that a "<<" brings in: of a mapping, or of several.
func (r *reader) merged(value *yaml.Node) []field {
	r.merges++
	value = resolve(value)
	if value.Kind != yaml.SequenceNode {
		return r.fields(value)
	}
	var all []field
	for _, item := range value.Content {
		all = append(all, r.fields(item)...)
	}
	return all
}

// items are those of a list; none where it is null.
func (r *reader) items(f field) []*yaml.Node {
	list := resolve(f.value)
	if list.Kind != yaml.SequenceNode {
		if !isNull(list) {
			r.report(wrongShape("a list", r.doc.rangeOf(f.value)))
		}
		return nil
	}
	return list.Content
}

// text is a scalar as it is written: `version: 1.10` is "1.10". It is "" where
// the value is null.
func (r *reader) text(f field) string { return r.scalar(f.value) }

func (r *reader) scalar(n *yaml.Node) string {
	value := resolve(n)
	switch {
	case isNull(value):
		return ""
	case value.Kind != yaml.ScalarNode:
		r.report(wrongShape("text", r.doc.rangeOf(n)))
		return ""
	}
	return value.Value
}

// texts is a list of scalars.
func (r *reader) texts(f field) []string {
	var texts []string
	for _, item := range r.items(f) {
		texts = append(texts, r.scalar(item))
	}
	return texts
}

// object is a mapping whose values may be anything.
func (r *reader) object(f field) map[string]any {
	object := map[string]any{}
	for _, inner := range r.fields(f.value) {
		value, err := plain(inner.value)
		if err != nil {
			r.report(wrongValue(err, r.doc.rangeOf(inner.value)))
			continue
		}
		object[inner.name] = value
	}
	return object
}

// unknown warns of a field that nothing reads.
func (r *reader) unknown(f field, known ...string) {
	r.report(unknownField(f.name, known, r.doc.rangeOf(f.key)))
}
