package sdkgen

import (
	"sync"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Defaults knows which object types have default values, in themselves or in
// objects directly inside of them: SDKs fill those in. It is safe for
// concurrent use.
type Defaults struct {
	pkg     *pschema.Package
	reaches search
}

// NewDefaults looks into the types of one package and not of others.
func NewDefaults(pkg *pschema.Package) *Defaults {
	d := &Defaults{pkg: pkg}
	d.reaches = search{
		wanted: func(p *pschema.Property) bool { return p.Default != nil },
		inside: d.object,
	}
	return d
}

// In returns the object whose defaults a value of the type takes, or nil. It
// does not look into lists, maps and unions.
func (d *Defaults) In(of pschema.Type) *pschema.Object {
	object := d.object(of)
	if object == nil || !d.reaches.from(object) {
		return nil
	}
	return object
}

func (d *Defaults) object(of pschema.Type) *pschema.Object {
	object, ok := of.(*pschema.Object)
	if !ok || object.Package != d.pkg {
		return nil
	}
	return object
}

// search tells from which objects a wanted property can be reached, and
// remembers it.
type search struct {
	wanted func(*pschema.Property) bool
	// inside is the object that values of a type lead into, or nil.
	inside func(pschema.Type) *pschema.Object

	mu    sync.Mutex
	known map[*pschema.Object]bool
}

func (s *search) from(object *pschema.Object) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.known[object]
	if !ok {
		if s.known == nil {
			s.known = map[*pschema.Object]bool{}
		}
		known = s.walk(object, map[*pschema.Object]bool{})
		s.known[object] = known
	}
	return known
}

func (s *search) walk(object *pschema.Object, seen map[*pschema.Object]bool) bool {
	if seen[object] {
		return false
	}
	seen[object] = true
	for _, property := range object.Properties() {
		if s.wanted(property) {
			return true
		}
		if inner := s.inside(property.Type); inner != nil && s.walk(inner, seen) {
			return true
		}
	}
	return false
}
