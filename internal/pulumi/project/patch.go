package project

import (
	"cmp"
	"slices"
)

// patch replaces the bytes from from to to of a source by text.
type patch struct {
	from, to int
	text     string
}

// apply makes patches that do not overlap, in any order. Those at one place
// come out in the order given.
func apply(src []byte, patches []patch) []byte {
	slices.SortStableFunc(patches, func(a, b patch) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, p := range patches {
		if p.from < done || p.to < p.from || p.to > len(src) {
			return nil // they overlap: the check after an edit refuses this
		}
		out = append(append(out, src[done:p.from]...), p.text...)
		done = p.to
	}
	return append(out, src[done:]...)
}
