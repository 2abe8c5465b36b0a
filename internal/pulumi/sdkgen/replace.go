package sdkgen

import "github.com/formation-iac/formation/internal/pulumi/pschema"

// Replacements knows which properties, when they change, make the engine
// replace a resource. It is safe for concurrent use.
type Replacements struct{ reaches search }

// NewReplacements knows nothing yet; it looks as it is asked.
func NewReplacements() *Replacements {
	return &Replacements{search{
		wanted: func(p *pschema.Property) bool { return p.ReplaceOnChanges },
		inside: func(of pschema.Type) *pschema.Object {
			_, object := elements(of)
			return object
		},
	}}
}

// Paths lists the paths of those properties: `a.b`, `list[*].c`, `map.*`. A
// type inside of itself is entered once.
func (r *Replacements) Paths(properties []*pschema.Property) []string {
	p := replacePaths{reaches: &r.reaches, inside: map[*pschema.Object]bool{}}
	p.properties("", properties)
	return p.found
}

type replacePaths struct {
	reaches *search
	found   []string
	inside  map[*pschema.Object]bool
}

func (r *replacePaths) properties(prefix string, properties []*pschema.Property) {
	for _, property := range properties {
		suffix, object := elements(property.Type)
		path := prefix + property.Name + suffix
		switch {
		case property.ReplaceOnChanges:
			r.found = append(r.found, path)
		case object != nil && !r.inside[object] && r.reaches.from(object):
			r.inside[object] = true
			r.properties(path+".", object.Properties())
			delete(r.inside, object)
		}
	}
}

// elements is what a path has behind a property of the type, and the object
// at its end, if any.
func elements(of pschema.Type) (suffix string, object *pschema.Object) {
	switch of := of.(type) {
	case *pschema.Array:
		inner, object := elements(of.Elem.Type)
		return "[*]" + inner, object
	case *pschema.Map:
		inner, object := elements(of.Elem.Type)
		return ".*" + inner, object
	case *pschema.Object:
		return "", of
	}
	return "", nil
}
