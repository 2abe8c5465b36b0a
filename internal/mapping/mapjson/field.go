package mapjson

import "github.com/formation-iac/formation/internal/mapping"

// field is how Pulumi differs from the rule in an attribute, or in what is
// inside it.
type field struct {
	Name string `json:"name,omitempty"`
	// Token is of a type that stands in for the attribute's, and is always
	// there. The reader knows it by this name.
	Token   string            `json:"typeomitempty"`
	Element *field            `json:"element,omitempty"`
	Fields  map[string]*field `json:"fields,omitempty"`
	Default *standIn          `json:"default,omitempty"`
}

// standIn is where a value comes from that a program does not give.
type standIn struct {
	Autonamed bool `json:"autonamed,omitempty"`
	IsFunc    bool `json:"isFunc,omitempty"`
}

// newFields has the attributes of o in which something differs; it is not nil.
func newFields(o *mapping.Object) map[string]*field {
	fields := map[string]*field{}
	for _, p := range o.Properties {
		if f := newField(o, p); f != nil {
			fields[p.Terraform] = f
		}
	}
	return fields
}

// newField is nil where nothing differs.
func newField(o *mapping.Object, p *mapping.Property) *field {
	f := field{Element: elementField(p.Type, p.Nesting != 0)}
	if p.Name != o.RuleName(p) {
		f.Name = p.Name
	}
	if p.Autonamed {
		f.Name, f.Default = p.Name, &standIn{Autonamed: true, IsFunc: true}
	}
	if f.Name == "" && f.Element == nil {
		return nil
	}
	return &f
}

// elementField is what differs in the elements of a type, or nil. It goes
// through the same elements as [typed].
func elementField(t *mapping.Type, nested bool) *field {
	switch {
	case t.Object != nil, nested && t.Kind == mapping.KindArray:
		object := t.Object
		if object == nil {
			object = t.Elem.Object
		}
		if fields := newFields(object); len(fields) > 0 {
			return &field{Fields: fields}
		}
	case t.Elem != nil:
		if inner := elementField(t.Elem, false); inner != nil {
			return &field{Element: inner}
		}
	}
	return nil
}
