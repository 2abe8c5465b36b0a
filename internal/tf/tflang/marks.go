package tflang

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// Mark is a cty mark of the language.
type Mark string

// The marks. A sensitive value is never printed; an ephemeral one is never
// kept in a plan or state.
const (
	Sensitive Mark = "sensitive"
	Ephemeral Mark = "ephemeral"
)

// Has reports whether v or anything inside it carries the mark.
func Has(v cty.Value, mark any) bool {
	if v == cty.NilVal || !ctyx.Marked(v) {
		return false
	}
	_, found := v.UnmarkDeepWithPaths()
	for _, pvm := range found {
		if _, ok := pvm.Marks[mark]; ok {
			return true
		}
	}
	return false
}

// SensitivePaths splits v into the value without any marks and the paths at
// which it was sensitive, in walking order.
func SensitivePaths(v cty.Value) (cty.Value, []cty.Path) {
	if !ctyx.Marked(v) {
		return v, nil
	}
	bare, found := v.UnmarkDeepWithPaths()
	var paths []cty.Path
	for _, pvm := range found {
		if _, ok := pvm.Marks[Sensitive]; ok {
			paths = append(paths, pvm.Path)
		}
	}
	return bare, paths
}

// redacted is s for an error message, or a stand-in where marks forbid it.
func redacted(s string, marks ...cty.ValueMarks) string {
	for _, m := range marks {
		if _, ok := m[Ephemeral]; ok {
			return "(ephemeral value)"
		}
		if _, ok := m[Sensitive]; ok {
			return "(sensitive value)"
		}
	}
	return `"` + s + `"`
}
