package mapping

import (
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// selection is what of a provider goes into a package.
type selection struct {
	catalog            *tfschema.Catalog
	includes, excludes []string
}

func (s *selection) has(name string) bool {
	return !slices.Contains(s.excludes, name) && (len(s.includes) == 0 || slices.Contains(s.includes, name))
}

// names lists the selected types of a kind, sorted.
func (s *selection) names(kind tfschema.Kind) []string { return s.filter(s.catalog.Names(kind)) }

// functionNames lists the selected functions, sorted.
func (s *selection) functionNames() []string { return s.filter(s.catalog.FunctionNames()) }

func (s *selection) filter(names []string) []string {
	var out []string
	for _, name := range names {
		if s.has(name) {
			out = append(out, name)
		}
	}
	return out
}

// check reports names that the provider does not have, and those that are to
// be both in and out.
func (s *selection) check() diag.List {
	all := slices.Clone(s.catalog.FunctionNames())
	for _, kind := range []tfschema.Kind{tfschema.KindResource, tfschema.KindDataSource, tfschema.KindEphemeral} {
		all = append(all, s.catalog.Names(kind)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	var diags diag.List
	for _, name := range append(slices.Clone(s.includes), s.excludes...) {
		if _, ok := slices.BinarySearch(all, name); !ok {
			diags = append(diags, unknownName(name, all))
		}
	}
	for _, name := range s.includes {
		if slices.Contains(s.excludes, name) {
			diags = append(diags, includedAndExcluded(name))
		}
	}
	return diags
}
