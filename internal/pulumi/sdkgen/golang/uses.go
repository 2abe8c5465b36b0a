package golang

import (
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// aroundType is how many pieces come with each type: an input interface, an
// output type and their methods.
const aroundType = 10

// uses finds what members of a module use.
type uses struct {
	module *module
	// seen are the types that some member uses, now those of the present one.
	seen, now map[string]bool
	// resources reports that something refers to a resource.
	resources bool
	pieces    int
}

func newUses(m *module) *uses { return &uses{module: m, seen: map[string]bool{}} }

func (u *uses) member(token, name string, walk func()) *member {
	u.now, u.pieces = map[string]bool{}, 0
	walk()
	return &member{token: token, words: words(name), pieces: u.pieces, types: slices.Sorted(maps.Keys(u.now))}
}

func (u *uses) ofResource(r *pschema.Resource) {
	u.pieces += aroundType + 2*len(r.Inputs) + 2*len(r.Outputs)
	u.properties(r.Inputs)
	u.properties(r.Outputs)
	if r.StateInputs != nil {
		u.properties(r.StateInputs.Properties())
	}
	for _, m := range r.Methods {
		u.ofFunction(m.Function)
	}
}

func (u *uses) ofFunction(fn *pschema.Function) {
	u.pieces += 2 * len(fn.Arguments())
	u.properties(fn.Arguments())
	if inline := fn.InlineResult(); inline != nil {
		u.pieces += 2 * len(inline.Properties())
		u.properties(inline.Properties())
	} else if fn.Returns != nil {
		u.use(*fn.Returns)
	}
}

func (u *uses) properties(all []*pschema.Property) {
	for _, p := range all {
		u.use(p.Use)
	}
}

func (u *uses) use(of pschema.Use) {
	switch t := of.Type.(type) {
	case *pschema.Array:
		u.use(t.Elem)
	case *pschema.Map:
		u.use(t.Elem)
	case *pschema.Union:
		for _, one := range t.Members {
			u.use(one)
		}
	case *pschema.ResourceType:
		u.resources = u.resources || t.Package == u.module.sdk.pkg
	case *pschema.Enum:
		if u.isNew(t.Package, t.Token) {
			u.count(t.Token, len(t.Values))
		}
	case *pschema.Object:
		if u.isNew(t.Package, t.Token) {
			u.count(t.Token, 3*len(t.Properties()))
			u.properties(t.Properties())
		}
	}
}

// isNew notes a type of the module, and reports whether the present member was
// not seen to use it.
func (u *uses) isNew(of *pschema.Package, token string) bool {
	s := u.module.sdk
	if of != s.pkg || s.moduleOf(token) != u.module || u.now[token] {
		return false
	}
	u.now[token] = true
	return true
}

// count counts the pieces of a type, once.
func (u *uses) count(token string, pieces int) {
	if u.seen[token] {
		return
	}
	u.seen[token] = true
	u.pieces += aroundType + pieces
}
