package pschema

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
)

// finding is a diagnostic whose place is yet to be turned into a range.
type finding struct {
	at Place
	*diag.Diagnostic
	// hint, where set, adds to the detail; it is only asked for what is shown.
	hint func() string
	// alike, where set, is what findings of which one is enough have in common.
	alike string
}

// findings gathers what is found wrong with a schema. It may be used
// concurrently, and the zero value is ready.
type findings struct {
	mu    sync.Mutex
	found []finding
	// alike are findings of which one is enough, by what they have in common:
	// the first of them, by place, and how many there are.
	alike map[string]*similar
}

type similar struct{ first, count int }

func (f *findings) add(found finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found.alike != "" && f.again(found) {
		return
	}
	f.found = append(f.found, found)
}

// again notes a finding that is like others, and reports whether there was
// one before.
func (f *findings) again(found finding) bool {
	seen := f.alike[found.alike]
	if seen == nil {
		if f.alike == nil {
			f.alike = map[string]*similar{}
		}
		f.alike[found.alike] = &similar{first: len(f.found), count: 1}
		return false
	}
	seen.count++
	if found.at < f.found[seen.first].at {
		f.found[seen.first] = found
	}
	return true
}

// maxFindings is how many diagnostics are written out. A schema with more of
// them has one mistake many times over.
const maxFindings = 100

// diagnostics lists what was found so far, in the order of the text.
func (d *document) diagnostics() diag.List {
	d.findings.mu.Lock()
	defer d.findings.mu.Unlock()
	found, left := worst(d.findings.found)
	var list diag.List
	for _, one := range found {
		resolved := d.resolve(one)
		if one.hint != nil {
			resolved.Detail += one.hint()
		}
		if seen := d.findings.alike[one.alike]; seen != nil && seen.count > 1 {
			resolved.Detail += fmt.Sprintf(" It stands in %d more places.", seen.count-1)
		}
		list = append(list, resolved)
	}
	if len(left) > 0 {
		list = append(list, moreFindings(len(left), slices.ContainsFunc(left, isError)))
	}
	return list
}

// worst picks as many as are written out, errors before warnings, and puts
// those in the order of the text.
func worst(all []finding) (picked, left []finding) {
	byPlace := func(a, b finding) int {
		return cmp.Or(int(a.at-b.at), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(int(a.Severity)-int(b.Severity), byPlace(a, b))
	})
	limit := min(len(all), maxFindings)
	picked, left = all[:limit], all[limit:]
	slices.SortFunc(picked, byPlace)
	return picked, left
}

func isError(f finding) bool { return f.Severity == diag.Error }
