package sdkts

import "github.com/formation-iac/formation/internal/pulumi/pschema"

// leadsBack reports whether values of a type hold a resource whose outputs
// lead back to the given one. An Output has the members of its value, so the
// compiler could not tell the type of such a property from itself.
func (s *sdk) leadsBack(of pschema.Type, to *pschema.Resource) bool {
	return (&wayBack{sdk: s, to: to, seen: map[any]bool{}}).from(of)
}

type wayBack struct {
	sdk  *sdk
	to   *pschema.Resource
	seen map[any]bool
}

func (w *wayBack) from(of pschema.Type) bool {
	switch of := of.(type) {
	case *pschema.Array:
		return w.from(of.Elem.Type)
	case *pschema.Map:
		return w.from(of.Elem.Type)
	case *pschema.Union:
		for _, member := range of.Members {
			if w.from(member.Type) {
				return true
			}
		}
	case *pschema.Object:
		return of.Package == w.sdk.pkg && w.once(of) && w.through(of.Properties())
	case *pschema.ResourceType:
		if of.Package != w.sdk.pkg {
			return false
		}
		next := of.Resource()
		return next == w.to || w.once(next) && w.through(next.Outputs)
	}
	return false
}

// once is true the first time that it is asked of something.
func (w *wayBack) once(of any) bool {
	if w.seen[of] {
		return false
	}
	w.seen[of] = true
	return true
}

func (w *wayBack) through(properties []*pschema.Property) bool {
	for _, p := range properties {
		if w.from(p.Type) {
			return true
		}
	}
	return false
}
