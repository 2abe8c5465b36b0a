package discover

import (
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Selection is a set of resource types of one provider.
type Selection struct{ types map[string]bool }

// Select resolves globs over the provider's resource types: all that match
// one of include (every type where that is empty) and none of exclude. In a
// glob, `*` is any run of characters, `?` any one and `[a-c]` one of a class.
// A glob that is malformed or matches nothing is an error, and so are globs that
// together leave nothing.
func Select(catalog *tfschema.Catalog, include, exclude []string) (*Selection, diag.List) {
	all := catalog.Names(tfschema.KindResource)
	wanted, diags := matching(all, include)
	if len(include) == 0 {
		wanted = setOf(all)
	}
	unwanted, more := matching(all, exclude)
	diags = append(diags, more...)
	asked := len(wanted)
	for name := range unwanted {
		delete(wanted, name)
	}
	if asked > 0 && len(wanted) == 0 && !diags.HasErrors() {
		diags = append(diags, nothingSelected(asked, include, exclude))
	}
	return &Selection{types: wanted}, diags
}

// Has reports whether the type is wanted.
func (s *Selection) Has(typeName string) bool { return s.types[typeName] }

// Types lists what is wanted, sorted.
func (s *Selection) Types() []string { return sortedKeys(s.types) }

// wanted lists the types of a scope, sorted; a nil selection wants all.
func (s Scope) wanted() []string {
	if s.Selection == nil {
		return s.Catalog.Names(tfschema.KindResource)
	}
	return s.Selection.Types()
}

func matching(all, globs []string) (map[string]bool, diag.List) {
	var diags diag.List
	out := map[string]bool{}
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			diags = append(diags, badGlob(glob))
			continue
		}
		hit := false
		for _, name := range all {
			if ok, _ := path.Match(glob, name); ok {
				out[name] = true
				hit = true
			}
		}
		if !hit {
			diags = append(diags, globMatchesNothing(glob, suggest.Nearest(strings.Trim(glob, "*"), all)))
		}
	}
	return out, diags
}

func setOf(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

func sortedKeys(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
